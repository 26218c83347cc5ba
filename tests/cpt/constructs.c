/* One function per row of docs/cpt-constructs.md: 0 when the construct did what it is for. Started
 * with a row's name, or with none to list all rows. Run with fewer streams than threads, so that a
 * construct which kept an OS thread while its thread waits would never end. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { threads = 4, n = 1000 };

static int parallel_for(void)
{
    int sum = 0, times[n] = {0};
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++)
        times[i]++;
    for (int i = 0; i < n; i++)
        sum += times[i] == 1;
    return sum != n;
}
static int parallel(void)
{
    int seen[threads] = {0}, sum = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        seen[omp_get_thread_num()]++;
    }
    for (int i = 0; i < threads; i++)
        sum += seen[i] == 1;
    return sum != threads;
}
static int nested_parallel(void)
{
    int count = 0, levels = 0;
#pragma omp parallel num_threads(threads)
#pragma omp parallel num_threads(3)
    {
#pragma omp barrier
#pragma omp atomic
        count++;
#pragma omp atomic
        levels += omp_get_level() == 2 && omp_get_ancestor_thread_num(1) < threads;
    }
    return count != 3 * threads || levels != count;
}
static int for_(void)
{
    int a[n], wrong = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = i;
#pragma omp for reduction(+ : wrong)
        for (int i = 0; i < n; i++)
            wrong += a[n - 1 - i] != n - 1 - i;
    }
    return wrong;
}
static int critical(void)
{
    int sum = 0, other = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
#pragma omp critical
        sum++;
#pragma omp critical(named)
        {
            int before = other;
#pragma omp taskyield
            other = before + 1;
        }
    }
    return sum != 100 * threads || other != sum;
}
static int master(void)
{
    int who = -1, count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp master
    {
        who = omp_get_thread_num();
        count++;
    }
    return who != 0 || count != 1;
}
static int masked(void)
{
    int who = -1;
#pragma omp parallel num_threads(threads)
#pragma omp masked filter(2)
    who = omp_get_thread_num();
    return who != 2;
}
static int single(void)
{
    int count = 0, seen = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 10; i++) {
#pragma omp single
        count++;
#pragma omp atomic
        seen += count == i + 1;
#pragma omp barrier
    }
    return count != 10 || seen != 10 * threads;
}
static int barrier(void)
{
    int arrived = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 1; i <= 20; i++) {
#pragma omp atomic
        arrived++;
#pragma omp barrier
        int now;
#pragma omp atomic read
        now = arrived;
#pragma omp atomic
        wrong += now != i * threads;
#pragma omp barrier
    }
    return wrong;
}
static int flush(void)
{
    int ready = 0, value = 0, got = 0;
#pragma omp parallel num_threads(2) shared(ready, value, got)
    {
        if (omp_get_thread_num() == 1) {
            value = 7;
#pragma omp flush
#pragma omp atomic write
            ready = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp flush
#pragma omp atomic read
                seen = ready;
            }
            got = value;
        }
    }
    return got != 7;
}
static int nowait(void)
{
    int passed = 0, sum = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < threads; i++) {
            /* The first iteration's thread waits until another one has left the loop. */
            int left = i != 0;
            while (!left) {
#pragma omp flush
#pragma omp atomic read
                left = passed;
            }
        }
#pragma omp atomic write
        passed = 1;
