/* Tasks as clang compiles them: parts of untied tasks, dependences, events, reductions, and private
   variables with an alignment of their own. */
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <stdint.h>

/* libomp 19 sometimes loses the last value of a dynamic loop, does not know parts of untied tasks
   that are executed in place, and lets thread_limit bound the number of teams. */
static int artel;

static long fib(int n)
{
    if (n < 2) {
        return n;
    }
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void work(int* counter)
{
#pragma omp atomic
    ++*counter;
}

static void tasks(void)
{
    long f = 0;
#pragma omp parallel
#pragma omp single
    f = fib(18);
    CHECK(f == 2584);

    int done = 0;
#pragma omp parallel
#pragma omp single
    {
        /* An untied task with many parts. */
#pragma omp task untied shared(done)
        {
            for (int i = 0; i < 3000; ++i) {
#pragma omp task shared(done)
                work(&done);
                if (i % 100 == 0) {
#pragma omp taskyield
                }
            }
#pragma omp taskwait
            CHECK(done == 3000);
        }
#pragma omp taskwait
        CHECK(done == 3000);
        if (artel) {
#pragma omp task untied if (0) shared(done)
            {
                for (int i = 0; i < 10; ++i) {
#pragma omp task shared(done)
                    work(&done);
#pragma omp taskwait
                }
            }
            CHECK(done == 3010);
        }
#pragma omp task final(1) shared(done)
        {
            CHECK(omp_in_final());
            int before = done;
#pragma omp task shared(done) firstprivate(before)
            {
                CHECK(done == before);
                ++done;
            }
            CHECK(done == before + 1);
        }
    }

    /* Dependences. */
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 50; ++i) {
#pragma omp task depend(inout : x) shared(x)
            x = x * 3 % 1001 + 1;
#pragma omp task depend(in : x) depend(mutexinoutset : y) shared(x, y)
            y += x;
        }
        int all = 0;
#pragma omp task depend(inout : omp_all_memory) shared(all, x)
        all = x;
#pragma omp task depend(in : all) shared(all)
        CHECK(all != 0);
#pragma omp task if (0) depend(in : all) shared(all, x)
        CHECK(all == x);
#pragma omp taskwait depend(in : y)
    }
    int wanted_x = 0, wanted_y = 0;
    for (int i = 0; i < 50; ++i) {
        wanted_x = wanted_x * 3 % 1001 + 1;
        wanted_y += wanted_x;
    }
    CHECK(x == wanted_x);
    CHECK(y == wanted_y);

    /* Events. */
    int fulfilled = 0, after = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(fulfilled)
        work(&fulfilled);
#pragma omp task shared(fulfilled)
        {
            work(&fulfilled);
            omp_fulfill_event(event);
        }
#pragma omp task depend(in : x) shared(fulfilled, after)
        {
            CHECK(fulfilled >= 1);
            after = 1;
        }
    }
    CHECK(fulfilled == 2 && after == 1);
}

struct later {
    omp_event_handle_t event;
    int* done;
};

