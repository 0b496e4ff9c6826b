#include "cli/nearest.h"

#include <stdbool.h>

#define NAME_MAX_BYTES 48

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Three rows of the distance table suffice: a swap looks two rows back. name_n <= NAME_MAX_BYTES. */
static size_t edit_distance(const char *word, size_t word_n, const char *name, size_t name_n)
{
    size_t rows[3][NAME_MAX_BYTES + 1];
    for (size_t j = 0; j <= name_n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= word_n; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= name_n; j++) {
            size_t replaced = above[j - 1] + (word[i - 1] != name[j - 1]);
            row[j] = smaller(replaced, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && word[i - 1] == name[j - 2] && word[i - 2] == name[j - 1])
                row[j] = smaller(row[j], above2[j - 2] + 1);
        }
    }
    return rows[word_n % 3][name_n];
}

cb_nearest cb_nearest_start(const char *word)
{
    size_t n = strlen(word);
    /* One more than the limit; a word may not be replaced as a whole. */
    size_t limit = smaller((n + 2) / 3 + 1, n);
    return (cb_nearest){.word = word, .word_n = n, .distance = limit};
}

void cb_nearest_offer(cb_nearest *nearest, const char *name, size_t n)
{
    size_t word_n = nearest->word_n;
    if (n > NAME_MAX_BYTES || word_n > n + nearest->distance)
        return;
    bool begun = word_n >= 2 && word_n < n && memcmp(nearest->word, name, word_n) == 0;
    size_t distance = begun ? 0 : edit_distance(nearest->word, word_n, name, n);
    if (distance < nearest->distance) {
        nearest->name = name;
        nearest->name_n = n;
        nearest->distance = distance;
    }
}

const char *cb_nearest_hint(const cb_nearest *nearest, const char *prefix, char hint[CB_NEAREST_HINT_BYTES])
{
    hint[0] = '\0';
    if (nearest->name != NULL)
        (void)snprintf(hint, CB_NEAREST_HINT_BYTES, "; did you mean %s%.*s?", prefix, (int)nearest->name_n,
                       nearest->name);
    return hint;
}
