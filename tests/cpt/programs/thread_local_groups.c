#include <omp.h>
#include <stdio.h>
static struct {
    int a, b[2];
} s1 = {1, {2, 3}}, *sp, s2 = {7, {8, 9}};
#pragma omp threadprivate(s1)
const char *const names[] = {"a", "b"}, *current = "x";
#pragma omp threadprivate(current)
extern int tp[3], other;
int other = 4, tp[3] = {1, 2, 3}, (*fn)(const char*, ...);
#pragma omp threadprivate(tp)
enum mode { OFF, ON } mode_a, mode_b = ON, modes[2];
#pragma omp threadprivate(mode_b)
static double *pa, pb, (*pc)[3];
#pragma omp threadprivate(pa, pc)
static int block(int n)
{
    static const int base[3] = {10, 20, 30};
    static struct acc {
        int n;
        enum { LOW = 3, HIGH } level;
    } acc = {1, HIGH};
#pragma omp threadprivate(acc)
    int sum = 0;
#pragma omp parallel num_threads(3) copyin(acc) reduction(+ : sum)
    {
        acc.n += omp_get_thread_num() + n;
        acc.level = LOW;
        sum += acc.n + base[omp_get_thread_num()];
    }
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += acc.n * (acc.level == LOW);
    return sum;
}
int main(void)
{
    int r = 0, t;
    sp = &s2;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(4) copyin(s1, tp, mode_b) reduction(+ : r)
    {
        s1.b[1] += omp_get_thread_num();
        tp[2] += omp_get_thread_num();
        mode_b = OFF;
        current = names[omp_get_thread_num() % 2];
        pa = &pb;
        pc = (void*)&tp;
#pragma omp atomic
        s2.a++;
#pragma omp atomic
        other++;
#pragma omp barrier
        r += s1.b[1] + tp[2] + mode_b + current[0] + (sp == &s2) + (pa == &pb) + s2.a + other;
    }
    t = block(5);
    printf("%d %d %d %d %d %d %d\n", r, s1.b[1], tp[2], s2.a, other, (int)mode_b, t);
    return 0;
}
