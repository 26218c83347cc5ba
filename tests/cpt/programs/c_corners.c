#include <errno.h>
#include <math.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int (*cmp)(const void*, const void*);
static int less(const void* a, const void* b)
{
    return *(const int*)a - *(const int*)b;
}
static int apply(int (*f)(int), int v)
{
    return f(v);
}
static int twice(int v)
{
    return 2 * v;
}
static _Atomic int at;
static atomic_long al = 3;
struct flex {
    int n;
    int data[];
};
static inline int rec(int n)
{
    int r = 0;
    if (n <= 0)
        return 1;
#pragma omp parallel num_threads(2) reduction(+ : r)
    r += n > 1 ? rec(n - 2) : 1;
    return r;
}
typedef float v4 __attribute__((vector_size(16)));
int main(int argc, char* argv[])
{
    alignas(64) double al64[8];
    v4 vec = {1, 2, 3, 4};
    struct flex* fl = malloc(sizeof *fl + 12);
    fl->n = 3;
    __int128 wide = 1;
    _Bool flag = 0;
    uint8_t bytes[3] = {250, 251, 252};
    double cplx = 0;
    _Complex double c = 2;
    double* re = &__real__ c;
    int (*fn)(int) = twice, (*fns[2])(int) = {twice, twice};
    cmp compare = less;
    int sorted[4][5], bad = 0, *null = NULL;
    const char *s = "str", *const t = "tt";
    wchar_t wc = L'x';
    long double ld = 1.5L;
    union {
        int i;
        char c[4];
    } un = {.i = 0x41424344};
    int mat[2][3] = {{1, 2, 3}, {4, 5, 6}}, (*row)[3] = mat, **pp = (int*[]){mat[0], mat[1]};
#pragma omp parallel num_threads(3) reduction(+ : bad, cplx)
    {
        bad += ((uintptr_t)al64 & 63) != 0;
#pragma omp for
        for (int i = 0; i < 8; i++)
            al64[i] = i + vec[i % 4] + (double)ld;
        at++;
        al += 2;
        atomic_fetch_add(&at, 1);
#pragma omp for
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 5; j++)
                sorted[i][j] = (j * 7 + i) % 5;
            qsort(sorted[i], 5, sizeof(int), compare);
        }
#pragma omp single
        {
            fl->data[0] = fn(4);
            fl->data[1] = fns[1](5);
            fl->data[2] = apply(fn, 6);
            wide <<= 100;
            flag = !flag;
            *re = 4;
            un.c[0] = 'z';
        }
#pragma omp for firstprivate(vec, bytes) private(flag)
        for (int i = 0; i < 3; i++) {
            vec += (v4){1, 1, 1, 1};
            cplx += vec[0] > 1;
            bytes[i]++;
            bad += bytes[i] != 251 + i;
        }
        cplx += row[1][2] + pp[1][0] + (null == NULL) + (s[1] == t[0]) + (wc == L'x');
#pragma omp critical
        bad += __builtin_types_compatible_p(__typeof__(mat), int[2][3]) ? 0 : 1;
        bad += _Generic((ld), long double: 0, default: 1) + (int)(sizeof(mat) != 24) +
               (int)(_Alignof(al64) != 64);
    }
    printf("%d %g %g %d %ld %d %d %d %d %d %g %c %d %d\n", bad, cplx, al64[7], at, (long)al,
           fl->data[0], fl->data[1], fl->data[2], (int)(wide >> 98), flag, __real__ c, un.c[0],
           sorted[3][4], rec(0));
    return argc > 5;
}
