/* ompt_tool.c — a tool for ompt_test.py: counts what begins and what ends, checks that what it
   keeps with threads, regions and tasks is what it gets back, and prints the counts at the end. It
   declares for itself what it needs of the interface, as gcc 12 brings no header for it. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef union {
    uint64_t value;
    void* ptr;
} data_t;
typedef struct {
    data_t exit, enter;
    int exit_flags, enter_flags;
} frame_t;
typedef void (*any_t)(void);
typedef any_t (*lookup_t)(const char*);
typedef struct {
    int (*initialize)(lookup_t, int, data_t*);
    void (*finalize)(data_t*);
    data_t data;
} start_t;

enum { begin = 1, end = 2 };

static data_t* (*get_thread_data)(void);
static uint64_t (*get_unique_id)(void);
static int (*get_task_info)(int, int*, data_t**, frame_t**, data_t**, int*);
static int (*set_callback)(int, any_t);

static atomic_long threads, threads_ended, regions, regions_ended, implicit, implicit_ended,
    created, completed, switches, syncs, syncs_ended, waits, waits_ended, acquires, acquired,
    released, works, works_ended, chunks, dependences, edges, bad;
static atomic_long iterations;

static void check(int good, const char* what)
{
    if (!good && atomic_fetch_add(&bad, 1) < 10)
        fprintf(stderr, "ompt_tool: %s\n", what);
}

#define COUNT(at, begun, ended) ((at) == begin ? ++(begun) : ++(ended))

static void thread_begin(int kind, data_t* mine)
{
    check(kind == 1 || kind == 2, "kind of thread");
    check(mine->value == 0 && mine == get_thread_data(), "data of a new thread");
    mine->value = get_unique_id();
    ++threads;
}
static void thread_end(data_t* mine)
{
    check(mine->value != 0 && mine == get_thread_data(), "data of a thread that ends");
    ++threads_ended;
}
static void parallel_begin(data_t* task, const frame_t* frame, data_t* region, unsigned requested,
                           int flags, const void* code)
{
    (void)requested, (void)flags;
    check(task->value != 0, "task that meets a region");
    check(frame->enter.ptr != NULL, "frame of a task that meets a region");
    check(region->value == 0 && code != NULL, "new region");
    region->value = get_unique_id();
    ++regions;
}
static void parallel_end(data_t* region, data_t* task, int flags, const void* code)
{
    (void)flags;
    check(region->value != 0 && task->value != 0 && code != NULL, "region that ends");
    ++regions_ended;
}
static void implicit_task(int at, data_t* region, data_t* task, unsigned size, unsigned number,
                          int flags)
{
    check(get_thread_data() != NULL && get_thread_data()->value != 0, "thread of an implicit task");
    if (at == begin) {
        check(task->value == 0 && region != NULL, "new implicit task");
        check((flags & 1) != 0 || number < size, "number of a member");
        if ((flags & 1) != 0)
            region->value = get_unique_id();
        check(region->value != 0, "region of an implicit task");
        task->value = get_unique_id();
    } else {
        check(task->value != 0, "implicit task that ends");
    }
    COUNT(at, implicit, implicit_ended);
}
static void task_create(data_t* task, const frame_t* frame, data_t* made, int flags, int depends,
                        const void* code)
{
    (void)frame, (void)depends;
    check(task->value != 0 && made->value == 0 && code != NULL, "new task");
    made->value = get_unique_id();
    if ((flags & 0x10) == 0) /* a taskwait with dependences only seems to be one */
        ++created;
}
static void task_schedule(data_t* prior, int status, data_t* next)
{
    check(prior->value != 0, "task that is left");
    if (status == 8 || status == 5 || status == 6)
        return;
    check(next != NULL && next->value != 0, "task that is turned to");
    if (status == 1 || status == 3)
        ++completed;
    else
        ++switches;
}
static void sync_region(int kind, int at, data_t* region, data_t* task, const void* code)
{
    (void)kind, (void)region, (void)code;
    check(task->value != 0, "task that waits");
    COUNT(at, syncs, syncs_ended);
}
static void sync_region_wait(int kind, int at, data_t* region, data_t* task, const void* code)
{
    (void)kind, (void)region, (void)task, (void)code;
    COUNT(at, waits, waits_ended);
}
static void mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t id,
                          const void* code)
{
    (void)kind, (void)hint, (void)implementation;
    check(id != 0 && code != NULL, "lock to be taken");
    ++acquires;
}
static void mutex_acquired(int kind, uint64_t id, const void* code)
{
    (void)kind, (void)id, (void)code;
    ++acquired;
}
static void mutex_released(int kind, uint64_t id, const void* code)
{
    (void)kind, (void)id, (void)code;
    ++released;
}
static void work(int kind, int at, data_t* region, data_t* task, uint64_t count, const void* code)
{
    (void)kind, (void)count, (void)code;
    check(region->value != 0 && task->value != 0, "task that shares work");
    COUNT(at, works, works_ended);
}
static void dispatch(data_t* region, data_t* task, int kind, data_t instance)
{
    (void)region, (void)task;
    ++chunks;
    if (kind == 3)
        iterations += (long)((uint64_t*)instance.ptr)[1];
}
static void depend(data_t* task, const void* list, int count)
{
    check(task->value != 0 && list != NULL && count > 0, "dependences");
    ++dependences;
}
static void edge(data_t* first, data_t* second)
{
    check(first->value != 0 && second->value != 0, "pair of tasks");
    ++edges;
}