static void* fulfill_later(void* argument)
{
    const struct later* l = argument;
    usleep(20000);
    __atomic_store_n(l->done, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(l->event);
    return NULL;
}

/* Code that runs an undeferred task in its own place goes on while the event is open; barriers do
 * not. */
static void events_of_undeferred(void)
{
    for (int members = 1; members <= 4; ++members) {
        int done = 0;
        pthread_t thread;
        struct later what;
#pragma omp parallel num_threads(members)
        {
#pragma omp single nowait
            {
                omp_event_handle_t event;
#pragma omp task detach(event) if (0) shared(done, thread, what)
                {
                    what = (struct later){event, &done};
                    pthread_create(&thread, NULL, fulfill_later, &what);
                }
            }
#pragma omp barrier
            CHECK(__atomic_load_n(&done, __ATOMIC_ACQUIRE) == 1);
        }
        pthread_join(thread, NULL);
    }
}

static void reductions_of_tasks(void)
{
    long sum = 0, product = 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        for (int i = 0; i < 300; ++i) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
        CHECK(sum == 44850);
#pragma omp taskloop reduction(+ : sum) grainsize(7)
        for (int i = 0; i < 100; ++i) {
            sum += i;
        }
        CHECK(sum == 49800);
#pragma omp taskloop num_tasks(5) reduction(* : product)
        for (int i = 0; i < 20; ++i) {
            product *= i % 2 + 1;
        }
        CHECK(product == 1024);
        int last = 0;
#pragma omp taskloop lastprivate(last) if (0)
        for (int i = 0; i < 33; ++i) {
            last = i;
        }
        CHECK(last == 32);
    }
    long modified = 0;
    int members = 0;
#pragma omp parallel reduction(task, + : modified) reduction(+ : members)
    {
        members = 1;
        for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : modified)
            modified += i;
        }
    }
    CHECK(modified == 45L * members);
}

// Compilers use moves that need the alignment of the type, for the task's own copies too.
static void aligned_private_variables(void)
{
    typedef struct {
        _Alignas(64) double numbers[8];
    } line;
    line given = {{1, 2, 3}};
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(given)
            CHECK((uintptr_t)&given % 64 == 0 && given.numbers[2] == 3);
        }
#pragma omp taskloop firstprivate(given) grainsize(1)
        for (int i = 0; i < 50; i++) {
            CHECK((uintptr_t)&given % 64 == 0 && given.numbers[2] == 3);
        }
    }
}

static int flag;

static void set_flag(void)
{
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}

static void await_flag(void)
{
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {
    }
}

/* A task of a target construct goes on while all members spin on it, also when a member or no
   member ends its predecessor. */
static void target_tasks_beside_busy_members(void)
{
    flag = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp target nowait
            set_flag();
        }
        await_flag();
    }
    flag = 0;
    int x = 0;
    omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event)
    {
    }
#pragma omp target nowait depend(in : x)
    set_flag();
    omp_fulfill_event(event);
    await_flag();
    CHECK(flag == 1);
}

/* The limit of one target region is not that of the next one on the same helper. */
static void limits_of_target_tasks(void)
{
    enum { regions = 20 };
    int limited[regions] = {0}, sizes[regions] = {0};
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int limit = 1; limit >= 0; limit--) {
        int* const found = limit != 0 ? limited : sizes;
        for (int i = 0; i < regions; i++) {
            if (limit != 0) {
#pragma omp target nowait thread_limit(1) map(tofrom : found[i : 1])
                {
#pragma omp parallel num_threads(3)
#pragma omp single
                    found[i] = omp_get_num_threads();
                }
            } else {
#pragma omp target nowait map(tofrom : found[i : 1])
                {
#pragma omp parallel num_threads(3)
#pragma omp single
                    found[i] = omp_get_num_threads();
                }
            }
        }
#pragma omp taskwait
    }
    for (int i = 0; i < regions; i++)
        CHECK(limited[i] == 1 && sizes[i] == 3);
}

#if __clang_major__ >= 16
static void waits_that_nobody_waits_for(void)
{
    int x = 0, done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
        {
        }
#pragma omp taskwait depend(inout : x) nowait
#pragma omp task depend(in : x) shared(done)
        done = 1;
        CHECK(done == 0);
        omp_fulfill_event(event);
    }
    CHECK(done == 1);
}
#endif

int main(void)
{
    artel = getenv("UNDER_ARTEL") != NULL;
    tasks();
    aligned_private_variables();
    events_of_undeferred();
    reductions_of_tasks();
    target_tasks_beside_busy_members();
    if (artel) /* libomp ignores the limit of such a task */
        limits_of_target_tasks();
#if __clang_major__ >= 16
    if (artel) /* libomp waits */
        waits_that_nobody_waits_for();
#endif
    return finish("kmp_tasks");
}
