// Children as ULTs and tasklets of Argobots, awaited by eventuals or joined.
#include "family.hpp"

#include <abt.h>

namespace mixture {
namespace {

// One unit of a call.
struct unit {
    family* of;
    int child;
    ABT_eventual eventual = ABT_EVENTUAL_NULL;
};

void run_unit(void* argument)
{
    const unit& u = *static_cast<const unit*>(argument);
    u.of->child(u.child, unit_of_stream);
    if (u.eventual != ABT_EVENTUAL_NULL) {
        ABT_eventual_set(u.eventual, nullptr, 0);
    }
}

void must(const node& n, int code)
{
    if (code != ABT_SUCCESS) {
        char name[100] = "";
        ABT_error_get_str(code, name, nullptr);
        fail(n, name);
    }
}

}  // namespace

// Units in a pool of their own, which streams made for it serve: a stream whose unit waits for
// something else runs nothing meanwhile, so that a pool shared by all calls could have none left.
void run_abt(const node& n, family& f)
{
    const int k = n.children;
    const int streams = 1 + static_cast<int>(scramble(n.seed + 9) % 3);
    ABT_pool pool = ABT_POOL_NULL;
    must(n, ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &pool));
    ABT_xstream stream[3];
    for (int i = 0; i < streams; ++i) {
        must(n, ABT_xstream_create_basic(ABT_SCHED_BASIC_WAIT, 1, &pool, ABT_SCHED_CONFIG_NULL,
                                         &stream[i]));
    }
    unit units[9];
    ABT_thread threads[9];
    for (int i = 0; i < k; ++i) {
        units[i] = {&f, i};
        if (n.kind == abt_eventual) {
            must(n, ABT_eventual_create(0, &units[i].eventual));
        }
        if (n.kind == abt_units && n.depth == 1 && i % 2 != 0) {  // may not wait
            must(n, ABT_task_create(pool, run_unit, &units[i], &threads[i]));
        } else {
            must(n,
                 ABT_thread_create(pool, run_unit, &units[i], ABT_THREAD_ATTR_NULL, &threads[i]));
        }
    }
    for (int i = 0; i < k; ++i) {
        if (n.kind == abt_eventual) {
            must(n, ABT_eventual_wait(units[i].eventual, nullptr));
        }
        must(n, ABT_thread_free(&threads[i]));
        if (n.kind == abt_eventual) {
            must(n, ABT_eventual_free(&units[i].eventual));
        }
    }
    for (int i = 0; i < streams; ++i) {
        must(n, ABT_xstream_join(stream[i]));
        must(n, ABT_xstream_free(&stream[i]));
    }
    must(n, ABT_pool_free(&pool));
}

}  // namespace mixture
