#include "system/cpuinfo.h"

#include "system/textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* x86 names first, then Arm's; names that both use stand once. */
static const char *const crypto_features[] = {
    "aes",     "pclmulqdq", "ssse3", "sse4_1",     "bmi2",       "adx",  "avx",    "avx2",
    "avx512f", "avx512vl",  "vaes",  "avx512ifma", "vpclmulqdq", "gfni", "sha_ni", "asimd",
    "pmull",   "sha1",      "sha2",  "sha3",       "sha512",     "sve",  "sve2",
};

/* Arm processors give numbers, not names. Source: MIDR_EL1 in each core's technical reference manual. */
static const struct arm_core {
    unsigned implementer, part;
    const char *name;
} arm_cores[] = {
    {0x41, 0xd03, "Cortex-A53"},   {0x41, 0xd05, "Cortex-A55"},   {0x41, 0xd07, "Cortex-A57"},
    {0x41, 0xd08, "Cortex-A72"},   {0x41, 0xd09, "Cortex-A73"},   {0x41, 0xd0a, "Cortex-A75"},
    {0x41, 0xd0b, "Cortex-A76"},   {0x41, 0xd0c, "Neoverse N1"},  {0x41, 0xd40, "Neoverse V1"},
    {0x41, 0xd41, "Cortex-A78"},   {0x41, 0xd44, "Cortex-X1"},    {0x41, 0xd49, "Neoverse N2"},
    {0x41, 0xd4f, "Neoverse V2"},  {0x61, 0x022, "Apple M1 (E)"}, {0x61, 0x023, "Apple M1 (P)"},
    {0x61, 0x032, "Apple M2 (E)"}, {0x61, 0x033, "Apple M2 (P)"}, {0xc0, 0xac3, "AmpereOne"},
};

/* One block of the file: the lines of one CPU. */
typedef struct block {
    cb_cpuinfo info;
    char plain[64]; /* the name under keys that only some architectures use */
    unsigned implementer, part;
    bool numbered;
} block;

static bool has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + n, word)) {
        if ((at == text || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static void keep_features(cb_cpuinfo *info, const char *flags)
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof crypto_features / sizeof crypto_features[0]; i++) {
        const char *name = crypto_features[i];
        const size_t n = strlen(name);
        if (!has_word(flags, name) || used + n + 2 > sizeof info->features) {
            continue;
        }
        if (used > 0) {
            info->features[used++] = ' ';
        }
        memcpy(info->features + used, name, n + 1);
        used += n;
    }
}

/* Hexadecimal with 0x, or decimal; false unless the whole text is a number. */
static bool parse_number(const char *text, unsigned *number)
{
    char *end = NULL;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || value > 0xffffffu) {
        return false;
    }
    *number = (unsigned)value;
    return true;
}

static void take_field(block *b, const char *key, const char *value)
{
    if (strcmp(key, "model name") == 0) {
        (void)snprintf(b->info.name, sizeof b->info.name, "%s", value);
    } else if (strcmp(key, "flags") == 0) {
        keep_features(&b->info, value);
        b->info.says_hypervisor = true;
        b->info.hypervisor = has_word(value, "hypervisor");
    } else if (strcmp(key, "Features") == 0) {
        keep_features(&b->info, value);
    } else if (strcmp(key, "CPU implementer") == 0) {
        b->numbered = parse_number(value, &b->implementer);
    } else if (strcmp(key, "CPU part") == 0) {
        b->numbered = parse_number(value, &b->part) && b->numbered;
    } else if (strcmp(key, "cpu") == 0 || strcmp(key, "uarch") == 0) {
        (void)snprintf(b->plain, sizeof b->plain, "%s", value);
    }
}

/* Cuts "key<tab>: value<newline>" into its two parts. */
static bool split_line(char *line, char **value)
{
    char *colon = strchr(line, ':');
    if (colon == NULL) {
        return false;
    }
    char *end = colon;
    while (end > line && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    *end = '\0';
    *value = colon + 1 + strspn(colon + 1, " \t");
    (*value)[strcspn(*value, "\n")] = '\0';
    return true;
}

static void name_arm_core(block *b)
{
    for (size_t i = 0; i < sizeof arm_cores / sizeof arm_cores[0]; i++) {
        if (arm_cores[i].implementer == b->implementer && arm_cores[i].part == b->part) {
            (void)snprintf(b->info.name, sizeof b->info.name, "%s", arm_cores[i].name);
            return;
        }
    }
    (void)snprintf(b->info.name, sizeof b->info.name, "aarch64 (implementer 0x%02x, part 0x%03x)",
                   b->implementer, b->part);
}

/* The block of the wanted CPU, or the first one. */
static void read_blocks(FILE *file, int cpu, block *b)
{
    char *line = NULL;
    size_t room = 0;
    unsigned blocks = 0;
    bool taking = true, found = false;
    while (getline(&line, &room, file) >= 0) {
        char *value = NULL;
        if (!split_line(line, &value)) {
            continue;
        }
        unsigned number = 0;
        if (strcmp(line, "processor") == 0 && parse_number(value, &number)) {
            if (found) {
                break;
            }
            found = cpu >= 0 && number == (unsigned)cpu;
            taking = found || blocks == 0;
            blocks++;
            if (found) {
                memset(b, 0, sizeof *b);
            }
        } else if (taking) {
            take_field(b, line, value);
        }
    }
    free(line);
}

void cb_cpuinfo_read(cb_cpuinfo *info, const char *root, int cpu)
{
    block b = {0};
    FILE *file = cb_textfile_open(root, "/proc/cpuinfo");
    if (file != NULL) {
        read_blocks(file, cpu, &b);
        (void)fclose(file);
    }
    if (b.info.name[0] == '\0' && b.numbered) {
        name_arm_core(&b);
    } else if (b.info.name[0] == '\0') {
        memcpy(b.info.name, b.plain, sizeof b.plain);
    }
    *info = b.info;
}