#pragma omp atomic
        sum++;
    }
    return sum != threads;
}
static int num_threads(void)
{
    int size = 0;
#pragma omp parallel num_threads(5)
#pragma omp single
    size = omp_get_num_threads();
    return size != 5;
}
static int private_(void)
{
    int x = 3, y = 4, wrong = 0;
#pragma omp parallel num_threads(threads) private(x) firstprivate(y) reduction(+ : wrong)
    {
        x = omp_get_thread_num();
        y += x;
#pragma omp barrier
        wrong += x != omp_get_thread_num() || y != 4 + x;
    }
    return wrong || x != 3 || y != 4;
}
static int lastprivate(void)
{
    int x = 0;
#pragma omp parallel for num_threads(threads) lastprivate(x) schedule(dynamic)
    for (int i = 0; i < n; i++)
        x = i;
    return x != n - 1;
}
static int reduction(void)
{
    int sum = 5, most = 0, all = 1;
#pragma omp parallel for num_threads(threads) reduction(+ : sum) reduction(max : most) \
    reduction(&& : all)
    for (int i = 0; i < n; i++) {
        sum += i;
        most = i > most ? i : most;
        all = all && i >= 0;
    }
    return sum != 5 + n * (n - 1) / 2 || most != n - 1 || !all;
}
static int reduction_of_arrays(void)
{
    int a[4] = {0}, *p = a, sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : p[0 : 4])
    for (int i = 0; i < n; i++)
        p[i % 4] += i;
    for (int i = 0; i < 4; i++)
        sum += a[i];
    return sum != n * (n - 1) / 2;
}
struct pair {
    int least, most;
};
#pragma omp declare reduction(                                                              \
        range : struct pair : omp_out.least = omp_in.least < omp_out.least ? omp_in.least   \
                                                                           : omp_out.least, \
            omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most)         \
    initializer(omp_priv = {1 << 30, -1})
