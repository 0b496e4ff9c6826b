#include "worker/stack.h"

#include <alloca.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_BYTES 4096

__attribute__((noinline)) int cb_stack_call(int (*f)(void *), void *argument)
{
    /* The stack grows down: taking frame % page bytes brings the next frame to a fixed distance from a page's
     * start. */
    size_t excess = (uintptr_t)__builtin_frame_address(0) % PAGE_BYTES;
    volatile unsigned char *pad = alloca(excess + 64);
    pad[0] = 0;
    int result = f(argument);
    pad[0] = 1; /* keeps the pad alive across the call, and the call from becoming a tail call */
    return result;
}
