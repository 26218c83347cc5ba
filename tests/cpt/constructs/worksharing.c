/* Loops and sections that the members of a region share. */
#include "row.h"

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

const struct row rows[] = {
    {"for", for_},
    {"nowait", nowait},
    {"schedule of every kind", schedules},
    {"collapse", collapse},
    {"sections", sections},
    {"ordered", ordered},
    {"ordered(n), depend(sink)", doacross},
    {"loop", loop},
    {"simd", simd},
    {"scan", scan},
    {NULL, NULL},
};
