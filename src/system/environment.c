#include "system/environment.h"

#include "system/affinity.h"
#include "system/counter.h"
#include "system/cpuinfo.h"
#include "system/findings.h"
#include "system/hypervisor.h"
#include "system/quota.h"
#include "system/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define CPU_FOLDER    "/sys/devices/system/cpu"
#define CLOCK_FOLDER  "/sys/devices/system/clocksource/clocksource0"
#define CPUS_PER_LIST 65536ul

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||               \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer) || HAS_FEATURE(memory_sanitizer)
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

/* Where drivers say whether turbo is on, and the command that turns it off. */
static const struct turbo_switch {
    const char *path, *on, *command;
} turbo_switches[] = {
    {CPU_FOLDER "/intel_pstate/no_turbo", "0", "echo 1 | sudo tee " CPU_FOLDER "/intel_pstate/no_turbo"},
    {CPU_FOLDER "/cpufreq/boost", "1", "echo 0 | sudo tee " CPU_FOLDER "/cpufreq/boost"},
};

/* Number of CPUs in a list such as "0-3,8"; 0 when it is none. */
static unsigned count_cpus(const char *list)
{
    unsigned long count = 0;
    for (;;) {
        char *end = NULL;
        const unsigned long first = strtoul(list, &end, 10);
        if (end == list || first >= CPUS_PER_LIST) {
            return 0;
        }
        unsigned long last = first;
        if (*end == '-') {
            const char *second = end + 1;
            last = strtoul(second, &end, 10);
            if (end == second || last < first || last >= CPUS_PER_LIST) {
                return 0;
            }
        }
        count += last - first + 1;
        if (*end == '\0') {
            return (unsigned)count;
        }
        if (*end != ',') {
            return 0;
        }
        list = end + 1;
    }
}

static unsigned read_cpu_count(const char *root, const char *path)
{
    char list[512];
    return cb_textfile_line(root, path, list, sizeof list) ? count_cpus(list) : 0;
}

static double read_load(const char *root)
{
    char line[128];
    if (!cb_textfile_line(root, "/proc/loadavg", line, sizeof line)) {
        return NAN;
    }
    char *end = NULL;
    const double load = strtod(line, &end);
    return end != line && isfinite(load) && load >= 0 ? load : NAN;
}

static const char *read_turbo(const char *root)
{
    for (size_t i = 0; i < sizeof turbo_switches / sizeof turbo_switches[0]; i++) {
        char value[8];
        if (cb_textfile_line(root, turbo_switches[i].path, value, sizeof value)) {
            return strcmp(value, turbo_switches[i].on) == 0 ? turbo_switches[i].command : NULL;
        }
    }
    return NULL;
}

static bool offers_tsc(const char *root)
{
    char clocks[128];
    (void)cb_textfile_line(root, CLOCK_FOLDER "/available_clocksource", clocks, sizeof clocks);
    for (char *rest = clocks, *word = NULL; (word = strsep(&rest, " ")) != NULL;) {
        if (strcmp(word, "tsc") == 0) {
            return true;
        }
    }
    return false;
}

static void read_processor(cb_environment *e, const char *root, int cpu)
{
    cb_cpuinfo info;
    cb_cpuinfo_read(&info, root, cpu);
    memcpy(e->cpu, info.name, sizeof e->cpu);
    memcpy(e->features, info.features, sizeof e->features);
    if (!info.says_hypervisor || info.hypervisor) {
        const bool named = cb_hypervisor_read(e->hypervisor, sizeof e->hypervisor, root);
        e->virtualised = named || info.hypervisor;
    }
}

static void read_files(cb_environment *e, cb_facts *facts, const char *root, int cpu)
{
    const int known = cpu >= 0 ? cpu : 0;
    char path[96];
    *e = (cb_environment){.measuring_cpu = cpu, .tsc_ghz = NAN};
    read_processor(e, root, cpu);
    e->load1 = read_load(root);
    e->cpus_online = read_cpu_count(root, CPU_FOLDER "/online");
    (void)cb_textfile_line(root, CLOCK_FOLDER "/current_clocksource", e->clock, sizeof e->clock);
    (void)snprintf(path, sizeof path, CPU_FOLDER "/cpu%d/cpufreq/scaling_governor", known);
    (void)cb_textfile_line(root, path, e->governor, sizeof e->governor);

    (void)snprintf(path, sizeof path, CPU_FOLDER "/cpu%d/topology/thread_siblings_list", known);
    *facts = (cb_facts){
        .turbo_off = read_turbo(root),
        .quota_cpus = cb_quota_read(root),
        .core_threads = read_cpu_count(root, path),
        .tsc_offered = offers_tsc(root),
    };
}

/* Variables that change how a library or the loader behaves; their values may be private and are not shown.
 */
static void note_variables(cb_environment *e)
{
    static const char *const names[] = {"OPENSSL_ia32cap", "OPENSSL_armcap",  "OPENSSL_CONF",
                                        "LD_PRELOAD",      "LD_LIBRARY_PATH", "GLIBC_TUNABLES"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        char what[96];
        char remedy[96];
        if (value == NULL || value[0] == '\0')
            continue;
        (void)snprintf(what, sizeof what, "%s is set: it can change which code is measured", names[i]);
        (void)snprintf(remedy, sizeof remedy, "unset %s, unless that is what you mean to measure", names[i]);
        cb_environment_add(e, what, remedy);
    }
}

/* What no file tells. */
static void read_live(cb_environment *e, cb_facts *facts)
{
    struct utsname names;
    if (uname(&names) == 0) {
        (void)snprintf(e->kernel, sizeof e->kernel, "%.16s %.48s %.16s", names.sysname, names.release,
                       names.machine);
        if (e->cpu[0] == '\0') {
            (void)snprintf(e->cpu, sizeof e->cpu, "%.64s", names.machine);
        }
    }
    if (e->virtualised && e->hypervisor[0] == '\0') {
        cb_hypervisor_ask(e->hypervisor, sizeof e->hypervisor);
        if (e->hypervisor[0] == '\0') {
            (void)snprintf(e->hypervisor, sizeof e->hypervisor, "unknown");
        }
    }
    const cb_clock clock = cb_clock_system();
    e->cpus_allowed = cb_affinity_count();
    e->clock_read_ns = cb_counter_read_cost_ns(&clock);
    e->tsc_ghz = cb_counter_ghz();
    facts->slow_build = SLOW_BUILD;
}

void cb_environment_read(cb_environment *environment, int cpu)
{
    cb_facts facts;
    read_files(environment, &facts, "", cpu);
    read_live(environment, &facts);
    cb_findings_judge(environment, &facts);
    note_variables(environment);
}

void cb_environment_read_from(cb_environment *environment, const char *root, int cpu)
{
    cb_facts facts;
    read_files(environment, &facts, root, cpu);
    cb_findings_judge(environment, &facts);
}

void cb_environment_add(cb_environment *environment, const char *what, const char *remedy)
{
    if (environment->n_findings >= CB_FINDINGS_MAX) {
        return;
    }
    cb_finding *finding = &environment->findings[environment->n_findings++];
    (void)snprintf(finding->what, sizeof finding->what, "%s", what);
    (void)snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy != NULL ? remedy : "");
}