static int declared_reduction(void)
{
    struct pair p = {1 << 30, -1};
#pragma omp parallel for num_threads(threads) reduction(range : p)
    for (int i = 3; i < n; i++) {
        p.least = i < p.least ? i : p.least;
        p.most = i > p.most ? i : p.most;
    }
    return p.least != 3 || p.most != n - 1;
}
static int set_num_threads(void)
{
    int size = 0;
    omp_set_num_threads(3);
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size != 3;
}
static int get_num_threads(void)
{
    int wrong = omp_get_num_threads() != 1;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += omp_get_num_threads() != threads;
    return wrong;
}
static int get_max_threads(void)
{
    omp_set_num_threads(7);
    return omp_get_max_threads() != 7;
}
static int get_thread_num(void)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += 1 << omp_get_thread_num();
    return sum != (1 << threads) - 1 || omp_get_thread_num() != 0;
}
static int in_parallel(void)
{
    int wrong = omp_in_parallel();
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += !omp_in_parallel();
    return wrong;
}
static int get_num_procs(void)
{
    return omp_get_num_procs() < 1;
}
static int locks(int with_test)
{
    omp_lock_t lock;
    int sum = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
        if (!with_test) {
            omp_set_lock(&lock);
        } else {
            while (!omp_test_lock(&lock)) {
            }
        }
        int before = sum;
        if (i % 10 == 0) {
#pragma omp taskyield
        }
        sum = before + 1;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return sum != 100 * threads;
}
static int init_lock(void)
{
    /* Each of many is a lock of its own, free from the start. */
    omp_lock_t all[20];
    int wrong = 0;
    for (int i = 0; i < 20; i++)
        omp_init_lock(&all[i]);
    for (int i = 0; i < 20; i++)
        wrong += !omp_test_lock(&all[i]);
    for (int i = 0; i < 20; i++) {
        omp_unset_lock(&all[i]);
        omp_destroy_lock(&all[i]);
    }
    return wrong;
}
static int destroy_lock(void)
{
    /* What was destroyed while others used the same memory before can be made anew. */
    omp_lock_t lock;
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
        {
            omp_set_lock(&lock);
            sum++;
            omp_unset_lock(&lock);
        }
        omp_destroy_lock(&lock);
    }
    return sum != 20 * threads;
}
static int set_lock(void)
{
    return locks(0);
}
static int unset_lock(void)
{
    /* Who waits goes on when the owner, which waits for somebody else in between, gives it up. */
    omp_lock_t lock;
    int waiting = 0, order = 0, got = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
#pragma omp barrier
            int seen = 0;
            while (!seen) {
#pragma omp flush
#pragma omp atomic read
                seen = waiting;
            }
            order = 1;
            omp_unset_lock(&lock);
        } else {
#pragma omp barrier
#pragma omp atomic write
            waiting = 1;
            omp_set_lock(&lock);
            got = order;
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return got != 1;
}
static int test_lock(void)
{
    return locks(1);
}
static int nest_lock(void)
{
    omp_nest_lock_t lock;
    int sum = 0, deepest = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(threads)
    {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        int depth = omp_test_nest_lock(&lock);
        deepest = depth > deepest ? depth : deepest;
        sum++;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    return sum != threads || deepest != 3;
}
static int get_wtime(void)
{
    double before = omp_get_wtime();
    return omp_get_wtime() < before || omp_get_wtick() <= 0;
}
static int sections(void)
{
    int a = 0, b = 0, c = 0;
#pragma omp parallel sections num_threads(threads)
    {
#pragma omp section
        a++;
#pragma omp section
        b++;
#pragma omp section
        c++;
    }
    return a != 1 || b != 1 || c != 1;
}
static int ordered(void)
{
    int next = 0, wrong = 0;
#pragma omp parallel for num_threads(threads) ordered schedule(dynamic, 3)
    for (int i = 0; i < 100; i++) {
#pragma omp ordered
        wrong += next++ != i;
    }
    return wrong || next != 100;
}
static int doacross(void)
{
    int a[50][20] = {{0}}, wrong = 0;
#pragma omp parallel for num_threads(threads) ordered(2) schedule(static, 1)
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 20; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            a[i][j] = 1 + (i > 0 ? a[i - 1][j] : 0);
#pragma omp ordered depend(source)
        }
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 20; j++)
            wrong += a[i][j] != i + 1;
    return wrong;
}
static int atomic(void)
{
    int x = 0, bits = 0;
    double d = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        x += 2;
#pragma omp atomic update seq_cst
        d = 0.5 + d;
#pragma omp atomic
        bits |= 1 << i % 20;
    }
    return x != 200 * threads || d != 50 * threads || bits != (1 << 20) - 1;
}
static int atomic_read_write(void)
{
    long long both = 0;
    int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    for (int i = 0; i < 1000; i++) {
        long long seen, value = omp_get_thread_num();
#pragma omp atomic write release
        both = value << 32 | value;
#pragma omp atomic read acquire
        seen = both;
        wrong += seen >> 32 != (seen & 0xffffffff);
    }
    return wrong;
}
static int atomic_capture(void)
{
    static int times[100 * threads], doubled[100 * threads + 1];
    int next = 0, other = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
        int before, after;
#pragma omp atomic capture
        before = next++;
        times[before]++;
#pragma omp atomic capture
        {
            other += 1;
            after = other;
        }
        doubled[after]++;
    }
    for (int i = 0; i < 100 * threads; i++)
        wrong += times[i] != 1 || doubled[i + 1] != 1;
    return wrong;
}
static int atomic_compare(void)
{
    int largest = 0, owner = -1, owners = 0;
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num(), mine;
        for (int i = 0; i < 100; i++) {
            int value = 100 * me + i;
#pragma omp atomic compare
            largest = largest < value ? value : largest;
        }
#pragma omp atomic compare capture
        {
            mine = owner == -1;
            if (mine) {
                owner = me;
            }
        }
#pragma omp atomic
        owners += mine;
    }
    return largest != 100 * threads - 1 || owners != 1;
}
static int schedule(const char* kind)
{
    int times[n] = {0}, sum = 0;
    omp_set_schedule(strcmp(kind, "static") == 0   ? omp_sched_static
                     : strcmp(kind, "guided") == 0 ? omp_sched_guided
                     : strcmp(kind, "auto") == 0   ? omp_sched_auto
                                                   : omp_sched_dynamic,
                     7);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; i++)
            times[i]++;
#pragma omp for schedule(static, 3)
        for (int i = 0; i < n; i++)
            times[i]++;
#pragma omp for schedule(dynamic, 5)
        for (int i = 0; i < n; i++)
            times[i]++;
#pragma omp for schedule(guided)
        for (int i = 0; i < n; i++)
            times[i]++;