static int initialize(lookup_t lookup, int device, data_t* mine)
{
    (void)device, (void)mine;
    get_thread_data = (data_t * (*)(void)) lookup("ompt_get_thread_data");
    get_unique_id = (uint64_t (*)(void))lookup("ompt_get_unique_id");
    get_task_info = (int (*)(int, int*, data_t**, frame_t**, data_t**, int*))lookup(
        "ompt_get_task_info");
    set_callback = (int (*)(int, any_t))lookup("ompt_set_callback");
    check(lookup("no such function") == NULL, "function that is not there");
    check(set_callback(0, NULL) == 0 && set_callback(10, NULL) == 1,
          "callbacks that are not there");
    const struct {
        int number;
        any_t function;
    } all[] = {{1, (any_t)thread_begin},    {2, (any_t)thread_end},
               {3, (any_t)parallel_begin},  {4, (any_t)parallel_end},
               {5, (any_t)task_create},     {6, (any_t)task_schedule},
               {7, (any_t)implicit_task},   {16, (any_t)sync_region_wait},
               {17, (any_t)mutex_released}, {18, (any_t)depend},
               {19, (any_t)edge},           {20, (any_t)work},
               {23, (any_t)sync_region},    {26, (any_t)mutex_acquire},
               {27, (any_t)mutex_acquired}, {32, (any_t)dispatch}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
        check(set_callback(all[i].number, all[i].function) == 5, "setting a callback");
    return 1;
}

static void finalize(data_t* mine)
{
    (void)mine;
    printf(
        "tool: threads %ld/%ld regions %ld/%ld implicit %ld/%ld tasks %ld/%ld switches %ld syncs "
        "%ld/%ld waits %ld/%ld locks %ld/%ld/%ld works %ld/%ld chunks %ld iterations %ld "
        "dependences %ld edges %ld bad %ld\n",
        threads, threads_ended, regions, regions_ended, implicit, implicit_ended, created,
        completed, switches, syncs, syncs_ended, waits, waits_ended, acquires, acquired, released,
        works, works_ended, chunks, iterations, dependences, edges, bad);
}

start_t* ompt_start_tool(unsigned version, const char* runtime)
{
    static start_t result = {initialize, finalize, {0}};
    if (getenv("OMPT_TOOL_DECLINES") != NULL)
        return NULL;
    check(version >= 201811 && runtime != NULL, "version of the runtime");
    return &result;
}
