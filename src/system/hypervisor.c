#include "system/hypervisor.h"

#include "system/textfile.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* Firmware vendors that only virtual machines have. A cloud that also rents whole machines names them in the
 * product: "c7g.metal". */
static const struct vendor {
    const char *part;
    const char *name;
} vendors[] = {
    {"QEMU", "QEMU"},
    {"Amazon EC2", "Amazon EC2"},
    {"Google", "Google Compute Engine"},
    {"VMware", "VMware"},
    {"Xen", "Xen"},
    {"innotek", "VirtualBox"},
    {"Parallels", "Parallels"},
    {"OpenStack", "OpenStack"},
    {"Alibaba Cloud", "Alibaba Cloud"},
    {"DigitalOcean", "DigitalOcean"},
    {"Hetzner", "Hetzner"},
};

/* Vendors of both real and virtual machines: the product decides. */
static const struct product {
    const char *part;
    const char *name;
} products[] = {
    {"Virtual Machine", "Hyper-V"},
    {"Apple Virtualization", "Apple Virtualization"},
    {"KVM", "KVM"},
};

static const struct clock_owner {
    const char *clock;
    const char *name;
} clock_owners[] = {
    {"kvm-clock", "KVM"},
    {"hyperv", "Hyper-V"},
    {"xen", "Xen"},
};

static const char *vendor_name(const char *root)
{
    char vendor[64], product[64];
    (void)cb_textfile_line(root, "/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor);
    (void)cb_textfile_line(root, "/sys/class/dmi/id/product_name", product, sizeof product);
    if (strstr(product, ".metal") != NULL) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        if (strstr(product, products[i].part) != NULL) {
            return products[i].name;
        }
    }
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++) {
        if (strstr(vendor, vendors[i].part) != NULL) {
            return vendors[i].name;
        }
    }
    return NULL;
}

static const char *clock_owner_name(const char *root)
{
    char clocks[128];
    (void)cb_textfile_line(root, "/sys/devices/system/clocksource/clocksource0/available_clocksource", clocks,
                           sizeof clocks);
    for (size_t i = 0; i < sizeof clock_owners / sizeof clock_owners[0]; i++) {
        if (strstr(clocks, clock_owners[i].clock) != NULL) {
            return clock_owners[i].name;
        }
    }
    return NULL;
}

bool cb_hypervisor_read(char *name, size_t size, const char *root)
{
    const char *found = vendor_name(root);
    if (found == NULL) {
        found = clock_owner_name(root);
    }
    if (found != NULL) {
        (void)snprintf(name, size, "%s", found);
        return true;
    }
    if (cb_textfile_line(root, "/sys/hypervisor/type", name, size)) {
        return true;
    }
    return cb_textfile_line(root, "/proc/device-tree/hypervisor/compatible", name, size);
}

#if defined(__x86_64__) || defined(__i386__)

static const struct signature {
    const char *text; /* the twelve bytes in EBX, ECX, EDX */
    const char *name;
} signatures[] = {
    {"KVMKVMKVM", "KVM"},    {"Microsoft Hv", "Hyper-V"},  {"VMwareVMware", "VMware"},
    {"XenVMMXenVMM", "Xen"}, {"TCGTCGTCGTCG", "QEMU TCG"}, {"bhyve bhyve ", "bhyve"},
};

void cb_hypervisor_ask(char *name, size_t size)
{
    unsigned eax = 0, words[3] = {0};
    __cpuid(0x40000000, eax, words[0], words[1], words[2]);
    char text[sizeof words + 1] = {0};
    memcpy(text, words, sizeof words);
    name[0] = '\0';
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        if (strcmp(text, signatures[i].text) == 0) {
            (void)snprintf(name, size, "%s", signatures[i].name);
        }
    }
}

#else

void cb_hypervisor_ask(char *name, size_t size)
{
    (void)size;
    name[0] = '\0';
}

#endif
