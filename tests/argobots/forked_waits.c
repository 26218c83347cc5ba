/* Children of forks that were made while units of other streams just used what units wait for: it
   is complete and free. */
#include "../forked_child.h"
#include "check.h"

#include <stdatomic.h>
#include <unistd.h>

static atomic_bool over;
static ABT_eventual eventual;
static ABT_cond condition;

/* Others do the same, so it may be ready already. */
static void eventuals(void)
{
    ABT_eventual_set(eventual, NULL, 0);
    OK(ABT_eventual_reset(eventual));
}
static void conditions(void)
{
    OK(ABT_cond_signal(condition));
    OK(ABT_cond_broadcast(condition));
}

static void (*const uses[])(void) = {eventuals, conditions};
static void (*use)(void);

static void goes_on(void* unused)
{
    (void)unused;
    while (!over) {
        for (int i = 0; i < 20; ++i) {
            use();
        }
        OK(ABT_self_yield());
    }
}

static void forks(void)
{
    enum { children = 20 };
    for (int i = 0; i < children; ++i) {
        CHECK(a_child_can(use));
        usleep(100);
    }
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    OK(ABT_eventual_create(0, &eventual));
    OK(ABT_cond_create(&condition));
    for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i) {
        enum { most = 3 };
        ABT_thread t[most];
        use = uses[i];
        over = 0;
        int n = 0;
        for (; n < most && n + 1 < streams; ++n) {
            OK(ABT_thread_create(pool[n + 1], goes_on, NULL, ABT_THREAD_ATTR_NULL, &t[n]));
        }
        forks();
        over = 1;
        while (n != 0) {
            OK(ABT_thread_free(&t[--n]));
        }
    }
    OK(ABT_cond_free(&condition));
    OK(ABT_eventual_free(&eventual));
    end();
    puts("good");
    return 0;
}
