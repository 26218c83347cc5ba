/* Times one of the recursive kernels with so many threads: main KERNEL THREADS [RUNS [EXPONENT]].
 * Prints a line of seconds for each run, after one that is not counted. Exit status 1: a result was
 * wrong. */
#include "../measure/measure.h"
#include "tasks.h"

static const struct kernel* chosen;
static int runs = 3;
static int wrong;

static void measure(void)
{
    for (int r = -1; r < runs; ++r) {
        const double begin = measure_now();
        chosen->run();
        const double seconds = measure_now() - begin;
        if (!chosen->is_right()) {
            fprintf(stderr, "%s: the result is wrong\n", chosen->name);
            wrong = 1;
        }
        if (r >= 0) {
            printf("%.6f\n", seconds);
            fflush(stdout);
        }
    }
}

int main(int argc, char** argv)
{
    static const struct kernel* const all[] = {&fft, &uts, &sort, &strassen};
    for (int i = 0; i < 4 && argc > 2; ++i) {
        if (strcmp(argv[1], all[i]->name) == 0) {
            chosen = all[i];
        }
    }
    const int threads = argc > 2 ? atoi(argv[2]) : 0;
    runs = argc > 3 ? atoi(argv[3]) : runs;
    if (chosen == NULL || threads < 1 || runs < 1) {
        fprintf(stderr, "usage: %s fft|uts|sort|strassen THREADS [RUNS [EXPONENT OF THE SIZE]]\n",
                argv[0]);
        return 2;
    }
    chosen->prepare(argc > 4 ? atoi(argv[4]) : 0);
    with_threads(threads, measure);
    return wrong;
}
