#include "cli/words.h"

#include "cli/quote.h"

/* Room for one more item behind n: lists have no capacity of their own and double at each power of two. The
 * answer is the list's new address; NULL when out of memory, and then the old one still holds. */
static void *grown(void *items, size_t n, size_t item_bytes)
{
    if ((n & (n - 1)) != 0)
        return items;
    return reallocarray(items, n == 0 ? 1 : 2 * n, item_bytes);
}

static cb_status no_memory(cb_err *err)
{
    return cb_fail(err, CB_OUT_OF_MEMORY, "out of memory for the command line");
}

cb_status cb_words_add(cb_words *words, const char *text, size_t n, cb_err *err)
{
    char **items = grown(words->items, words->n, sizeof *items);
    if (items == NULL)
        return no_memory(err);
    words->items = items;
    char *copy = strndup(text, n);
    if (copy == NULL)
        return no_memory(err);
    items[words->n++] = copy;
    return CB_OK;
}

cb_status cb_words_split(cb_words *words, const char *option, const char *text, cb_err *err)
{
    char quoted[CB_QUOTE_BYTES];
    for (const char *item = text;; item++) {
        size_t n = strcspn(item, ",");
        if (n == 0)
            return cb_fail(err, CB_BAD_ARGUMENT, "--%s: %s has an empty item", option,
                           cb_quote(text, quoted));
        if (n == 1 && *item == '^')
            return cb_fail(err, CB_BAD_ARGUMENT, "--%s: %s has a ^ with no name behind it", option,
                           cb_quote(text, quoted));
        cb_status status = cb_words_add(words, item, n, err);
        if (status != CB_OK)
            return status;
        item += n;
        if (*item == '\0')
            return CB_OK;
    }
}

typedef struct placed {
    char *text;
    size_t place;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left;
    const placed *b = right;
    int order = strcmp(a->text, b->text);
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

/* sorted: the same items by text, then by place. */
static void drop_repeated(cb_words *words, const placed *sorted)
{
    for (size_t i = words->n - 1; i > 0; i--)
        if (strcmp(sorted[i].text, sorted[i - 1].text) == 0) {
            free(sorted[i].text);
            words->items[sorted[i].place] = NULL;
        }
    size_t kept = 0;
    for (size_t i = 0; i < words->n; i++)
        if (words->items[i] != NULL)
            words->items[kept++] = words->items[i];
    words->n = kept;
}

cb_status cb_words_unique(cb_words *words, cb_err *err)
{
    if (words->n < 2)
        return CB_OK;
    placed *sorted = calloc(words->n, sizeof *sorted);
    if (sorted == NULL)
        return no_memory(err);
    for (size_t i = 0; i < words->n; i++)
        sorted[i] = (placed){words->items[i], i};
    qsort(sorted, words->n, sizeof *sorted, compare_placed);
    drop_repeated(words, sorted);
    free(sorted);
    return CB_OK;
}

void cb_words_free(cb_words *words)
{
    for (size_t i = 0; i < words->n; i++)
        free(words->items[i]);
    free(words->items);
    *words = (cb_words){0};
}

cb_status cb_sizes_add(cb_size_list *sizes, size_t bytes, cb_err *err)
{
    size_t *items = grown(sizes->items, sizes->n, sizeof *items);
    if (items == NULL)
        return no_memory(err);
    sizes->items = items;
    items[sizes->n++] = bytes;
    return CB_OK;
}

static int compare_sizes(const void *left, const void *right)
{
    size_t a = *(const size_t *)left;
    size_t b = *(const size_t *)right;
    return (a > b) - (a < b);
}

void cb_sizes_unique(cb_size_list *sizes)
{
    if (sizes->n < 2)
        return;
    qsort(sizes->items, sizes->n, sizeof *sizes->items, compare_sizes);
    size_t kept = 1;
    for (size_t i = 1; i < sizes->n; i++)
        if (sizes->items[i] != sizes->items[kept - 1])
            sizes->items[kept++] = sizes->items[i];
    sizes->n = kept;
}

void cb_sizes_free(cb_size_list *sizes)
{
    free(sizes->items);
    *sizes = (cb_size_list){0};
}
