#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "system/environment.h"

#include "system/findings.h"
#include "system/quota.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CPU_FOLDER   "/sys/devices/system/cpu"
#define CLOCK_FOLDER "/sys/devices/system/clocksource/clocksource0"

/* A machine made of files, in a folder of its own. */
typedef struct machine {
    char root[64];
} machine;

static int set_up(void **state)
{
    machine *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return -1;
    }
    (void)snprintf(m->root, sizeof m->root, "/tmp/cb_environment.XXXXXX");
    if (mkdtemp(m->root) == NULL) {
        free(m);
        return -1;
    }
    *state = m;
    return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static int tear_down(void **state)
{
    machine *m = *state;
    const int failed = nftw(m->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(m);
    return failed;
}

/* Writes root/path and the folders above it. */
static void put(const machine *m, const char *path, const char *text)
{
    char full[512];
    const int n = snprintf(full, sizeof full, "%s%s", m->root, path);
    assert_true(n > 0 && (size_t)n < sizeof full);
    for (char *slash = strchr(full + strlen(m->root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(full, 0700); /* may be there already; fopen tells if it is not */
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const cb_finding *find(const cb_environment *e, const char *part)
{
    for (size_t i = 0; i < e->n_findings; i++) {
        if (strstr(e->findings[i].what, part) != NULL) {
            return &e->findings[i];
        }
    }
    return NULL;
}

static void expect_finding(const cb_environment *e, const char *what, const char *remedy)
{
    const cb_finding *finding = find(e, what);
    assert_non_null(finding);
    assert_non_null(strstr(finding->remedy, remedy));
}

static void put_quiet_x86(const machine *m)
{
    put(m, "/proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Example CPU 9000 @ 3.00GHz\n"
        "flags\t\t: fpu sse2 ssse3 sse4_1 aes avx avx2 pclmulqdq avx512f vaes vpclmulqdq sha_ni bmi2 "
        "avx512vl\n\n"
        "processor\t: 1\nmodel name\t: Example CPU 1\nflags\t\t: fpu aes\n\n");
    put(m, "/proc/loadavg", "0.10 0.20 0.30 1/100 12345\n");
    put(m, CPU_FOLDER "/online", "0-3,6\n");
    put(m, CPU_FOLDER "/cpu0/cpufreq/scaling_governor", "performance\n");
    put(m, CPU_FOLDER "/cpu0/topology/thread_siblings_list", "0\n");
    put(m, CPU_FOLDER "/intel_pstate/no_turbo", "1\n");
    put(m, CLOCK_FOLDER "/current_clocksource", "tsc\n");
    put(m, CLOCK_FOLDER "/available_clocksource", "tsc hpet acpi_pm \n");
    put(m, "/proc/self/cgroup", "0::/user.slice/run\n");
    put(m, "/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
}

static void test_a_quiet_machine_has_no_findings(void **state)
{
    const machine *m = *state;
    put_quiet_x86(m);
    cb_environment e;
    cb_environment_read_from(&e, m->root, 0);
    assert_string_equal(e.cpu, "Example CPU 9000 @ 3.00GHz");
    assert_string_equal(e.features,
                        "aes pclmulqdq ssse3 sse4_1 bmi2 avx avx2 avx512f avx512vl vaes vpclmulqdq sha_ni");
    assert_string_equal(e.clock, "tsc");
    assert_string_equal(e.governor, "performance");
    assert_string_equal(e.hypervisor, "");
    assert_false(e.virtualised);
    assert_int_equal(e.cpus_online, 5);
    assert_int_equal(e.measuring_cpu, 0);
    assert_true(fabs(e.load1 - 0.10) < 1e-9);
    assert_true(isnan(e.tsc_ghz));
    assert_int_equal(e.n_findings, 0);
}

static void test_the_measuring_cpu_is_described(void **state)
{
    const machine *m = *state;
    put_quiet_x86(m);
    cb_environment e;
    cb_environment_read_from(&e, m->root, 1);
    assert_string_equal(e.cpu, "Example CPU 1");
    assert_string_equal(e.features, "aes");
    cb_environment_read_from(&e, m->root, 7);
    assert_string_equal(e.cpu, "Example CPU 9000 @ 3.00GHz");
    cb_environment_read_from(&e, m->root, -1);
    assert_string_equal(e.cpu, "Example CPU 9000 @ 3.00GHz");
    assert_int_equal(e.measuring_cpu, -1);
}

static void test_an_empty_system_stays_unknown(void **state)
{
    const machine *m = *state;
    cb_environment e;
    cb_environment_read_from(&e, m->root, 2);
    assert_string_equal(e.cpu, "");
    assert_string_equal(e.features, "");
    assert_string_equal(e.kernel, "");
    assert_string_equal(e.clock, "");
    assert_string_equal(e.governor, "");
    assert_int_equal(e.cpus_online, 0);
    assert_true(isnan(e.load1));
    assert_int_equal(e.n_findings, 0);
}

static void test_every_disturbance_has_a_remedy(void **state)
{
    const machine *m = *state;
    put_quiet_x86(m);
    put(m, "/proc/loadavg", "3.50 0.20 0.30 1/100 12345\n");
    put(m, CPU_FOLDER "/cpu0/cpufreq/scaling_governor", "powersave\n");
    put(m, CPU_FOLDER "/cpu0/topology/thread_siblings_list", "0,4\n");
    put(m, CPU_FOLDER "/intel_pstate/no_turbo", "0\n");
    put(m, CLOCK_FOLDER "/current_clocksource", "hpet\n");
    put(m, "/sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n");
    cb_environment e;
    cb_environment_read_from(&e, m->root, 0);
    expect_finding(&e, "load of the last minute is 3.50 on 5 CPUs", "stop the other processes");
    expect_finding(&e, "governor is powersave", "sudo cpupower frequency-set -g performance");
    expect_finding(&e, "CPU 0 shares its core with 1 other hardware thread", "smt/control");
    expect_finding(&e, "turbo is on", "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
    expect_finding(&e, "clock is hpet", "echo tsc | sudo tee");
    expect_finding(&e, "quota of 0.50 CPUs", "lift the limit");
    assert_int_equal(e.n_findings, 6);
}

static void test_boost_is_read_where_there_is_no_intel_driver(void **state)
{
    const machine *m = *state;
    put(m, CPU_FOLDER "/cpufreq/boost", "1\n");
    cb_environment e;
    cb_environment_read_from(&e, m->root, 0);
    expect_finding(&e, "turbo is on", "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
    put(m, CPU_FOLDER "/cpufreq/boost", "0\n");
    cb_environment_read_from(&e, m->root, 0);
    assert_null(find(&e, "turbo"));
}

static void test_virtual_machines_are_named(void **state)
{
    const machine *m = *state;
    put(m, "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Example\nflags\t\t: aes hypervisor\n\n");
    cb_environment e;
    cb_environment_read_from(&e, m->root, 0);
    assert_true(e.virtualised);
    expect_finding(&e, "virtual machine", "trust ratios");
    put(m, CLOCK_FOLDER "/available_clocksource", "kvm-clock tsc acpi_pm\n");
    cb_environment_read_from(&e, m->root, 0);
    assert_string_equal(e.hypervisor, "KVM");
    put(m, "/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    put(m, "/sys/class/dmi/id/product_name", "c7i.large\n");
    cb_environment_read_from(&e, m->root, 0);
    assert_string_equal(e.hypervisor, "Amazon EC2");
    expect_finding(&e, "virtual machine (Amazon EC2)", "trust ratios");
}

/* Such vendors also sell whole machines; on x86 the processor knows better. */
static void test_a_vendor_alone_makes_no_virtual_machine_on_x86(void **state)
{
    const machine *m = *state;
    put_quiet_x86(m);
    put(m, "/sys/class/dmi/id/sys_vendor", "Google\n");
    cb_environment e;
    cb_environment_read_from(&e, m->root, 0);
    assert_false(e.virtualised);
    assert_string_equal(e.hypervisor, "");
}

static void put_arm(const machine *m, const char *implementer, const char *part)
{
    char text[256];
    (void)snprintf(text, sizeof text,
                   "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd aes pmull sha1 sha2 sve\n"
                   "CPU implementer\t: %s\nCPU architecture: 8\nCPU part\t: %s\nCPU revision\t: 1\n\n",
                   implementer, part);
    put(m, "/proc/cpuinfo", text);
}

static void test_arm_cores_are_named_by_number(void **state)
{
    const machine *m = *state;
    cb_environment e;
    put_arm(m, "0x41", "0xd0c");
    cb_environment_read_from(&e, m->root, 0);
    assert_string_equal(e.cpu, "Neoverse N1");
    assert_string_equal(e.features, "aes asimd pmull sha1 sha2 sve");
    assert_false(e.virtualised);
    put_arm(m, "0x41", "0xfff");
    cb_environment_read_from(&e, m->root, 0);
    assert_string_equal(e.cpu, "aarch64 (implementer 0x41, part 0xfff)");
}

static void test_arm_machines_are_virtual_by_vendor(void **state)
{
    const machine *m = *state;
    cb_environment e;
    put_arm(m, "0x41", "0xd40");
    put(m, "/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    put(m, "/sys/class/dmi/id/product_name", "c7g.large\n");
    cb_environment_read_from(&e, m->root, 0);
    assert_true(e.virtualised);
    assert_string_equal(e.hypervisor, "Amazon EC2");
    put(m, "/sys/class/dmi/id/product_name", "c7g.metal\n");
    cb_environment_read_from(&e, m->root, 0);
    assert_false(e.virtualised);
    put(m, "/proc/device-tree/hypervisor/compatible", "linux,kvm");
    cb_environment_read_from(&e, m->root, 0);
    assert_true(e.virtualised);
    assert_string_equal(e.hypervisor, "linux,kvm");
}

static void test_damaged_files_are_unknown(void **state)
{
    const machine *m = *state;
    put(m, "/proc/cpuinfo", "no colon here\n: \nprocessor\t: x\nCPU part\t: 0xzz\n");
    put(m, "/proc/loadavg", "busy\n");
    put(m, CPU_FOLDER "/online", "3-1,\n");
    put(m, "/proc/self/cgroup", "0\n:\n0::\n");
    cb_environment e;
    cb_environment_read_from(&e, m->root, 0);
    assert_string_equal(e.cpu, "");
    assert_true(isnan(e.load1));
    assert_int_equal(e.cpus_online, 0);
    assert_int_equal(e.n_findings, 0);
}

static void test_the_tightest_quota_counts(void **state)
{
    const machine *m = *state;
    assert_true(isnan(cb_quota_read(m->root)));
    put(m, "/proc/self/cgroup", "0::/a/b\n");
    put(m, "/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
    assert_true(cb_quota_read(m->root) == 3.0);
    put(m, "/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
    assert_true(cb_quota_read(m->root) == 1.5);
    put(m, "/sys/fs/cgroup/cpu.max", "max 100000\n");
    assert_true(cb_quota_read(m->root) == 1.5);
}

static void test_quota_of_the_first_version_of_control_groups(void **state)
{
    const machine *m = *state;
    put(m, "/proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/docker/elsewhere\n0::/\n");
    put(m, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put(m, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assert_true(isnan(cb_quota_read(m->root)));
    put(m, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "25000\n");
    assert_true(cb_quota_read(m->root) == 0.25);
}

static void test_findings_that_no_file_tells(void **state)
{
    (void)state;
    cb_environment e = {.measuring_cpu = 0, .load1 = NAN, .cpus_allowed = 1, .clock_read_ns = 640};
    const cb_facts facts = {.quota_cpus = NAN, .slow_build = true};
    cb_findings_judge(&e, &facts);
    expect_finding(&e, "only one CPU is allowed", "taskset");
    expect_finding(&e, "reading the clock takes 640 ns", "clock source");
    expect_finding(&e, "without optimisation", "cmake --preset release");
    assert_int_equal(e.n_findings, 3);
}

static void test_no_thread_siblings_without_a_measuring_cpu(void **state)
{
    (void)state;
    cb_environment e = {.measuring_cpu = -1, .load1 = NAN};
    const cb_facts facts = {.quota_cpus = NAN, .core_threads = 2};
    cb_findings_judge(&e, &facts);
    assert_int_equal(e.n_findings, 0);
}

static void test_findings_end_at_their_room(void **state)
{
    (void)state;
    cb_environment e = {0};
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    for (int i = 0; i < CB_FINDINGS_MAX + 5; i++) {
        cb_environment_add(&e, longer, i == 0 ? NULL : longer);
    }
    assert_int_equal(e.n_findings, CB_FINDINGS_MAX);
    assert_int_equal(strlen(e.findings[0].what), sizeof e.findings[0].what - 1);
    assert_string_equal(e.findings[0].remedy, "");
    assert_int_equal(strlen(e.findings[1].remedy), sizeof e.findings[1].remedy - 1);
}

static void test_this_machine_can_be_read(void **state)
{
    (void)state;
    cb_environment e;
    cb_environment_read(&e, 0);
    assert_true(e.cpu[0] != '\0');
    assert_true(strncmp(e.kernel, "Linux ", 6) == 0);
    assert_true(e.cpus_allowed >= 1);
    assert_true(e.clock_read_ns > 0 && isfinite(e.clock_read_ns));
    assert_true(!e.virtualised || e.hypervisor[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_quiet_machine_has_no_findings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_measuring_cpu_is_described, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_empty_system_stays_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_disturbance_has_a_remedy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_boost_is_read_where_there_is_no_intel_driver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_virtual_machines_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_vendor_alone_makes_no_virtual_machine_on_x86, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_arm_cores_are_named_by_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arm_machines_are_virtual_by_vendor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_files_are_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_tightest_quota_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quota_of_the_first_version_of_control_groups, set_up, tear_down),
        cmocka_unit_test(test_findings_that_no_file_tells),
        cmocka_unit_test(test_no_thread_siblings_without_a_measuring_cpu),
        cmocka_unit_test(test_findings_end_at_their_room),
        cmocka_unit_test(test_this_machine_can_be_read),
    };
    return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
