/* Alignments that are asked for hold for every copy. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static int off(const void* p, uintptr_t alignment)
{
    __asm__ volatile("" : "+r"(p));
    return ((uintptr_t)p & (alignment - 1)) != 0;
}
int main(void)
{
    int n = 5, bad = 0;
    int wide[100] __attribute__((aligned(256))) = {1};
    double line __attribute__((aligned(128))) = 2;
    int plain[n];
    memset(plain, 0, sizeof plain);
    plain[2] = 3;
#pragma omp parallel num_threads(3) firstprivate(wide) private(line) reduction(+ : bad)
    {
        line = 1;
        bad += off(wide, 256) + off(&line, 128) + (wide[0] != 1);
    }
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(wide, line) shared(bad)
        {
            const int found = off(wide, 256) + off(&line, 128) + (wide[0] != 1) + (line != 2);
#pragma omp atomic
            bad += found;
        }
    }
#pragma omp parallel sections firstprivate(wide) lastprivate(line) num_threads(2)
    {
#pragma omp section
        line = off(wide, 256) + off(&line, 128);
    }
    printf("%d %g %d\n", bad, line, plain[2]);
    return 0;
}
