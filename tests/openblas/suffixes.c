/* usage: suffixes LIBRARY..., under `artel run` with ARTEL_BLAS=true

   Libraries whose setter for Fortran may be taken for that for C (suffix.c): calls are counted, and
   both setters work. Prints "all right", or what is not. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned (*inside)(void);
static unsigned seen;

static void note(void)
{
    seen = inside();
}

static void* need(void* library, const char* name)
{
    void* found = dlsym(library, name);
    if (found == NULL) {
        puts(dlerror());
        exit(1);
    }
    return found;
}

static int is_right(const char* file)
{
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        puts(dlerror());
        return 0;
    }
    void (*calls[2])(void (*)(void)) = {need(library, "dsymm_64"), need(library, "cblas_dsymm64")};
    for (int i = 0; i < 2; ++i) {
        calls[i](note);
        if (seen != 1) {
            printf("%s: %u calls are counted\n", file, seen);
            return 0;
        }
    }
    void (*const set)(int) = need(library, "openblas_set_num_threads64");
    void (*const set_by_reference)(const int*) = need(library, "openblas_set_num_threads_64");
    int (*const get)(void) = need(library, "openblas_get_num_threads64");
    const int three = 3;
    set(2);
    const int after_set = get();
    set_by_reference(&three);
    if (after_set != 2 || get() != 3) {
        printf("%s: the limit is %d, then %d\n", file, after_set, get());
        return 0;
    }
    return 1;
}

int main(int count, char** files)
{
    inside = (unsigned (*)(void))need(RTLD_DEFAULT, "artel_openblas_inside");
    for (int i = 1; i < count; ++i)
        if (!is_right(files[i]))
            return 1;
    puts("all right");
    return 0;
}
