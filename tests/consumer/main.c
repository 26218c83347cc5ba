/* The same in C: <artel.h> must be a C header. One use of each part of the interface, as
   docs/c-api.md lists them. */
#include <artel.h>
#include <errno.h>
#include <stdio.h>

#define N 1000

static artel_mutex lock = ARTEL_MUTEX_INIT;
static artel_condition filled = ARTEL_CONDITION_INIT;
static artel_feb word = ARTEL_FEB_EMPTY;
static artel_latch left = ARTEL_LATCH_INIT(1);
static artel_semaphore permits = ARTEL_SEMAPHORE_INIT(1);
static artel_sinc all = ARTEL_SINC_INIT(2);
static artel_shared_mutex shared = ARTEL_SHARED_MUTEX_INIT;
static artel_barrier two;
static int items;

static void add_up(void* numbers, int64_t begin, int64_t end, void* sum)
{
    for (; begin < end; ++begin) {
        *(double*)sum += ((const double*)numbers)[begin];
    }
}

static void add(void* context, void* left_sum, const void* right_sum)
{
    (void)context;
    *(double*)left_sum += *(const double*)right_sum;
}

static void fill(void* numbers, int64_t begin, int64_t end)
{
    for (; begin < end; ++begin) {
        ((double*)numbers)[begin] = (double)(N - begin);
    }
}

static int by_size(const void* a, const void* b, void* context)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    (void)context;
    return x < y ? -1 : x > y;
}

static void produce(void* context)
{
    (void)context;
    artel_mutex_lock(&lock);
    ++items;
    artel_mutex_unlock(&lock);
    artel_condition_notify_one(&filled);
    artel_feb_write_ef(&word, 42);
    artel_semaphore_acquire(&permits);
    artel_semaphore_release(&permits, 1);
    artel_shared_mutex_lock_shared(&shared);
    artel_shared_mutex_unlock_shared(&shared);
    artel_sinc_submit(&all, 1);
    artel_latch_count_down(&left, 1);
    artel_barrier_wait(&two);
}

static void submit(void* context)
{
    (void)context;
    artel_sinc_submit(&all, 1);
}

static void* twice(void* number)
{
    *(int*)number *= 2;
    return number;
}

static void resume(artel_suspend_point here, void* context)
{
    (void)context;
    artel_resume(here);
}

int main(void)
{
    double numbers[N];
    double sum = 0;
    int number = 21;
    artel_loop_options how = {1, ARTEL_STATIC, NULL};
    artel_task_group group;
    artel_light_thread* thread;
    artel_future result = ARTEL_FUTURE_INIT;
    artel_key key;
    int i;

    artel_parallel_for(0, N, 1, fill, numbers);
    if (artel_parallel_for_with(&how, 0, N, fill, numbers) != 0 ||
        artel_parallel_reduce(&how, 0, N, sizeof sum, &sum, add_up, add, numbers) != 0 ||
        sum != N * (N + 1) / 2 ||
        artel_parallel_sort(numbers, N, sizeof numbers[0], by_size, NULL) != 0) {
        return 1;
    }
    for (i = 0; i < N; ++i) {
        if (numbers[i] != i + 1) {
            return 2;
        }
    }
    if (artel_task_group_init(&group, NULL) != 0 ||
        artel_task_group_run(&group, submit, NULL) != 0 || artel_task_group_wait(&group) != 0) {
        return 3;
    }
    artel_task_group_destroy(&group);
    if (artel_barrier_init(&two, 2, NULL, NULL) != 0 ||
        artel_light_thread_start(&thread, produce, NULL) != 0) {
        return 4;
    }
    artel_mutex_lock(&lock);
    while (items == 0) {
        artel_condition_wait(&filled, &lock);
    }
    artel_mutex_unlock(&lock);
    artel_condition_destroy(&filled);
    if (artel_feb_read_fe(&word) != 42) {
        return 5;
    }
    artel_sinc_wait(&all);
    artel_latch_wait(&left);
    artel_barrier_wait(&two);
    if (artel_light_thread_join(thread) != 0 || artel_light_thread_join(NULL) != EINVAL) {
        return 6;
    }
    if (artel_async(&result, twice, &number) != 0 || *(int*)artel_future_get(&result) != 42) {
        return 7;
    }
    artel_key_init(&key, NULL);
    if (artel_key_set(&key, &number) != 0 || artel_key_get(&key) != &number) {
        return 8;
    }
    artel_suspend(resume, NULL);
    artel_yield();
    artel_sleep_for(1000);

    printf("artel %s\n", artel_version());
    return 0;
}
