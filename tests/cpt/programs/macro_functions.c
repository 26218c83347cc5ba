#include "macro_functions.h"
#include <stdio.h>
FN(int) FN(double) FN(long) int main(void)
{
    int a[10], t = 0, u = 0;
    double d[10];
    long l[10];
    for (int i = 0; i < 10; i++) {
        a[i] = i;
        d[i] = i * .5;
        l[i] = -i;
    }
    PARFOR(i, 10, t)
    {
        LOCKED(u += a[i]);
        add1(&u);
        t += sum_to(i);
    }
    printf("%d %d %d %g %ld %d %g %ld\n", t, u, dot_int(a, a, 10), dot_double(d, d, 10),
           dot_long(l, l, 10), max_int(a, 10), max_double(d, 10), max_long(l, 10));
    return 0;
}
