/* errors.c HOW — error directives at execution: warnings, then what HOW names (error_test.py).
 * "first": those that clang makes of places which are not known in full, as the program's first
 * calls of the runtime. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void at_end(void)
{
    fputs("at end\n", stderr);
}

#ifdef __clang__
typedef struct {
    int reserved, flags, more[2];
    const char* source;
} place;
void __kmpc_error(place*, int severity, const char* message);

static void first(void)
{
    static const char* const sources[] = {
        ";a;b;", "", ";", ";;;;", ";a;b;12", ";a;b;12;x7;;", ";a;b;-3; 7x;;", ";/p/f.c;main;12;7;;",
    };
    for (unsigned i = 0; i < sizeof sources / sizeof *sources; ++i) {
        place at = {0, 2, {0, 0}, sources[i]};
        __kmpc_error(&at, 1, "of no place");
    }
    __kmpc_error(NULL, 1, NULL);
}
#else
static void first(void) {}
#endif

__attribute__((noinline)) static void directives(const char* how)
{
#pragma omp error at(execution) severity(warning) message("careful: {} %d")
#pragma omp error at(execution) severity(warning)
    if (strcmp(how, "fatal") == 0) {
#pragma omp error at(execution) severity(fatal) message("deadly")
    } else if (strcmp(how, "silent") == 0) {
#pragma omp error at(execution)
    } else if (strcmp(how, "member") == 0) {
#pragma omp parallel num_threads(3)
        if (omp_get_thread_num() == 2) {
#pragma omp error at(execution) message("of a member")
        }
    }
}

int main(int count, char** words)
{
    const char* const how = count > 1 ? words[1] : "";
    atexit(at_end);
    printf("begun\n");
    if (strcmp(how, "first") == 0) {
        first();
    } else {
        directives(how);
    }
    printf("ended\n");
    return 0;
}
