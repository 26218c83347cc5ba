/* Objects that no assignment may change are copied all the same: they have constant members, in an
 * array or deeper inside. */
#include <stdlib.h>
struct inner {
    const int fixed;
    int free;
};
struct outer {
    struct inner in[2];
    const char* const name;
};
union either {
    const int a;
    float b;
};
int main(void)
{
    struct inner s = {3, 4};
    struct outer deep = {{{1, 2}, {5, 6}}, "name"};
    const struct inner several[2] = {{1, 2}, {3, 4}};
    const union either e = {9};
    int sum = 0, last = 0;
#pragma omp parallel firstprivate(s, deep, several, e) reduction(+ : sum) num_threads(3)
    {
        s.free++;
        deep.in[1].free += s.free;
        sum += s.fixed + s.free + deep.in[1].fixed + deep.in[1].free + several[1].fixed + e.a;
    }
    if (sum != 3 * (3 + 5 + 5 + 11 + 3 + 9))
        abort();
#pragma omp parallel num_threads(2)
#pragma omp single firstprivate(s)
    {
#pragma omp task firstprivate(s, deep) shared(sum)
        sum = s.fixed + deep.in[0].free;
    }
    if (sum != 5)
        abort();
#pragma omp parallel for firstprivate(s) lastprivate(last) num_threads(2)
    for (int i = 0; i < 10; i++)
        last = i * s.fixed;
    if (last != 27 || s.free != 4)
        abort();
#pragma omp taskloop firstprivate(s) shared(last) num_tasks(1)
    for (int i = 0; i < 10; i++)
        last = i + s.fixed;
    return last != 12;
}
