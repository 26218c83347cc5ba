/* Hints change how many threads a region has and who runs what, and nothing else. */
#include <omp.h>
#include <stdio.h>

enum { few = 2, n = 1000 };

#define BOUNDED _Pragma("cp max_threads(2)") _Pragma("omp parallel for reduction(+ : sum)")

static long sum_of(const int* a, int length, int most)
{
    long sum = 0;
#pragma cp max_threads(most) partitioner(simple)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < length; i++)
        sum += a[i];
    return sum;
}

int main(void)
{
    int a[n], times[n] = {0}, wrong = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    printf("%ld %ld\n", sum_of(a, n, 3), sum_of(a, n, few));

#pragma cp min_threads(6) max_threads(few + 5)
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < n; i++)
        times[i]++;

    long sum = 0;
    BOUNDED
    for (int i = 0; i < n; i++)
        sum += a[i] * times[i];
    printf("%ld\n", sum);

    /* Zones of an outer region, with inner regions in each of them. */
    int zone[4] = {0};
#pragma cp streams(2)
#pragma omp parallel for num_threads(4)
    for (int z = 0; z < 4; z++) {
        int part = 0, mine = z + 1;
#pragma cp streams(mine), max_threads(8)
#pragma omp parallel for reduction(+ : part) schedule(runtime)
        for (int i = 0; i < 100; i++)
            part += i * z;
        zone[z] = part;
    }
    printf("%d %d %d %d\n", zone[0], zone[1], zone[2], zone[3]);

    /* Among loops: what follows the hint is not in the hint's line. */
#pragma omp parallel num_threads(3)
    {
#pragma cp partitioner(static)
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < n; i++)
            times[i]++;
#pragma cp partitioner(auto)
#pragma omp for
        for (int i = 0; i < n; i++)
            if (a[i] != i)
#pragma omp atomic
                wrong++;
    }
    for (int i = 0; i < n; i++)
        wrong += times[i] != 2;

    /* A region that asks for a number gets no more, and one whose `if` is false gets one thread. */
    int most = 0;
#pragma cp min_threads(16)
#pragma omp parallel num_threads(3) reduction(max : most)
    most = omp_get_num_threads();
    wrong += most > 3;
#pragma cp min_threads(4)
#pragma omp parallel if (0) reduction(max : most)
    most = omp_get_num_threads();
    printf("%d %d\n", most, wrong);
    return 0;
}
