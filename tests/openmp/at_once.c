/* at_once.c — tasks that are executed where they are made (undeferred, final, in a team of one,
 * when too many are queued), and what outlives them: their children, who must be waited for by
 * those that the standard says, and whose parent must stay until they have ended. */
#include "check.h"

#include <omp.h>

enum { rounds = 200, children = 8 };

static void work(int* done)
{
#pragma omp atomic
    ++*done;
}

/* Children of an undeferred task that does not wait for them: the barrier does, and a taskgroup
 * around it does, and a taskwait of its parent does not have to. */
static void outlive(int threads)
{
    int done = 0;
    int in_group = 0;
    int members = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        ++members;
        for (int i = 0; i < rounds; ++i) {
#pragma omp task if (0) shared(done)
            {
                for (int k = 0; k < children; ++k) {
#pragma omp task shared(done)
                    {
#pragma omp task shared(done)
                        work(&done);
                        work(&done);
                    }
                }
            }
#pragma omp taskwait
        }
#pragma omp barrier
        CHECK(done == members * rounds * children * 2);
#pragma omp barrier
        int mine = 0;
#pragma omp taskgroup
        {
#pragma omp task if (0) shared(mine)
            {
                for (int k = 0; k < children; ++k) {
#pragma omp task shared(mine)
                    {
#pragma omp task if (0) shared(mine)
                        {
#pragma omp task shared(mine)
                            work(&mine);
                        }
                    }
                }
            }
        }
        CHECK(mine == children);
#pragma omp atomic
        in_group += mine;
    }
    CHECK(in_group == members * children);
}

/* A taskwait inside waits for the children of the undeferred task, and for no others. */
static void wait_inside(int threads)
{
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < rounds; ++i) {
        int before = 0;
        int after = 0;
#pragma omp task shared(before)
        work(&before);
#pragma omp task if (0) shared(after)
        {
            int sum = 0;
            for (int k = 0; k < children; ++k) {
#pragma omp task shared(sum)
                work(&sum);
            }
#pragma omp taskwait
            CHECK(sum == children);
            after = sum;
        }
        CHECK(after == children);
#pragma omp taskwait
        CHECK(before == 1);
    }
}

/* Dependences of tasks that find nobody to wait for, and of those that do: an undeferred one
 * between deferred ones, and children that are still at work. */
static void depend(int threads)
{
    int others = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < rounds; ++i) {
        int value = 0;
#pragma omp task depend(inout : value) shared(value)
        value = 1;
#pragma omp task depend(inout : value) shared(value) if (0)
        {
            CHECK(value == 1);
            value = 2;
        }
        CHECK(value == 2);
        for (int k = 0; k < children; ++k) {
#pragma omp task depend(inout : value) shared(value) firstprivate(k)
            {
                CHECK(value == 2 + k);
                ++value;
            }
        }
#pragma omp task shared(others) if (0)
        {
#pragma omp task shared(others)
            work(&others);
        }
#pragma omp task depend(in : value) shared(value)
        CHECK(value == 2 + children);
#pragma omp taskwait
        CHECK(value == 2 + children);
    }
    CHECK(others == rounds);
}

/* Final tasks and what they make; the data environment of a task that is executed at once is its
 * own. */
static void environment(int threads)
{
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < rounds; ++i) {
        int mine = i;
#pragma omp task final(1) firstprivate(mine)
        {
            CHECK(omp_in_final());
            CHECK(mine == i);
            mine = -1;
            int inner = 5;
#pragma omp task firstprivate(inner)
            {
                CHECK(omp_in_final());
                inner = 6;
            }
            CHECK(inner == 5);
        }
#pragma omp taskwait
        CHECK(mine == i);
        const int before = omp_get_max_threads();
#pragma omp task if (0)
        {
            omp_set_num_threads(before + 7);
            CHECK(omp_get_max_threads() == before + 7);
        }
        CHECK(omp_get_max_threads() == before);
        CHECK(!omp_in_final());
    }
}

/* More than are queued: those beyond are executed at once, and make others. */
static void flood(int threads)
{
    long done = 0;
#pragma omp parallel num_threads(threads)
#pragma omp master
    for (int i = 0; i < 20000; ++i) {
#pragma omp task shared(done)
        {
#pragma omp task shared(done)
            {
#pragma omp atomic
                ++done;
            }
        }
    }
    CHECK(done == 20000);
}

/* An undeferred task waits for its event, a group around one does, too. */
static void detach(int threads)
{
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < rounds; ++i) {
        omp_event_handle_t event = (omp_event_handle_t)0;
        int ended = 0;
#pragma omp taskgroup
        {
#pragma omp task detach(event) shared(ended)
            ended = 1;
            omp_fulfill_event(event);
        }
        CHECK(ended == 1);
    }
}

/* Barriers in a team of one end no earlier than its tasks. */
static void alone(void)
{
    omp_event_handle_t event = (omp_event_handle_t)0;
    int ended = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        {
#pragma omp task detach(event) shared(ended)
            ended = 1;
            omp_fulfill_event(event);
        }
#pragma omp barrier
        CHECK(ended == 1);
    }
#pragma omp parallel num_threads(1)
    {
        int done = 0;
#pragma omp task shared(done)
        {
#pragma omp task shared(done)
            work(&done);
        }
#pragma omp barrier
        CHECK(done == 1);
    }
}

int main(void)
{
    const int sizes[] = {1, 2, 4, 16};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        outlive(sizes[i]);
        wait_inside(sizes[i]);
        depend(sizes[i]);
        environment(sizes[i]);
        flood(sizes[i]);
        detach(sizes[i]);
    }
    alone();
    return finish("at_once");
}
