#include <stdio.h>
#include <stdlib.h>
typedef struct node {
    struct node* next;
    int v;
} node;
typedef double real;
static int x = 5;
static int walk(node* list)
{
    node* node = list;
    int s = 0, list_n = 0;
    struct node* other = list;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (; node; node = node->next) {
#pragma omp task firstprivate(node) shared(s, other)
        {
            real real = node->v;
            struct node* n2 = other;
            (void)n2;
#pragma omp atomic
            s += (int)real;
        }
        list_n++;
    }
    return s * 100 + list_n;
}
int main(void)
{
    node a[5];
    for (int i = 0; i < 5; i++) {
        a[i].v = i + 1;
        a[i].next = i < 4 ? &a[i + 1] : NULL;
    }
    int r = walk(a), total = 0;
    int x2 = x;
    {
        int x = 1;
#pragma omp parallel num_threads(2) private(x) reduction(+ : total)
        {
            x = 2;
            {
                int x = 30;
                total += x;
                {
                    extern int getpid(void);
                    (void)getpid();
                }
            }
            total += x;
        }
        total += x;
    }
    real real = 1.5;
    int b = 0;
#pragma omp parallel for firstprivate(real) reduction(+ : b)
    for (int i = 0; i < 4; i++) {
        struct {
            int q;
        } local = {i};
        b += local.q + (int)(real * 2);
    }
    printf("%d %d %d %d\n", r, total, x2, b);
    return 0;
}
