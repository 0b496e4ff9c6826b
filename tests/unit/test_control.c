#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/control.h"
#include "worker/stack.h"

#include <stdbool.h>
#include <stdlib.h>

static cb_control *new_control(void)
{
    cb_control *control = aligned_alloc(64, sizeof *control);
    assert_non_null(control);
    cb_control_init(control);
    return control;
}

static void test_the_work_is_the_same_every_time(void **unused)
{
    (void)unused;
    cb_control *a = new_control(), *b = new_control();
    const uint64_t warm = cb_control_warm(a), run = cb_control_run(a);
    assert_true(warm != run);
    for (int i = 0; i < 3; i++) {
        assert_true(cb_control_warm(a) == warm);
        assert_true(cb_control_run(a) == run);
        assert_true(cb_control_run(b) == run);
    }
    free(a);
    free(b);
}

/* No word is left out, so that none has to be read. */
static void test_the_result_depends_on_every_word(void **unused)
{
    (void)unused;
    cb_control *control = new_control();
    const uint64_t warm = cb_control_warm(control), run = cb_control_run(control);
    for (size_t i = 0; i < CB_CONTROL_WORDS; i++) {
        control->words[i] ^= 1;
        assert_true(cb_control_warm(control) != warm);
        assert_true(cb_control_run(control) != run);
        control->words[i] ^= 1;
    }
    free(control);
}

/* Where a callee's frame starts in its page. */
static int note_offset(void *argument)
{
    *(uintptr_t *)argument = (uintptr_t)__builtin_frame_address(0) % 4096;
    return 17;
}

/* Takes some of the stack first, as arguments and environment do. */
__attribute__((noinline)) static uintptr_t offset_below(size_t taken)
{
    volatile unsigned char *pad = __builtin_alloca(taken);
    uintptr_t offset = 0;
    pad[0] = 1;
    assert_int_equal(cb_stack_call(note_offset, &offset), 17);
    return offset;
}

static void test_a_call_starts_at_one_offset_in_its_page(void **unused)
{
    (void)unused;
    const uintptr_t first = offset_below(16);
    for (size_t taken = 16; taken < 10000; taken += 16)
        assert_int_equal(offset_below(taken), first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_work_is_the_same_every_time),
        cmocka_unit_test(test_the_result_depends_on_every_word),
        cmocka_unit_test(test_a_call_starts_at_one_offset_in_its_page),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
