#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    int v[8];
    int n;
} box;
typedef struct list {
    struct list* next;
    box b;
} list;
static void visit(box b, int scale, int* out, const char tag[3])
{
    for (int i = 0; i < b.n; i++) {
        int local[4] = {i, i + 1, i + 2, i + 3}, j = i * scale;
#pragma omp task firstprivate(local)
        {
            local[0] += j;
            b.v[i] += 1; /* its own copy */
#pragma omp atomic
            *out += local[0] + b.v[i] + tag[0];
        }
        j = -1000;
        local[0] = -1000;
    }
}
static int depth(int d, int (*f)(int))
{
    int l, r;
    if (d == 0)
        return f(1);
#pragma omp task shared(l) firstprivate(f)
    l = depth(d - 1, f);
#pragma omp task shared(r) if (d > 2)
    {
#pragma omp parallel num_threads(2) if (d == 4)
#pragma omp single
        r = depth(d - 1, f);
    }
#pragma omp taskwait
    return l + r;
}
static int inc(int v)
{
    return v + 1;
}
int main(void)
{
    int out = 0, order = 0, last = 0, last2 = 0, priv = 3, n = 6, tw = 0;
    list *head = NULL, *p;
    for (int i = 0; i < 5; i++) {
        p = malloc(sizeof *p);
        p->next = head;
        p->b.n = i;
        memset(p->b.v, 0, sizeof p->b.v);
        head = p;
    }
#pragma omp parallel default(none) shared(head, out, order, last, last2, n, tw, stdout) \
    firstprivate(priv) private(p)
    {
#pragma omp single nowait
        {
            for (p = head; p != NULL; p = p->next)
#pragma omp task
                visit(p->b, 10, &out, "abc");
#pragma omp taskwait
#pragma omp task default(shared) private(priv)
            {
                priv = 7;
#pragma omp atomic
                out += priv;
            }
#pragma omp taskloop lastprivate(last) firstprivate(priv) num_tasks(3) collapse(2)
            for (int i = 0; i < 4; i++)
                for (int j = 3; j >= 0; j--)
                    last = i * 10 + j + priv;
#pragma omp taskloop simd reduction(+ : tw) lastprivate(last2) grainsize(strict : 4)
            for (int i = 0; i < n * 3; i += 2) {
                tw += i;
                last2 = i;
            }
#pragma omp taskgroup
            {
#pragma omp task shared(order) final(1)
                {
#pragma omp task shared(order)
                    order = order * 10 + 1;
                    order = order * 10 + 2;
                }
            }
#pragma omp task shared(order) if (0)
            order = order * 10 + 3;
        }
#pragma omp barrier
#pragma omp master
        order = order * 10 + depth(4, inc);
    }
    printf("%d %d %d %d %d %d\n", out, order, last, last2, tw, priv);
    return 0;
}
