#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
struct soa {
    double *x, *y;
    int n;
    struct {
        short a[3];
        union {
            int i;
            float f;
        } u;
    } in[4];
};
typedef int (*op)(int, int);
static int add(int a, int b)
{
    return a + b;
}
static int mul(int a, int b)
{
    return a * b;
}
static op table[] = {add, mul};
enum color { RED = 1, GREEN, BLUE };
struct pt {
    float x, y;
};
#pragma omp declare reduction(ptadd : struct pt : omp_out.x += omp_in.x, omp_out.y += omp_in.y) \
    initializer(omp_priv = {0, 0})
#pragma omp declare reduction(cmul : double complex : omp_out *= omp_in) initializer(omp_priv = 1)
#pragma omp declare reduction(bigger : int, long : omp_out = omp_out > omp_in ? omp_out : omp_in) \
    initializer(omp_priv = omp_orig)
int main(void)
{
    double xs[50], ys[50];
    struct soa s = {xs, ys, 50, {{{0}}}};
    const op ops[2] = {mul, add};
    op which = add;
    enum color c = BLUE;
    bool all = true, any = false;
    struct pt acc = {1, 2}, arr[3] = {{0}};
    double complex z = 1;
    int big = -4;
    long lbig = -9;
#pragma omp parallel for
    for (int i = 0; i < s.n; i++) {
        s.x[i] = i;
        s.y[i] = 2 * i;
        s.in[i % 4].a[i % 3] = (short)(i % 4 * 10 + i % 3);
        s.in[i % 4].u.i = i % 4;
    }
    int r = 1;
    unsigned bits = 0, ands = ~0u, xors = 0;
#pragma omp parallel for reduction(ptadd : acc, arr) reduction(cmul : z)                      \
    reduction(bigger : big, lbig) reduction(&& : all) reduction(|| : any) reduction(| : bits) \
    reduction(& : ands) reduction(^ : xors) firstprivate(c, which)
    for (int i = 0; i < 20; i++) {
        acc.x += i;
        acc.y -= 1;
        arr[i % 3].x += 1;
        z *= (i % 2 ? I : 1);
        if (i * 3 % 7 > big)
            big = i * 3 % 7;
        if (i > lbig)
            lbig = i;
        all = all && i < 20;
        any = any || i == 7;
        bits |= 1u << i;
        ands &= ~(1u << i);
        xors ^= (unsigned)i * 5;
        switch (c) {
        case RED: acc.x = 1e9; break;
        case BLUE: acc.x += which(i, 0) - i; break;
        default: acc.y = 1e9;
        }
    }
#pragma omp parallel for reduction(* : r)
    for (int i = 1; i < 6; i++)
        r = ops[0](r, table[0](i, 0));
    int sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            sum = sum * 3 + s.in[i].a[j];
    /* The sign of a zero depends on the order in which the parts of a product are combined, also
       with gcc's runtime; -0.0 + 0.0 is 0.0. */
    printf("%g %g %g %g%+gi %d %ld %d %d %x %x %u %d %d\n", acc.x, acc.y, arr[1].x, creal(z),
           cimag(z) + 0.0, big, lbig, all, any, bits, ands, xors, r, sum);
    return 0;
}
