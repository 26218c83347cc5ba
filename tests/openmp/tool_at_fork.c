/* A process that forks while another thread starts its tool: the child finds the C library's list
   of functions for exit() free. The program is its own tool, and stands before atexit. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    int (*initialize)(void* lookup, int device, void* data);
    void (*finalize)(void* data);
    unsigned long data;
} start_result;

static atomic_int watched, inside;

static int begin(void* lookup, int device, void* data)
{
    (void)lookup, (void)device, (void)data;
    return 1;
}
static void end(void* data)
{
    (void)data;
}
start_result* ompt_start_tool(unsigned version, const char* runtime)
{
    static start_result tool = {begin, end, 0};
    (void)version, (void)runtime;
    return &tool;
}

/* What atexit() in a library calls. It takes its time, as if its lock were held. */
int __cxa_atexit(void (*f)(void*), void* argument, void* library)
{
    int (*const next)(void (*)(void*), void*, void*) = (int (*)(
        void (*)(void*), void*, void*))dlsym(RTLD_NEXT, "__cxa_atexit");
    if (watched) {
        inside = 1;
        usleep(300000);
        inside = 0;
    }
    return next(f, argument, library);
}

static void* use(void* unused)
{
    watched = 1;
    CHECK(omp_get_max_threads() > 0);
    watched = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, use, NULL) == 0);
    while (inside == 0 && watched != 2)
        usleep(100);
    CHECK(inside == 1);
    const pid_t child = fork();
    if (child == 0)
        _exit(inside);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return finish("tool_at_fork");
}
