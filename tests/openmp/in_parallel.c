/* References to omp_in_parallel without a version: libraries with a weak one are told no inside
   regions, all others the truth. The arguments are the libraries made of in_parallel_part.c, first
   the one whose reference is not weak. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <omp.h>

typedef int question(void);

static question* load(const char* path)
{
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return (question*)dlsym(library, "answer");
}

int main(int count, char** arguments)
{
    CHECK(count == 3);
    question* const strong = load(arguments[1]);
    question* const weak = load(arguments[2]);
    question* const found = (question*)dlsym(RTLD_DEFAULT, "omp_in_parallel");
    CHECK(found != NULL);
    for (int round = 0; round < 3; round++) {
        CHECK(strong() == 0 && weak() == 0 && found() == 0 && omp_in_parallel() == 0);
#pragma omp parallel num_threads(4)
        {
            CHECK(strong() == 1);
            CHECK(weak() == 0);
            CHECK(found() == 1);
            CHECK(omp_in_parallel() == 1);
        }
    }
    return finish("in_parallel");
}
