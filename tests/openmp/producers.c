/* Two threads of the program have regions at once. Members of the one's wait by a condition
   variable, which keeps their carrier, for what the other thread puts into a queue between its
   regions: it must get back to its own code. */
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <unistd.h>

enum { rounds = 100, producers = 4, consumers = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued, finished, taken;

static void* consume(void* unused)
{
#pragma omp parallel num_threads(consumers)
    {
        pthread_mutex_lock(&lock);
        for (;;) {
            while (queued == 0 && !finished)
                pthread_cond_wait(&changed, &lock);
            if (queued == 0)
                break;
            queued--;
            taken++;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t consumer;
    CHECK(pthread_create(&consumer, NULL, consume, NULL) == 0);
    for (int round = 0; round < rounds; round++) {
        int made = 0;
#pragma omp parallel num_threads(producers) reduction(+ : made)
        {
            if (omp_get_thread_num() == producers - 1)
                usleep(300);
            made++;
        }
        pthread_mutex_lock(&lock);
        queued += made;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    finished = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    CHECK(pthread_join(consumer, NULL) == 0);
    CHECK(taken == rounds * producers);
    return finish("producers");
}
