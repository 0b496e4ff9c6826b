/* Which hypervisor, if any, this system runs under. Vendor names only, never serial numbers. */
#ifndef CB_SYSTEM_HYPERVISOR_H
#define CB_SYSTEM_HYPERVISOR_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the firmware or the kernel names a hypervisor; name gets the vendor's word for it ("KVM", "Amazon
 * EC2"), or "". Firmware vendors also make whole machines, so where the processor itself tells a virtual one
 * from a real one, its word goes first and this one only adds the name. root: see cb_textfile_open(). */
bool cb_hypervisor_read(char *name, size_t size, const char *root);

/* Asks the processor itself (CPUID leaf 0x40000000); name gets "" where it does not answer. Only of use in a
 * virtual machine. */
void cb_hypervisor_ask(char *name, size_t size);

#endif
