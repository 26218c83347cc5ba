/* omp_pause_resource(_all): the members' threads end and run the destructors of their
 * thread-specific data; the next region gets new threads. */
#include "check.h"

#include <omp.h>
#include <pthread.h>

static int private_value = 128;
#pragma omp threadprivate(private_value)

static pthread_key_t key;
static int destroyed;

static void destroy(void* value)
{
    CHECK(value == &destroyed);
    /* A destructor may ask; it is in no region any more. libgomp still says 1. */
    CHECK(omp_get_level() == 0 || getenv("UNDER_ARTEL") == NULL);
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED);
}

static void own(int expected, int next)
{
#pragma omp parallel
    if (omp_get_thread_num() != 0) {
        CHECK(private_value == (expected != 0 ? expected + omp_get_thread_num() : 128));
        private_value = next + omp_get_thread_num();
        pthread_setspecific(key, &destroyed);
    }
}

static int pause_by(int round)
{
    const omp_pause_resource_t kind = round % 2 ? omp_pause_soft : omp_pause_hard;
    return round % 3 ? omp_pause_resource_all(kind)
                     : omp_pause_resource(kind, omp_get_initial_device());
}

/* A second initial thread: its team is its own. */
static void* other_thread(void* gates)
{
    pthread_barrier_t* const gate = gates;
    own(0, 5000);
    pthread_barrier_wait(gate);
    pthread_barrier_wait(gate);
    own(5000, 6000);
    return NULL;
}

int main(void)
{
    pthread_key_create(&key, destroy);
    const int others = omp_get_max_threads() - 1;
    for (int round = 0; round < 6; round++) {
        own(0, 1000);
        own(1000, 2000);
        CHECK(destroyed == 0);
        CHECK(pause_by(round) == 0);
        CHECK(destroyed == others);
        destroyed = 0;
    }
    CHECK(pause_by(0) == 0); /* nothing is there */
    CHECK(omp_pause_resource(omp_pause_soft, 77) != 0);
    int inside = 0;
    own(0, 1000);
#pragma omp parallel
#pragma omp single
    inside = omp_pause_resource_all(omp_pause_soft);
    CHECK(inside != 0);
    own(1000, 3000);

    pthread_barrier_t gate;
    pthread_barrier_init(&gate, NULL, 2);
    pthread_t other;
    pthread_create(&other, NULL, other_thread, &gate);
    pthread_barrier_wait(&gate);
    CHECK(pause_by(1) == 0);
    CHECK(destroyed == others);
    own(0, 4000);
    pthread_barrier_wait(&gate);
    pthread_join(other, NULL);
    own(4000, 0);
    return finish("pausing");
}
