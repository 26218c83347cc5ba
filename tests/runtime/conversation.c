/* Members that hand a turn around by a condition variable of the program, which blocks the OS
   thread: those who wait behind a blocked worker must not wait long. Prints whether all turns were
   taken, and on stderr the seconds. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { members = 6, rounds = 30 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

int main(void)
{
    const double begin = omp_get_wtime();
#pragma omp parallel num_threads(members)
    for (int i = 0; i < rounds; ++i) {
        pthread_mutex_lock(&mutex);
        while (turn % members != omp_get_thread_num())
            pthread_cond_wait(&changed, &mutex);
        ++turn;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    printf("%d turns\n", turn);
    fprintf(stderr, "%.3f\n", omp_get_wtime() - begin);
    return 0;
}