#pragma omp for schedule(auto)
        for (int i = 0; i < n; i++)
            times[i]++;
    }
    for (int i = 0; i < n; i++)
        sum += times[i] == 5;
    return sum != n;
}
static int schedules(void)
{
    return schedule("static") || schedule("dynamic") || schedule("guided") || schedule("auto");
}
static int collapse(void)
{
    int sum = 0;
#pragma omp parallel for num_threads(threads) collapse(2) reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        for (int j = i; j < 10; j++)
            sum += 10 * i + j;
    int wanted = 0;
    for (int i = 0; i < 10; i++)
        for (int j = i; j < 10; j++)
            wanted += 10 * i + j;
    return sum != wanted;
}
static int fib(int k)
{
    int a, b;
    if (k < 2)
        return k;
#pragma omp task shared(a)
    a = fib(k - 1);
#pragma omp task shared(b)
    b = fib(k - 2);
#pragma omp taskwait
    return a + b;
}
static int task(void)
{
    int result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    result = fib(15);
    return result != 610;
}
static int task_untied(void)
{
    int sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task untied mergeable
        {
#pragma omp taskyield
#pragma omp atomic
            sum += i;
        }
    }
    return sum != 4950;
}
static int task_if_final(void)
{
    int wrong = 0, order = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task if (0) shared(order)
        order = 1;
        wrong += order != 1;
#pragma omp task final(1) shared(wrong)
        wrong += !omp_in_final();
    }
    return wrong;
}
static int depend(void)
{
    int x = 0, y = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task depend(out : x) shared(x)
        x = i;
#pragma omp task depend(in : x) depend(inout : y) shared(x, y, wrong)
        {
            wrong += x != i || y != i;
            y++;
        }
    }
    return wrong || y != 50;
}
static int detach(void)
{
    int after = 0;
    omp_event_handle_t event;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task detach(event)
        {
        }
#pragma omp task shared(after)
        {
            after = 1;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        after += after == 1;
    }
    return after != 2;
}
static int taskgroup(void)
{
    int sum = 0, seen = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp task
                {
#pragma omp atomic
                    sum++;
                }
            }
        }
        seen = sum;
    }
    return seen != 10;
}
static int taskloop(void)
{
    int times[n] = {0}, sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop grainsize(7)
    for (int i = 0; i < n; i++)
        times[i]++;
    for (int i = 0; i < n; i++)
        sum += times[i] == 1;
    return sum != n;
}
static int task_reduction(void)
{
    int sum = 1;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    return sum != 4951;
}
static int counter = 5;
#pragma omp threadprivate(counter)
static int threadprivate(void)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
        wrong += counter != 5;
        counter += omp_get_thread_num();
    }
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += counter != 5 + omp_get_thread_num();
    return wrong;
}
static int copyin(void)
{
    int wrong = 0;
    counter = 42;
#pragma omp parallel num_threads(threads) copyin(counter) reduction(+ : wrong)
    wrong += counter != 42;
    return wrong;
}
static int copyprivate(void)
{
    int x, wrong = 0;
#pragma omp parallel num_threads(threads) private(x) reduction(+ : wrong)
    {
#pragma omp single copyprivate(x)
        x = 99;
        wrong += x != 99;
    }
    return wrong;
}
static int cancel(void)
{
    int done = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100000; i++) {
#pragma omp atomic
            done++;
#pragma omp cancel for
        }
    }
    return omp_get_cancellation() ? done > 100 : done != 100000;
}
static int cancel_others(void)
{
    int after = 0, sum = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp cancel parallel
#pragma omp atomic
        after++;
    }
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 1000; i++) {
#pragma omp task shared(sum)
        {
#pragma omp atomic
            sum++;
#pragma omp cancel taskgroup
        }
    }
    return omp_get_cancellation() ? after != 0 || sum == 0 : after != threads || sum != 1000;
}
static int scope(void)
{
    int sum = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp scope reduction(+ : sum)
        sum += omp_get_thread_num();
#pragma omp atomic
        wrong += sum != threads * (threads - 1) / 2;
    }
    return wrong;
}
static int loop(void)
{
    int times[n] = {0}, sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp loop
    for (int i = 0; i < n; i++)
        times[i]++;
    for (int i = 0; i < n; i++)
        sum += times[i] == 1;
    return sum != n;
}
static int conditional_lastprivate(void)
{
    int x = -1;
#pragma omp parallel for num_threads(threads) lastprivate(conditional : x) schedule(dynamic, 7)
    for (int i = 0; i < n; i++)
        if (i % 3 == 0 && i < 700)
            x = i;
    return x != 699;
}
static int depobj(void)
{
    int x = 0, got = 0;
    omp_depend_t object;
#pragma omp depobj(object) depend(out : x)
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task depend(depobj : object) shared(x)
        x = 5;
#pragma omp task depend(in : x) shared(x, got)
        got = x;
    }
