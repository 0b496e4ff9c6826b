/* The library behind a module, for the test that finds it. */
const char *variant_library_text(void);

__attribute__((visibility("default"))) const char *variant_library_text(void)
{
    return "variant";
}
