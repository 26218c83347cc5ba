/* atomic in all its forms, on integers, floating-point numbers, pointers, bit-fields and what no
 * instruction exchanges. */
#include <complex.h>
#include <stdlib.h>
struct {
    unsigned low : 3, high : 13;
} bits;
int main(void)
{
    int i = 0, old = 0, top = 0;
    char c = 0;
    double d = 0;
    long double ld = 0;
    double _Complex z = 0;
    char text[100], *p = text;
#pragma omp parallel for num_threads(4) schedule(dynamic)
    for (int k = 1; k <= 80; k++) {
        int mine;
#pragma omp atomic
        i += k;
#pragma omp atomic
        c++;
#pragma omp atomic update
        d = 2.5 + d;
#pragma omp atomic
        ld += k;
#pragma omp atomic
        z += k * I;
#pragma omp atomic
        bits.high += 1;
#pragma omp atomic capture
        mine = old++;
        if (mine < 0 || mine >= 80)
            abort();
#pragma omp atomic
        p += 1;
#pragma omp atomic compare
        if (top < k)
            top = k;
#pragma omp atomic read
        mine = i;
    }
    if (i != 3240 || c != 80 || d != 200 || ld != 3240 || cimag(z) != 3240 || bits.high != 80 ||
        old != 80 || p != text + 80 || top != 80)
        abort();
    int v;
#pragma omp atomic write seq_cst
    i = 5;
#pragma omp atomic capture
    {
        v = i;
        i = 7;
    }
    if (v != 5 || i != 7)
        abort();
#pragma omp atomic capture
    v = i = i * 3;
    if (v != 21)
        abort();
#pragma omp atomic capture
    {
        i -= 1;
        v = i;
    }
    if (v != 20 || i != 20)
        abort();
    return 0;
}
