#include "system/quota.h"

#include "system/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_BYTES 512

/* A positive number at the start of text, or NaN ("max" and -1 mean no limit). */
static double parse_time(const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    return end != text && isfinite(value) && value > 0 ? value : NAN;
}

/* Version 2: "50000 100000" or "max 100000". */
static double quota_unified(const char *root, const char *group)
{
    char path[GROUP_BYTES + 32], line[64];
    (void)snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    if (!cb_textfile_line(root, path, line, sizeof line)) {
        return NAN;
    }
    const char *period = strchr(line, ' ');
    return period != NULL ? parse_time(line) / parse_time(period) : NAN;
}

/* Version 1: two files. */
static double quota_legacy(const char *root, const char *group)
{
    char path[GROUP_BYTES + 48], quota[32], period[32];
    (void)snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/cpu.cfs_quota_us", group);
    (void)cb_textfile_line(root, path, quota, sizeof quota);
    (void)snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/cpu.cfs_period_us", group);
    (void)cb_textfile_line(root, path, period, sizeof period);
    return parse_time(quota) / parse_time(period);
}

/* The tightest limit from group up to the root. Inside a container the file may name a group of the host that
 * is not mounted here; the walk still ends at the container's own. */
static double quota_upwards(const char *root, char *group, double (*quota)(const char *, const char *))
{
    double least = NAN;
    for (;;) {
        least = fmin(least, quota(root, group)); /* fmin prefers the number to the NaN */
        char *slash = strrchr(group, '/');
        if (slash == NULL) {
            return least;
        }
        *slash = '\0';
    }
}

/* Whether the comma-separated list of controllers holds "cpu". */
static bool controls_cpu(const char *list)
{
    while (*list != '\0') {
        const size_t n = strcspn(list, ",");
        if (n == 3 && memcmp(list, "cpu", 3) == 0) {
            return true;
        }
        list += n + (list[n] == ',');
    }
    return false;
}

/* One line of /proc/self/cgroup: "<hierarchy>:<controllers>:<group>". */
static double quota_of_line(const char *root, char *line)
{
    char *controllers = strchr(line, ':');
    char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL || strlen(group) >= GROUP_BYTES) {
        return NAN;
    }
    *controllers++ = '\0';
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (strcmp(line, "0") == 0 && controllers[0] == '\0') {
        return quota_upwards(root, group, quota_unified);
    }
    return controls_cpu(controllers) ? quota_upwards(root, group, quota_legacy) : NAN;
}

double cb_quota_read(const char *root)
{
    double least = NAN;
    FILE *file = cb_textfile_open(root, "/proc/self/cgroup");
    if (file != NULL) {
        char *line = NULL;
        size_t room = 0;
        while (getline(&line, &room, file) >= 0) {
            least = fmin(least, quota_of_line(root, line));
        }
        free(line);
        (void)fclose(file);
    }
    return least;
}
