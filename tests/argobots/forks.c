/* The child of a fork begins anew with ABT_init, whoever forks and whatever other threads are doing
 * in the library at that moment. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { patience = 60, forks = 10 };

static atomic_int ran;
static atomic_int over;
static int arguments;
static char** argument;

static void count(void* unused)
{
    (void)unused;
    ++ran;
}

static void use(void)
{
    ran = 0;
    everywhere(3, count, NULL);
    CHECK(ran == 3 * streams);
}

/* Streams come and go: their stacks are kept in a list of the library's. */
static void* make_streams(void* unused)
{
    (void)unused;
    do {
        ABT_xstream made;
        OK(ABT_xstream_create(ABT_SCHED_NULL, &made));
        OK(ABT_xstream_free(&made));
    } while (!over);
    return NULL;
}

static void fork_one(void)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(patience);
        CHECK(ABT_initialized() == ABT_ERR_UNINITIALIZED);
        begin(arguments, argument);
        use();
        over = 1;
        make_streams(NULL);
        end();
        CHECK(ABT_initialized() == ABT_ERR_UNINITIALIZED);
        _exit(0);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void fork_in_unit(void* unused)
{
    (void)unused;
    fork_one();
}

int main(int argc, char** argv)
{
    arguments = argc;
    argument = argv;
    begin(argc, argv);
    use();
    fork_one();
    everywhere(1, fork_in_unit, NULL);
    pthread_t other;
    CHECK(pthread_create(&other, NULL, make_streams, NULL) == 0);
    for (int i = 0; i < forks; ++i) {
        fork_one();
    }
    over = 1;
    pthread_join(other, NULL);
    use();
    end();
    puts("all right");
    return 0;
}
