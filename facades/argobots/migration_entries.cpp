// ABT_thread_migrate* and ABT_thread_set_associated_pool: threads that go to another pool.
#include "runtime.hpp"
#include "scheduler.hpp"
#include "thread.hpp"

using namespace artel::argobots;

extern "C" {

int ABT_thread_set_associated_pool(ABT_thread handle, ABT_pool with)
{
    thread* const t = object_of(handle);
    pool* const p = object_of(with);
    return t == nullptr           ? ABT_ERR_INV_THREAD
           : p == nullptr         ? ABT_ERR_INV_POOL
           : current() == nullptr ? ABT_ERR_UNINITIALIZED
                                  : associate(*t, *p);
}
int ABT_thread_migrate_to_pool(ABT_thread handle, ABT_pool to)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    thread* const t = object_of(handle);
    pool* const p = object_of(to);
    return t == nullptr   ? ABT_ERR_INV_THREAD
           : p == nullptr ? ABT_ERR_INV_POOL
                          : ask_to_migrate(*t, *p);
}
int ABT_thread_migrate_to_sched(ABT_thread handle, ABT_sched sched)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    thread* const t = object_of(handle);
    scheduler* const s = object_of(sched);
    if (t == nullptr || s == nullptr) {
        return t == nullptr ? ABT_ERR_INV_THREAD : ABT_ERR_INV_SCHED;
    }
    if (t->main_scheduler || t->fixed.load(std::memory_order_relaxed)) {  // relaxed: see fixed
        return ABT_ERR_INV_THREAD;
    }
    if (s->has_pool(*t->in)) {
        return ABT_ERR_MIGRATION_TARGET;
    }
    pool* const p = pool_for_migration(*s, t->in);
    return p == nullptr ? ABT_ERR_MIGRATION_TARGET : ask_to_migrate(*t, *p);
}
int ABT_thread_migrate_to_xstream(ABT_thread handle, ABT_xstream to)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    const xstream* const x = object_of(to);
    if (object_of(handle) == nullptr || x == nullptr) {
        return object_of(handle) == nullptr ? ABT_ERR_INV_THREAD : ABT_ERR_INV_XSTREAM;
    }
    return ABT_thread_migrate_to_sched(handle, handle_of(x->main));
}
int ABT_thread_migrate(ABT_thread handle)
{
    thread* const t = object_of(handle);
    runtime* const r = current();
    if (t == nullptr || r == nullptr) {
        return r == nullptr ? ABT_ERR_UNINITIALIZED : ABT_ERR_INV_THREAD;
    }
    if (t->main_scheduler || t->fixed.load(std::memory_order_relaxed)) {  // relaxed: see fixed
        return ABT_ERR_INV_THREAD;
    }
    int error = ABT_ERR_MIGRATION_NA;
    r->lock.lock();
    for (xstream* x = r->streams; x != nullptr && error != ABT_SUCCESS; x = x->next) {
        if (x->running.load(std::memory_order_relaxed) &&  // relaxed: it may end at any time
            !x->main->has_pool(*t->in)) {
            pool* const p = pool_for_migration(*x->main, t->in);
            if (p != nullptr) {
                error = ask_to_migrate(*t, *p);
                break;
            }
        }
    }
    r->lock.unlock();
    return error;
}
}
