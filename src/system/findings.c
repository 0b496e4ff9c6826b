#include "system/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BUSY_PER_CPU      0.5
#define SLOW_CLOCK_NS     100.0
#define QUOTA_ENOUGH_CPUS 2.0 /* a worker and the coordinator */

/* Clocks that are read without entering the kernel. */
static const char *const fast_clocks[] = {
    "tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page", "riscv_clocksource", "timebase",
};

__attribute__((format(printf, 3, 4))) static void add(cb_environment *e, const char *remedy,
                                                      const char *format, ...)
{
    char what[sizeof e->findings[0].what];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    cb_environment_add(e, what, remedy);
}

static bool clock_is_fast(const char *clock)
{
    for (size_t i = 0; i < sizeof fast_clocks / sizeof fast_clocks[0]; i++) {
        if (strcmp(clock, fast_clocks[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void judge_build(cb_environment *e, const cb_facts *facts)
{
    if (facts->slow_build) {
        cb_environment_add(e, "crypto_bench was built without optimisation or with sanitizers",
                           "build it with: cmake --preset release && cmake --build --preset release");
    }
}

static void judge_frequency(cb_environment *e, const cb_facts *facts)
{
    if (e->governor[0] != '\0' && strcmp(e->governor, "performance") != 0) {
        add(e, "sudo cpupower frequency-set -g performance",
            "the frequency governor is %s: the clock rate changes while measuring", e->governor);
    }
    if (facts->turbo_off != NULL) {
        cb_environment_add(e, "turbo is on: the clock rate depends on temperature and on other cores",
                           facts->turbo_off);
    }
}

static void judge_sharing(cb_environment *e, const cb_facts *facts)
{
    const double cpus = e->cpus_online > 0 ? (double)e->cpus_online : 1.0;
    if (e->virtualised) {
        add(e, "trust ratios more than absolute times, or measure on a machine of your own",
            "this is a virtual machine (%s): neighbours can take part of a core",
            e->hypervisor[0] != '\0' ? e->hypervisor : "of an unknown kind");
    }
    if (e->load1 > BUSY_PER_CPU * cpus) { /* false for NaN */
        add(e, "stop the other processes, or wait until they are done",
            "other processes are running: the load of the last minute is %.2f on %u CPU%s", e->load1,
            e->cpus_online, e->cpus_online == 1 ? "" : "s");
    }
    if (e->measuring_cpu >= 0 && facts->core_threads > 1) {
        add(e, "echo off | sudo tee /sys/devices/system/cpu/smt/control",
            "CPU %d shares its core with %u other hardware thread%s", e->measuring_cpu,
            facts->core_threads - 1, facts->core_threads == 2 ? "" : "s");
    }
}

static void judge_share_of_time(cb_environment *e, const cb_facts *facts)
{
    if (e->cpus_allowed == 1) {
        cb_environment_add(e, "only one CPU is allowed: everything else that runs interrupts the measurement",
                           "allow a second one (taskset -c 0,1, docker run --cpuset-cpus=0,1)");
    }
    if (facts->quota_cpus < QUOTA_ENOUGH_CPUS) { /* false for NaN */
        add(e, "lift the limit (docker run without --cpus, systemd CPUQuota=)",
            "a quota of %.2f CPUs stops this process whenever it is used up", facts->quota_cpus);
    }
}

static void judge_clock(cb_environment *e, const cb_facts *facts)
{
    if (e->clock[0] != '\0' && !clock_is_fast(e->clock)) {
        add(e,
            facts->tsc_offered
                ? "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
                : "boot with clocksource=tsc if the processor's counter is stable",
            "the kernel's clock is %s, which is slow or coarse", e->clock);
    }
    if (e->clock_read_ns > SLOW_CLOCK_NS) {
        add(e, "measure larger messages, or change the clock source",
            "reading the clock takes %.0f ns: short operations are measured less exactly", e->clock_read_ns);
    }
}

void cb_findings_judge(cb_environment *environment, const cb_facts *facts)
{
    judge_build(environment, facts);
    judge_sharing(environment, facts);
    judge_frequency(environment, facts);
    judge_share_of_time(environment, facts);
    judge_clock(environment, facts);
}
