#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/units.h"

#include <math.h>

#define CHECK(function, value, expected)                                                                     \
    do {                                                                                                     \
        char cell[CB_CELL_BYTES];                                                                            \
        function(cell, value);                                                                               \
        assert_string_equal(cell, expected);                                                                 \
    } while (0)

static void times_have_four_digits(void **state)
{
    (void)state;
    CHECK(cb_units_time, 0.0, "0.000 ns");
    CHECK(cb_units_time, 0.1234, "0.123 ns");
    CHECK(cb_units_time, 1.23456, "1.235 ns");
    CHECK(cb_units_time, 9.9994, "9.999 ns");
    CHECK(cb_units_time, 9.9996, "10.00 ns");
    CHECK(cb_units_time, 112.34, "112.3 ns");
    CHECK(cb_units_time, 999.94, "999.9 ns");
    CHECK(cb_units_time, 999.96, "1.000 us");
    CHECK(cb_units_time, 999960.0, "1.000 ms");
    CHECK(cb_units_time, 12345678.0, "12.35 ms");
    CHECK(cb_units_time, 2.5e9, "2.500 s");
    CHECK(cb_units_time, 1.234e13, "12340 s");
}

static void percents_are_rounded_up(void **state)
{
    (void)state;
    CHECK(cb_units_percent, 0.0, "0.00 %");
    CHECK(cb_units_percent, 0.001, "0.10 %");
    CHECK(cb_units_percent, 0.001001, "0.11 %");
    CHECK(cb_units_percent, 0.005, "0.50 %");
    CHECK(cb_units_percent, 0.0123, "1.3 %");
    CHECK(cb_units_percent, 0.121, "13 %");
    CHECK(cb_units_percent, 1.5, "150 %");
    CHECK(cb_units_percent, 99.0, ">999 %");
    CHECK(cb_units_percent, (double)NAN, "? %");
    CHECK(cb_units_percent, (double)INFINITY, "? %");
}

static void sizes_stay_exact(void **state)
{
    (void)state;
    CHECK(cb_units_size, 0u, "0 B");
    CHECK(cb_units_size, 64u, "64 B");
    CHECK(cb_units_size, 1023u, "1023 B");
    CHECK(cb_units_size, 1024u, "1 KiB");
    CHECK(cb_units_size, 1500u, "1500 B");
    CHECK(cb_units_size, 16384u, "16 KiB");
    CHECK(cb_units_size, 104857600u, "100 MiB");
    CHECK(cb_units_size, (size_t)5 << 30, "5 GiB");
    CHECK(cb_units_size, SIZE_MAX, "18446744073709551615 B");
}

static void throughput_counts_in_powers_of_1024(void **state)
{
    (void)state;
    CHECK(cb_units_throughput, 100.0, "100 B/s");
    CHECK(cb_units_throughput, 2048.0, "2.00 KiB/s");
    CHECK(cb_units_throughput, 543.2 * 1048576, "543 MiB/s");
    CHECK(cb_units_throughput, 1023.4 * 1048576, "1023 MiB/s");
    CHECK(cb_units_throughput, 1023.9 * 1048576, "1.00 GiB/s");
    CHECK(cb_units_throughput, 12.34 * 1073741824, "12.3 GiB/s");
}

static void operations_count_in_powers_of_1000(void **state)
{
    (void)state;
    CHECK(cb_units_operations, 0.4, "0.40 op/s");
    CHECK(cb_units_operations, 812.0, "812 op/s");
    CHECK(cb_units_operations, 999.7, "1.00 kop/s");
    CHECK(cb_units_operations, 11.3e6, "11.3 Mop/s");
}

static void factors_near_one_keep_three_decimals(void **state)
{
    (void)state;
    CHECK(cb_units_factor, 1.0061, "1.006x");
    CHECK(cb_units_factor, 1.0994, "1.099x");
    CHECK(cb_units_factor, 1.0996, "1.10x");
    CHECK(cb_units_factor, 1.7249, "1.72x");
    CHECK(cb_units_factor, 9.996, "10.0x");
    CHECK(cb_units_factor, 172.4, "172x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_four_digits),
        cmocka_unit_test(percents_are_rounded_up),
        cmocka_unit_test(sizes_stay_exact),
        cmocka_unit_test(throughput_counts_in_powers_of_1024),
        cmocka_unit_test(operations_count_in_powers_of_1000),
        cmocka_unit_test(factors_near_one_keep_three_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
