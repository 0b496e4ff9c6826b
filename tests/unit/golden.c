#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"

#include <stdbool.h>

static void rewrite(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* The terminated content; the caller frees it. */
static char *read_whole(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s: not found", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long end = ftell(file);
    assert_true(end >= 0);
    *n = (size_t)end;
    char *bytes = malloc(*n + 1);
    assert_non_null(bytes);
    rewind(file);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    bytes[*n] = '\0';
    assert_int_equal(fclose(file), 0);
    return bytes;
}

void golden_check(const char *path, const char *bytes, size_t n)
{
    const char *update = getenv("CB_GOLDEN_UPDATE");
    if (update != NULL && strcmp(update, "1") == 0)
        rewrite(path, bytes, n);
    size_t expected_n;
    char *expected = read_whole(path, &expected_n);
    size_t same = 0;
    while (same < n && same < expected_n && bytes[same] == expected[same])
        same++;
    bool equal = same == n && same == expected_n;
    if (!equal)
        print_error("%s differs from byte %zu on; the report is:\n%.*s\n", path, same, (int)n, bytes);
    free(expected);
    assert_true(equal);
}
