/* last_values.c — lastprivate variables of loops in which members take pieces in any order: the
 * member that runs the last iteration must not lose what it has of it. Run with several values of
 * OMP_SCHEDULE. */
#include "check.h"

#include <omp.h>

static volatile int sink;

/* The iterations in front are longer, so that who has the last ones takes from the others
 * afterwards. */
static void work(int i, int count)
{
    for (int k = 0; k < (i < count / 4 ? 300 : 1); k++)
        sink = k;
}

int main(void)
{
    for (int round = 0; round < 200; round++) {
        const int count = 1 + round * 3;
        int by_runtime = -1, dynamic = -1, guided = -1, down = -1, wide = -1, ran = 0;
#pragma omp parallel
        {
#pragma omp for schedule(runtime) lastprivate(by_runtime) reduction(+ : ran)
            for (int i = 0; i < count; i++) {
                work(i, count);
                by_runtime = i;
                ran++;
            }
#pragma omp for schedule(nonmonotonic : dynamic) lastprivate(dynamic)
            for (int i = 0; i < count; i++) {
                work(i, count);
                dynamic = i;
            }
#pragma omp for schedule(nonmonotonic : guided) lastprivate(guided)
            for (int i = 0; i < count; i++) {
                work(i, count);
                guided = i;
            }
        }
#pragma omp parallel for schedule(runtime) lastprivate(down)
        for (int i = count; i > 0; i--)
            down = i;
#pragma omp parallel for schedule(runtime) lastprivate(wide)
        for (unsigned long i = ~0ul - 7ul * (unsigned)count; i < ~0ul - 6; i += 7)
            wide = (int)((~0ul - i) / 7);
        CHECK(ran == count);
        CHECK(by_runtime == count - 1);
        CHECK(dynamic == count - 1);
        CHECK(guided == count - 1);
        CHECK(down == 1);
        CHECK(wide == 1);
    }
    return finish("last_values");
}
