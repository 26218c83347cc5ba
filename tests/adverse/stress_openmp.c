// Regions, nested regions, tasks and locks at random from many threads of the program at once, with
// teams far wider than the machine.
//
// usage: stress_openmp SECONDS THREADS
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double end;
static long rounds;
static int private_value;
#pragma omp threadprivate(private_value)

static void expect(int good, const char* what)
{
    if (!good) {
        fprintf(stderr, "wrong: %s\n", what);
        abort();
    }
}

static unsigned below(unsigned long* state, unsigned n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)(*state % n);
}

static long fibonacci(int n)
{
    long a, b;
    if (n < 2) {
        return n;
    }
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static void region(int members)
{
    int sum = 0, singles = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum)
    {
        private_value = omp_get_thread_num();
#pragma omp barrier
        sum += private_value == omp_get_thread_num();
#pragma omp single
        ++singles;
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 200; ++i) {
            sum += 1000;
        }
        expect(private_value == omp_get_thread_num(), "threadprivate");
    }
    expect(sum == members + 200000 && singles == 1, "region");
}

static void nested(int members)
{
    int sum = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum)
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp barrier
        ++sum;
    }
    expect(sum == 3 * members, "nested region");
}

static void tasks(int members)
{
    long result = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
    result = fibonacci(12);
    expect(result == 144, "tasks");
}

static void locks(int members)
{
    long locked = 0, critical = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(members)
    for (int i = 0; i < 20; ++i) {
        omp_set_lock(&lock);
        ++locked;
        omp_unset_lock(&lock);
#pragma omp critical
        ++critical;
    }
    omp_destroy_lock(&lock);
    expect(locked == 20L * members, "locks");
    expect(critical == 20L * members, "critical");
}

static void forked(void)
{
    const pid_t child = fork();
    int status = -1;
    if (child == 0) {
        alarm(60);
        region(4);
        tasks(4);
        _exit(0);
    }
    waitpid(child, &status, 0);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child");
}

static void* live(void* number)
{
    unsigned long state = (unsigned long)number * 2654435761u + 88172645463325252u;
    while (omp_get_wtime() < end) {
        const int members = (int)below(&state, 8) == 0 ? 64 : 1 + (int)below(&state, 8);
        switch (below(&state, 6)) {
        case 0: region(members); break;
        case 1: nested(1 + members % 8); break;
        case 2: tasks(members); break;
        case 3: locks(members); break;
        case 4: {
            const struct timespec pause = {0, below(&state, 2000000)};
            nanosleep(&pause, NULL);
            break;
        }
        default:
            if (below(&state, 20) == 0) {
                forked();
            }
        }
        __atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

int main(int argc, char** argv)
{
    const int seconds = argc > 1 ? atoi(argv[1]) : 10;
    const int count = argc > 2 ? atoi(argv[2]) : 8;
    pthread_t threads[256];
    end = omp_get_wtime() + seconds;
    for (long i = 0; i < count; ++i) {
        pthread_create(&threads[i], NULL, live, (void*)(i + 1));
    }
    for (int i = 0; i < count; ++i) {
        pthread_join(threads[i], NULL);
    }
    printf("%ld rounds, all good\n", rounds);
    return 0;
}
