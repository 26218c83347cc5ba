/* errors.c HOW — error directives at execution: warnings, then what HOW names (error_test.py).
 * "first": those that clang makes of places which are not known in full, as the program's first
 * calls of the runtime. "%...": an affinity format. "schedules", "pauses": arguments that the
 * runtimes take differently. */
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

static void format(const char* text)
{
    char buffer[100];
    const size_t length = omp_capture_affinity(buffer, sizeof buffer, text);
    printf("%zu %s\n", length, buffer);
}

static void schedules(void)
{
    const unsigned monotonic = 0x80000000U;
    const unsigned kinds[] = {2, 0, 3, 5, 4, 99, 2, monotonic | 7, monotonic | 2, monotonic | 4};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        omp_sched_t kind;
        int chunk = 0;
        omp_set_schedule((omp_sched_t)kinds[i], 7);
        omp_get_schedule(&kind, &chunk);
        printf("%x: %x %d\n", kinds[i], (unsigned)kind, chunk);
    }
}

static int own = 1;
#pragma omp threadprivate(own)

static void pauses(void)
{
    const int device = omp_get_initial_device();
    int inside = 0, sum = 0;
    printf("%d %d\n", omp_pause_resource((omp_pause_resource_t)0, device),
           omp_pause_resource_all((omp_pause_resource_t)3));
    printf("%d %d\n", omp_pause_resource(omp_pause_soft, 77),
           omp_pause_resource(omp_pause_hard, -6));
#pragma omp parallel num_threads(3)
    {
        own = 5;
#pragma omp barrier
#pragma omp single
        inside = omp_pause_resource_all(omp_pause_soft);
    }
    /* libomp's is paused already */
    const int outside = inside == 0 ? 0 : omp_pause_resource_all(omp_pause_soft);
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += own;
    printf("%d %d %d\n", inside, outside, sum);
}

int main(int count, char** words)
{
    const char* const how = count > 1 ? words[1] : "";
    atexit(at_end);
    printf("begun\n");
    if (strcmp(how, "first") == 0) {
        first();
    } else if (how[0] == '%') {
        format(how);
    } else if (strcmp(how, "schedules") == 0) {
        schedules();
    } else if (strcmp(how, "pauses") == 0) {
        pauses();
    } else {
        directives(how);
    }
    printf("ended\n");
    return 0;
}
