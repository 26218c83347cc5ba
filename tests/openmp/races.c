/* races.c — for race_test.py, compiled with ThreadSanitizer: `./races KIND` has one race, between
 * members, tasks or teams. */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Both sides must run on threads of their own to be seen, so the first one lasts until the other
 * has begun; which is no synchronisation that the detector knows. */
static volatile int begun;

static void meet(void)
{
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 5000 && __atomic_load_n(&begun, __ATOMIC_RELAXED) < 2; i++)
        usleep(1000);
}

int main(int argc, char** argv)
{
    const char* const kind = argc > 1 ? argv[1] : "";
    int shared = 0;
    if (strcmp(kind, "members") == 0) {
#pragma omp parallel num_threads(2)
        {
            meet();
            shared++;
        }
    } else if (strcmp(kind, "tasks") == 0) {
#pragma omp parallel num_threads(2)
#pragma omp single
        for (int i = 0; i < 2; i++) {
#pragma omp task shared(shared)
            {
                meet();
                shared++;
            }
        }
    } else if (strcmp(kind, "teams") == 0) {
#pragma omp teams num_teams(2)
        {
            meet();
            shared++;
        }
    } else {
        return 2;
    }
    printf("races: done\n");
    return 0;
}
