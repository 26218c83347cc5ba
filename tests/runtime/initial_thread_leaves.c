// The initial thread leaves by pthread_exit, another one does some regions more: the process ends
// with that one, with exit code 0. With an argument: the initial thread has done none.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int region(void)
{
    int n = 0;
#pragma omp parallel num_threads(4) reduction(+ : n)
    n += 1;
    return n;
}

static void* later(void* unused)
{
    (void)unused;
    usleep(100000);
    printf("%d after main\n", region());
    fflush(stdout);
    return NULL;
}

int main(int argc, char** argv)
{
    (void)argv;
    pthread_t thread;
    if ((argc < 2 && region() != 4) || pthread_create(&thread, NULL, later, NULL) != 0)
        return 1;
    pthread_exit(NULL);
}
