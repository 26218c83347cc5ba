/* Static variables of a block that are declared together, where functions made of its regions need
 * one of them. */
#include <stdlib.h>
static int threadprivate_ones(void)
{
    static int a = 3, b[4] = {1, 2, 3, 4}, *p = b + 1;
    int sum = 0;
#pragma omp threadprivate(a, p)
#pragma omp parallel num_threads(3) copyin(a, p) reduction(+ : sum)
    {
        a += 1;
        sum += a + *p + b[3];
    }
    b[3]++;
    return sum;
}
static int addresses(int n)
{
    static int count, array[4] = {0, 7}, other = 7;
    static struct {
        int value;
    } one = {4}, two = {5}, *both[] = {&one, &two};
    static int *q = &other, **qq = &q;
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        static int *p = &count, *r = array + 1, ***qqq = &qq;
        static const int size = sizeof(array) / sizeof array[0];
        sum += *r + size + ***qqq + both[i % 2]->value;
#pragma omp atomic
        ++*p;
    }
    if (one.value != 4 || two.value != 5)
        abort();
    return sum + count;
}
static int chained(void)
{
    static int first = 2, *second = &first;
    static int** third = &second;
#pragma omp threadprivate(third)
    int sum = 0;
#pragma omp parallel num_threads(2) copyin(third) reduction(+ : sum)
    sum += **third;
    return sum;
}
int main(void)
{
    if (threadprivate_ones() != 3 * (4 + 2 + 4) || threadprivate_ones() != 3 * (5 + 2 + 5) ||
        addresses(10) != 10 * (7 + 4 + 7) + 45 + 10 || addresses(2) != 2 * 18 + 9 + 12 ||
        chained() != 4)
        abort();
    return 0;
}
