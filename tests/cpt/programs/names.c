/* Names that begin as those of cpt once did, at every place where it writes names of its own. */
#include <stdio.h>

static double cp_f = 4.18;
static int cp_data = 1, cp_n8 = 3, cp_i0 = 2, cp_k_4 = 7;

struct cp_frame_1 {
    int mine;
    double x;
};
struct cp_frame_2 {
    int mine;
};

static int cp_body_1(void)
{
    return 1;
}

/* A name of the runtime interface. */
static int cp_barrier(int x)
{
    return x + 1;
}

int main(void)
{
    struct cp_frame_2 f = {3};
    struct cp_frame_1 g = {4, 5};
    int cp_new = 5, s = 0, a[4] = {0}, q = 3, cp_size = 2;
    double cp_old = 2, cp_p_q = 2;
#pragma omp parallel for reduction(+ : s, a)
    for (int i = 0; i < 10; i++) {
        s += cp_new + (int)cp_old + (cp_f != 0) + cp_n8 + cp_i0 + cp_k_4 + cp_data;
        a[i % 4] += cp_i0;
    }
    printf("%d %d %d\n", s, cp_new, a[1]);
    s = 0;
#pragma omp parallel for reduction(+ : s) firstprivate(f) shared(g)
    for (int i = 0; i < 4; i++)
        s += f.mine + g.mine + cp_barrier(i) + cp_body_1();
    printf("%d\n", s);
#pragma omp parallel shared(q, cp_p_q) num_threads(3)
    {
        int cp_p_s = 9, cp_p_f = (int)cp_p_q;
#pragma omp critical
        q += cp_p_f + cp_p_s;
#pragma omp barrier
#pragma omp single
#pragma omp task shared(q) firstprivate(cp_size)
        {
            int cp_f = 7;
            q += cp_f + cp_size;
        }
    }
    printf("%d\n", q);
    return 0;
}
