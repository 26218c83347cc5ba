/* All members wait, until a thread of the program fulfils an event; then one of them blocks in the
   kernel until the others have come. Those who wait in the queues of its worker must be helped
   within milliseconds, although nobody was active when the monitor looked last. Prints whether they
   were. */
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { members = 16, rounds = 10, most = 3 };
static omp_event_handle_t event;
static sem_t waiting;

static void* fulfil(void* unused)
{
    for (int round = 0; round < rounds; ++round) {
        sem_wait(&waiting);
        usleep(20000); /* the monitor looks in the meantime */
        omp_fulfill_event(event);
    }
    return unused;
}

int main(void)
{
    int pipe_ends[2], late = 0;
    pthread_t other;
    sem_init(&waiting, 0, 0);
    if (pipe(pipe_ends) != 0 || pthread_create(&other, NULL, fulfil, NULL) != 0)
        return 2;
    double longest = 0;
    for (int round = 0; round < rounds; ++round) {
        int came = 0;
#pragma omp parallel num_threads(members)
        {
            char byte = 0;
            if (omp_get_thread_num() == 0) {
                omp_event_handle_t here;
#pragma omp task detach(here)
                {
                    event = here;
                    sem_post(&waiting);
                }
#pragma omp taskwait
            }
#pragma omp barrier
            if (omp_get_thread_num() == 0) {
                const double begin = omp_get_wtime();
                if (read(pipe_ends[0], &byte, 1) != 1)
                    _exit(2);
                const double took = omp_get_wtime() - begin;
                longest = took > longest ? took : longest;
                late += took > 0.2;
            } else if (__atomic_add_fetch(&came, 1, __ATOMIC_RELAXED) == members - 1) {
                if (write(pipe_ends[1], &byte, 1) != 1)
                    _exit(2);
            }
        }
    }
    pthread_join(other, NULL);
    /* Some may be the fault of a busy machine. */
    puts(late <= most ? "others came" : "others came late");
    fprintf(stderr, "%d of %d rounds late, the longest took %.3f s\n", late, rounds, longest);
    return 0;
}
