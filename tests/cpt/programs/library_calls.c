#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
struct pair {
    int key;
    float w;
};
static int total;
static double table[16];
static bool check(const struct pair* restrict p, size_t n)
{
    bool ok = true;
#pragma omp parallel for simd reduction(&& : ok) if (parallel : n > 4) schedule(simd : static, 4)
    for (size_t i = 1; i < n; ++i)
        ok = ok && p[i - 1].key <= p[i].key;
    return ok;
}
static void histogram(const char* text, int count[26], const char* end)
{
#pragma omp parallel for reduction(+ : count[ : 26]) schedule(monotonic : dynamic, 3)
    for (const char* c = text; c < end; ++c)
        if (isalpha((unsigned char)*c))
            count[tolower((unsigned char)*c) - 'a']++;
}
int main(void)
{
    struct pair ps[32], best = {0, -1}, edge = {0};
    int count[26] = {0}, chunk = 2, where[3] = {-1, -1, -1}, firsts = 0, n = 32;
    const char text[] = "The quick brown fox jumps over the lazy dog";
    char line[32] = "";
    double x = 0, norm = 0;
#pragma omp parallel for lastprivate(edge, where) firstprivate(where) schedule(static, chunk)
    for (int i = 0; i < n; i++) {
        assert(i < n && "index");
        ps[i].key = i / 3;
        ps[i].w = sqrt((float)i);
        edge = ps[i];
        where[i % 3] = i;
    }
#pragma omp parallel shared(best)
    {
        struct pair mine = {0, -1};
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            if (ps[i].w > mine.w)
                mine = ps[i];
#pragma omp critical(best)
        if (mine.w > best.w)
            best = mine;
#pragma omp for private(total)
        for (int i = 0; i < 16; i++) {
            total = i;
            table[i] = total * 0.5;
        }
#pragma omp single
        {
            errno = 0;
            snprintf(line, sizeof line, "%s%d", __func__, (int)sizeof(line));
            memset(where, 0, sizeof where);
        }
#pragma omp for reduction(+ : norm) schedule(auto)
        for (int i = 0; i < 16; i++)
            norm += pow(table[i], 2);
#pragma omp sections nowait
        {
#pragma omp section
            x = fabs(-2.5);
        }
#pragma omp for schedule(nonmonotonic : guided)
        for (uint8_t i = 0; i < 10; i++)
#pragma omp atomic
            firsts += i;
    }
    histogram(text, count, text + strlen(text));
    printf("%d %.2f %d %.2f %s %.2f %.1f %d %d %d %d\n", best.key, best.w, edge.key, edge.w, line,
           norm, x, firsts, count['o' - 'a'], check(ps, 32), total);
    return 0;
}
