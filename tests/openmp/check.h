/* What the programs in this folder share. They are compiled by the system's gcc -fopenmp against
   its own libgomp and know nothing of Artel. Each prints what must not depend on the runtime or the
   number of threads, and returns 0 if all checks held. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;

static void failed(const char* file, int line, const char* what)
{
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
    if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) > 20)
        _exit(1);
}

#define CHECK(condition) ((condition) ? (void)0 : failed(__FILE__, __LINE__, #condition))

static inline int finish(const char* name)
{
    printf("%s: %s\n", name, failures == 0 ? "good" : "BAD");
    return failures != 0;
}
