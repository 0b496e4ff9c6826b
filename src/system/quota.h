/* The share of CPU time that control groups leave to this process. */
#ifndef CB_SYSTEM_QUOTA_H
#define CB_SYSTEM_QUOTA_H

/* CPUs' worth of time: 0.5 is half a CPU. The tightest limit of this process's group and the groups above it,
 * in either version of control groups; NaN when there is no limit or none can be read. root: see
 * cb_textfile_open(). */
double cb_quota_read(const char *root);

#endif
