// Many threads of the program have nested regions whose members spin on each other, and end: the OS
// threads that this took do not stay for ever, and what they had in thread-specific data is
// destroyed. Prints how many OS threads there are in the end, or that they did not become few.
#define _GNU_SOURCE
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { callers = 64, few = 16, longest_wait = 90 };

static pthread_barrier_t together;
static pthread_key_t key;
static int made, destroyed;

static void destroy(void* value)
{
    (void)value;
    __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
}

static void note_this_thread(void)
{
    if (pthread_getspecific(key) == NULL) {
        pthread_setspecific(key, &key);
        __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    }
}

static int threads(void)
{
    DIR* tasks = opendir("/proc/self/task");
    int count = 0;
    for (const struct dirent* entry; (entry = readdir(tasks)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(tasks);
    return count;
}

static void* caller(void* unused)
{
    (void)unused;
    pthread_barrier_wait(&together);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(3)
        {
            int here = 0;
#pragma omp parallel num_threads(3) shared(here)
            {
                note_this_thread();
                __atomic_fetch_add(&here, 1, __ATOMIC_RELAXED);
                while (__atomic_load_n(&here, __ATOMIC_RELAXED) != 3) {
                }
            }
        }
    }
    return NULL;
}

int main(void)
{
    omp_set_max_active_levels(2);
    pthread_key_create(&key, destroy);
    pthread_barrier_init(&together, NULL, callers);
    for (int generation = 0; generation < 2; generation++) {
        pthread_t thread[callers];
        for (int i = 0; i < callers; i++) {
            pthread_create(&thread[i], NULL, caller, NULL);
        }
        for (int i = 0; i < callers; i++) {
            pthread_join(thread[i], NULL);
        }
        const int most = threads();
        int second = 0;
        while (threads() > few && second++ < longest_wait) {
            sleep(1);
        }
        if (most <= few || threads() > few) {
            printf("%d OS threads at first, %d in the end\n", most, threads());
            return 1;
        }
    }
    // What is kept of both generations is less than what has gone.
    if (destroyed < made / 2) {
        printf("%d of %d destroyed\n", destroyed, made);
        return 1;
    }
    puts("few");
    return 0;
}
