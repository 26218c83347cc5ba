/* One half of the program mixed: compiled by gcc and by clang, each against its own runtime, as
 * PART. */
#include <omp.h>
#include <pthread.h>

extern __thread int shared_tls;

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* Members note who they are, and leave `mark` in a thread-local variable; returns the sum of those
 * that they found. */
int JOIN(PART, _region)(int threads, pthread_t* who, int mark)
{
    int found = 0;
#pragma omp parallel num_threads(threads) reduction(+ : found)
    {
        who[omp_get_thread_num()] = pthread_self();
        found += shared_tls;
        shared_tls = mark;
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 50; ++i) {
#pragma omp task
            {
            }
        }
    }
    return found;
}

/* Where the caller is, as this half's runtime sees it. */
void JOIN(PART, _ask)(int* number, int* size, int* level)
{
    *number = omp_get_thread_num();
    *size = omp_get_num_threads();
    *level = omp_get_level();
}

/* A region of this half in which each member calls `inside`. */
void JOIN(PART, _call)(int threads, void (*inside)(void))
{
#pragma omp parallel num_threads(threads)
    inside();
}

/* The iterations that each member gets of a static loop. */
void JOIN(PART, _split)(int threads, int n, int* who)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < n; ++i) {
        who[i] = omp_get_thread_num();
    }
}
