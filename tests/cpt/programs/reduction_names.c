/* The names in a declared reduction mean what they mean where it is declared. */
#include <stdio.h>
enum { factor = 2, first = 0 };
static void add(int* to, const int* from)
{
    *to += *from;
}
static void begin(long* to, long from)
{
    *to = from - from;
}
typedef struct {
    int sum, times;
} pair;
#pragma omp declare reduction(twice:int : omp_out += omp_in * factor) initializer(omp_priv = first)
#pragma omp declare reduction(called:int : add(&omp_out, &omp_in)) initializer(omp_priv = first)
#pragma omp declare reduction(begun:long : omp_out += omp_in) \
    initializer(begin(&omp_priv, omp_orig))
#pragma omp declare reduction(both:pair : omp_out.sum += omp_in.sum * factor, \
                                  omp_out.times += factor) initializer(omp_priv = {first, factor})
#pragma omp declare reduction(zero:pair : omp_out.sum += omp_in.sum)
static int twice(int factor, int first)
{
    int sum = first - first;
#pragma omp parallel for num_threads(2) reduction(twice : sum)
    for (int i = 0; i < 10; i++)
        sum += i + factor - 1000;
    return sum;
}
static int in_tasks(int add)
{
    int sum = 0, begin = add, list[3] = {0};
    long other = 3;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskloop reduction(called : sum, list) reduction(begun : other) num_tasks(6)
        for (int i = 0; i < 60; i++) {
            sum += i + add - 1000;
            list[i % 3]++;
            other += begin - 999;
        }
    }
    return sum + (int)other + list[0] + 10 * list[2];
}
static pair of_pairs(void)
{
    static int first = 7, factor = 99;
    pair p = {0, 0}, zero = {0, 0};
#pragma omp parallel num_threads(2) reduction(both : p) reduction(zero : zero)
    {
        p.sum += first;
        zero.sum += factor;
    }
    p.sum += zero.sum * 1000;
    return p;
}
static int of_block(int n)
{
    int s = 0;
#pragma omp declare reduction(local:int : omp_out += omp_in * 3) initializer(omp_priv = 0)
#pragma omp parallel for num_threads(2) reduction(local : s)
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}
int main(void)
{
    const pair p = of_pairs();
    printf("%d %d %d %d %d\n", twice(1000, 9), in_tasks(1000), p.sum, p.times, of_block(10));
    return 0;
}
