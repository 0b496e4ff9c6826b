#include "report/units.h"

#include <math.h>
#include <stdio.h>

typedef struct unit {
    const char *name;
    double scale; /* of the base unit */
} unit;

static const unit time_units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
static const unit throughput_units[] = {
    {"B/s", 1}, {"KiB/s", 1024.0}, {"MiB/s", 1048576.0}, {"GiB/s", 1073741824.0}};
static const unit operation_units[] = {{"op/s", 1}, {"kop/s", 1e3}, {"Mop/s", 1e6}, {"Gop/s", 1e9}};
#define N_UNITS 4

/* Decimals that leave `digits` significant ones; the bounds are where rounding adds a digit in front. */
static int decimals_for(double value, int digits)
{
    int decimals = digits - 1;
    double bound = 10;
    while (decimals > 0 && value >= bound * (1 - 0.5 * pow(10, -digits))) {
        bound *= 10;
        decimals--;
    }
    return decimals;
}

/* The largest unit in which the value is at least one after rounding. */
static const unit *unit_for(const unit *units, double value, int digits)
{
    const unit *chosen = &units[0];
    for (size_t i = 1; i < N_UNITS; i++)
        if (value >= units[i].scale * (1 - 0.5 * pow(10, -digits)))
            chosen = &units[i];
    return chosen;
}

static void write_scaled(char *cell, const unit *units, double value, int digits)
{
    const unit *chosen = unit_for(units, value, digits);
    double scaled = value / chosen->scale;
    (void)snprintf(cell, CB_CELL_BYTES, "%.*f %s", decimals_for(scaled, digits), scaled, chosen->name);
}

void cb_units_time(char cell[CB_CELL_BYTES], double ns)
{
    write_scaled(cell, time_units, ns, 4);
}

void cb_units_throughput(char cell[CB_CELL_BYTES], double bytes_per_s)
{
    write_scaled(cell, throughput_units, bytes_per_s, 3);
}

void cb_units_operations(char cell[CB_CELL_BYTES], double per_s)
{
    write_scaled(cell, operation_units, per_s, 3);
}

void cb_units_percent(char cell[CB_CELL_BYTES], double fraction)
{
    if (!isfinite(fraction)) {
        (void)snprintf(cell, CB_CELL_BYTES, "? %%");
        return;
    }
    double percent = fraction * 100;
    int decimals = percent < 1 ? 2 : percent < 10 ? 1 : 0;
    double step = pow(10, decimals);
    /* Without the allowance, 0.1 % that arrives as 0.1000000001 % would be rounded up to 0.11 %. */
    double rounded = ceil(fmax(percent * step - 1e-6, 0)) / step;
    if (rounded > 999)
        (void)snprintf(cell, CB_CELL_BYTES, ">999 %%");
    else
        (void)snprintf(cell, CB_CELL_BYTES, "%.*f %%", decimals, rounded);
}

void cb_units_size(char cell[CB_CELL_BYTES], size_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB"};
    size_t i = 0;
    while (i < 3 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    (void)snprintf(cell, CB_CELL_BYTES, "%zu %s", bytes, names[i]);
}

void cb_units_factor(char cell[CB_CELL_BYTES], double factor)
{
    int decimals = factor < 1.0995 ? 3 : factor < 9.995 ? 2 : factor < 99.95 ? 1 : 0;
    (void)snprintf(cell, CB_CELL_BYTES, "%.*fx", decimals, factor);
}