#pragma omp depobj(object) destroy
    return got != 5;
}
static int teams(void)
{
    int sum = 0;
#pragma omp teams num_teams(3) reduction(+ : sum)
#pragma omp distribute parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < n; i++)
        sum += i;
    return sum != n * (n - 1) / 2;
}
static int simd(void)
{
    float a[n], sum = 0;
#pragma omp parallel for simd num_threads(threads)
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum != n;
}
static int scan(void)
{
    int a[n], x = 0, wrong = 0;
#pragma omp parallel for num_threads(threads) reduction(inscan, + : x)
    for (int i = 0; i < n; i++) {
        x += i;
#pragma omp scan inclusive(x)
        a[i] = x;
    }
    for (int i = 0; i < n; i++)
        wrong += a[i] != i * (i + 1) / 2;
    return wrong;
}
static int allocators(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}};
    omp_allocator_handle_t h = omp_init_allocator(omp_default_mem_space, 1, traits);
    void* p = omp_alloc(100, h);
    int wrong = p == NULL || (unsigned long)p % 256 != 0;
    omp_free(p, h);
    omp_destroy_allocator(h);
    return wrong;
}

static const struct {
    const char* name;
    int (*test)(void);
} rows[] = {
    {"parallel for", parallel_for},
    {"parallel", parallel},
    {"for", for_},
    {"critical", critical},
    {"master", master},
    {"single", single},
    {"barrier", barrier},
    {"flush", flush},
    {"nowait", nowait},
    {"num_threads", num_threads},
    {"private", private_},
    {"reduction", reduction},
    {"omp_set_num_threads", set_num_threads},
    {"omp_get_num_threads", get_num_threads},
    {"omp_get_max_threads", get_max_threads},
    {"omp_get_thread_num", get_thread_num},
    {"omp_in_parallel", in_parallel},
    {"omp_get_num_procs", get_num_procs},
    {"omp_init_lock", init_lock},
    {"omp_destroy_lock", destroy_lock},
    {"omp_set_lock", set_lock},
    {"omp_unset_lock", unset_lock},
    {"omp_test_lock", test_lock},
    {"omp_get_wtime", get_wtime},
    {"nested parallel", nested_parallel},
    {"masked", masked},
    {"lastprivate", lastprivate},
    {"lastprivate(conditional)", conditional_lastprivate},
    {"schedule of every kind", schedules},
    {"collapse", collapse},
    {"reduction of arrays", reduction_of_arrays},
    {"declare reduction", declared_reduction},
    {"sections", sections},
    {"ordered", ordered},
    {"ordered(n), depend(sink)", doacross},
    {"atomic", atomic},
    {"atomic read, write", atomic_read_write},
    {"atomic capture", atomic_capture},
    {"atomic compare", atomic_compare},
    {"nest locks", nest_lock},
    {"task, taskwait", task},
    {"untied, mergeable, taskyield", task_untied},
    {"if, final", task_if_final},
    {"depend", depend},
    {"depobj", depobj},
    {"detach", detach},
    {"taskgroup", taskgroup},
    {"taskloop", taskloop},
    {"task_reduction", task_reduction},
    {"threadprivate", threadprivate},
    {"copyin", copyin},
    {"copyprivate", copyprivate},
    {"cancel for", cancel},
    {"cancel parallel, taskgroup", cancel_others},
    {"scope", scope},
    {"loop", loop},
    {"teams, distribute", teams},
    {"simd", simd},
    {"scan", scan},
    {"allocators", allocators},
};

int main(int count, char** arguments)
{
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (count < 2)
            printf("%s\n", rows[i].name);
        else if (strcmp(arguments[1], rows[i].name) == 0)
            return rows[i].test() != 0;
    }
    return count < 2 ? 0 : 2;
}
