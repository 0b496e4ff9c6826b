#include "system/affinity.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

/* Eight times the usual set: kernels go up to 8192 CPUs, and a set smaller than the kernel's is refused. */
#define SETS     8
#define CPUS_MAX (SETS * CPU_SETSIZE)

typedef struct cpu_mask {
    cpu_set_t sets[SETS];
} cpu_mask;

static bool mask_has(const cpu_mask *mask, int cpu)
{
    return CPU_ISSET_S((size_t)cpu, sizeof *mask, mask->sets) != 0;
}

static cb_status mask_read(cpu_mask *mask, cb_err *err)
{
    memset(mask, 0, sizeof *mask);
    if (sched_getaffinity(0, sizeof *mask, mask->sets) != 0) {
        return cb_fail(err, CB_IO, "the system does not say on which CPUs this process may run: %s",
                       strerror(errno));
    }
    return CB_OK;
}

/* "0-3,8", cut where the room ends. */
static void mask_format(const cpu_mask *mask, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int first = 0; first < CPUS_MAX; first++) {
        if (!mask_has(mask, first)) {
            continue;
        }
        int last = first;
        while (last + 1 < CPUS_MAX && mask_has(mask, last + 1)) {
            last++;
        }
        const char *comma = used > 0 ? "," : "";
        const int n = first == last ? snprintf(text + used, size - used, "%s%d", comma, first)
                                    : snprintf(text + used, size - used, "%s%d-%d", comma, first, last);
        if (n < 0 || (size_t)n >= size - used) {
            text[used] = '\0';
            return;
        }
        used += (size_t)n;
        first = last;
    }
}

static int mask_last(const cpu_mask *mask)
{
    int cpu = CPUS_MAX - 1;
    while (cpu >= 0 && !mask_has(mask, cpu)) {
        cpu--;
    }
    return cpu;
}

cb_status cb_affinity_choose(int wanted, int *cpu, cb_err *err)
{
    cpu_mask mask;
    const cb_status status = mask_read(&mask, err);
    if (status != CB_OK) {
        return status;
    }
    if (wanted < 0) {
        const int last = mask_last(&mask);
        if (last < 0) {
            return cb_fail(err, CB_IO, "the system names no CPU on which this process may run");
        }
        *cpu = last;
        return CB_OK;
    }
    if (wanted >= CPUS_MAX || !mask_has(&mask, wanted)) {
        char allowed[80];
        mask_format(&mask, allowed, sizeof allowed);
        return cb_fail(err, CB_BAD_ARGUMENT, "this process may not run on CPU %d; allowed: %s", wanted,
                       allowed);
    }
    *cpu = wanted;
    return CB_OK;
}

cb_status cb_affinity_pin(int cpu, cb_err *err)
{
    if (cpu < 0 || cpu >= CPUS_MAX) {
        return cb_fail(err, CB_BAD_ARGUMENT, "there is no CPU %d", cpu);
    }
    cpu_mask mask;
    memset(&mask, 0, sizeof mask);
    CPU_SET_S((size_t)cpu, sizeof mask, mask.sets);
    if (sched_setaffinity(0, sizeof mask, mask.sets) != 0) {
        return cb_fail(err, CB_IO, "cannot bind to CPU %d: %s", cpu, strerror(errno));
    }
    return CB_OK;
}

unsigned cb_affinity_count(void)
{
    cpu_mask mask;
    if (mask_read(&mask, NULL) != CB_OK) {
        return 0;
    }
    return (unsigned)CPU_COUNT_S(sizeof mask, mask.sets);
}
