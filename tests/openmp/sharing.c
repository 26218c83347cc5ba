/* sections, single, copyprivate, masked, critical, atomic, barrier, locks. */
#include "check.h"

#include <omp.h>
#include <unistd.h>

static int executed[12];

static void some_sections(void)
{
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
        executed[0]++;
#pragma omp section
#pragma omp atomic
        executed[1]++;
#pragma omp section
#pragma omp atomic
        executed[2]++;
#pragma omp section
#pragma omp atomic
        executed[3]++;
#pragma omp section
#pragma omp atomic
        executed[4]++;
    }
}

static void sections(void)
{
    memset(executed, 0, sizeof executed);
#pragma omp parallel
    for (int k = 0; k < 30; k++)
        some_sections();
    some_sections();
#pragma omp parallel sections
    {
#pragma omp section
        executed[5]++;
#pragma omp section
        executed[6]++;
#pragma omp section
        executed[7]++;
    }
    int last = 0;
#pragma omp parallel
#pragma omp sections lastprivate(last) nowait
    {
        last = 1;
#pragma omp section
        last = 2;
    }
    printf("sections:");
    for (int i = 0; i < 8; i++)
        printf(" %d", executed[i]);
    printf(" last %d\n", last);
}

static void singles(void)
{
    int count = 0, copies_bad = 0, masters = 0, ahead = 0;
#pragma omp parallel reduction(+ : copies_bad)
    {
        for (int k = 0; k < 50; k++) {
#pragma omp single
            count++;
#pragma omp single nowait
            {
#pragma omp atomic
                ahead++;
            }
            int value = -1;
            double array[3] = {0, 0, 0};
#pragma omp single copyprivate(value, array)
            {
                value = k;
                array[2] = k * 2;
            }
            copies_bad += value != k || array[2] != k * 2;
        }
#pragma omp masked
        masters++;
#pragma omp master
        masters++;
    }
#pragma omp single
    count++;
    printf("single %d, nowait %d, copyprivate wrong %d, masked %d\n", count, ahead, copies_bad,
           masters);
}

static void exclusion(void)
{
    long unnamed = 0, named = 0, hinted = 0, locked = 0, nested = 0, tested = 0;
    long double wide = 0; /* too wide for an instruction: GOMP_atomic_start */
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    int threads = 0;
#pragma omp parallel
    {
#pragma omp atomic
        threads++;
        for (int i = 0; i < 200; i++) {
#pragma omp critical
            unnamed++;
#pragma omp critical(name)
            named++;
#pragma omp critical(other) hint(omp_sync_hint_contended)
            hinted++;
#pragma omp atomic
            wide += 1;
            omp_set_lock(&lock);
            locked++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            nested++;
            CHECK(omp_test_nest_lock(&nest) == 3);
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
            nested++;
            omp_unset_nest_lock(&nest);
            if (omp_test_lock(&lock)) {
                tested++;
                locked++;
                omp_unset_lock(&lock);
            }
        }
    }
    const long each = 200L * threads;
    CHECK(unnamed == each && named == each && hinted == each && wide == each &&
          locked == each + tested && nested == 2 * each);
    /* While a member sleeps in a critical section the others wait; they do not spin for ever. */
    int in = 0;
#pragma omp parallel num_threads(8)
    {
#pragma omp critical(slow)
        {
            CHECK(++in == 1);
            usleep(1000);
            in--;
        }
    }
    omp_set_lock(&lock);
    CHECK(omp_test_lock(&lock) == 0);
    omp_unset_lock(&lock);
    CHECK(omp_test_nest_lock(&nest) == 1);
    omp_unset_nest_lock(&nest);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
}

static void barriers(void)
{
    enum { rounds = 300, most = 64 };
    static int reached[most];
    int bad = 0;
    memset(reached, 0, sizeof reached);
#pragma omp parallel reduction(+ : bad)
    {
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int k = 1; k <= rounds; k++) {
            reached[me] = k;
#pragma omp barrier
            bad += reached[(me + 1) % all] != k || reached[(me + all - 1) % all] != k;
#pragma omp barrier
        }
    }
    CHECK(bad == 0);
}

int main(void)
{
    sections();
    singles();
    exclusion();
    barriers();
    return finish("sharing");
}
