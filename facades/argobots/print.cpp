// ABT_info_print_*: text for people to read. Its form is not that of the stock library.
#include "print.hpp"

#include "runtime.hpp"

#include <cinttypes>
#include <mutex>

namespace artel::argobots {
namespace {

const char* state_name(const thread& t) noexcept
{
    unsigned state = t.state.load(std::memory_order_relaxed);  // relaxed: a moment's view
    if (t.ended()) {
        state = ABT_THREAD_STATE_TERMINATED;
    }
    switch (state) {
    case ABT_THREAD_STATE_READY: return "ready";
    case ABT_THREAD_STATE_RUNNING: return "running";
    case ABT_THREAD_STATE_BLOCKED: return "blocked";
    default: return "terminated";
    }
}

const char* pool_kind_name(const pool& p) noexcept
{
    return !p.ours()                      ? "user-defined"
           : p.kind == ABT_POOL_FIFO_WAIT ? "FIFO_WAIT"
           : p.kind == ABT_POOL_RANDWS    ? "RANDWS"
                                          : "FIFO";
}

const char* scheduler_name(const scheduler& s) noexcept
{
    return s.user_defined                     ? "user-defined"
           : s.predef == ABT_SCHED_PRIO       ? "PRIO"
           : s.predef == ABT_SCHED_RANDWS     ? "RANDWS"
           : s.predef == ABT_SCHED_BASIC_WAIT ? "BASIC_WAIT"
                                              : "BASIC";
}

void print(std::FILE* to, pool& p, const char* indent) noexcept
{
    std::fprintf(to, "%spool %d: %s, size %zu, with blocked units %zu, %s\n", indent, p.id,
                 pool_kind_name(p), p.has_size() ? p.size() : 0, p.has_size() ? p.total_size() : 0,
                 p.automatic ? "automatic" : "not automatic");
}

void print(std::FILE* to, const scheduler& s, const char* indent) noexcept
{
    std::fprintf(to, "%sscheduler %d: %s, %u pools, %s, requests %u\n", indent, s.id,
                 scheduler_name(s), s.count,
                 s.main_of != nullptr ? "of a stream"
                 : s.in_pool          ? "in a pool"
                                      : "not used",
                 s.requests.load(std::memory_order_relaxed));  // relaxed: a moment's view
    for (unsigned i = 0; i < s.count; ++i) {
        print(to, *s.pools[i], "    ");
    }
}

void print(std::FILE* to, const xstream& x) noexcept
{
    std::fprintf(to, "execution stream %d%s: %s\n",
                 x.rank.load(std::memory_order_relaxed),  // relaxed: see rank
                 x.primary ? " (primary)" : "",
                 x.running.load(std::memory_order_relaxed) ? "running"  // relaxed: a moment's view
                                                           : "terminated");
    print(to, *x.main, "  ");
}

void print(std::FILE* to, const thread& t) noexcept
{
    int stream = -1;  // stays -1 when the stream no longer exists
    if (runtime* const r = current(); r != nullptr) {
        const std::scoped_lock hold(r->lock);
        for (const xstream* x = r->streams; x != nullptr; x = x->next) {
            if (x == t.last) {
                stream = x->rank.load(std::memory_order_relaxed);  // relaxed: see rank
            }
        }
    }
    std::fprintf(to, "%s %" PRIu64 ": %s, %s%s, pool %d, stream %d\n",
                 t.tasklet ? "tasklet" : "ULT", t.id, state_name(t), t.named ? "named" : "unnamed",
                 t.primary ? ", primary" : "", t.in != nullptr ? t.in->id : -1, stream);
}

}  // namespace

bool pool::print_all(void* argument, void (*print)(void*, ABT_thread), bool units) noexcept
{
    // The function is called under the pool's lock, and may take locks for which forks wait.
    const sched::fork_section section;
    if (!ours()) {
        return print_all_user(argument, print, units);
    }
    const std::scoped_lock hold(lock_);
    for (sched::unit* u = first_; u != nullptr; u = u->younger) {
        auto* const t = static_cast<thread*>(u);
        print(argument, units ? reinterpret_cast<ABT_thread>(unit_of(*t)) : handle_of(t));
    }
    return true;
}

void print_config(std::FILE* to) noexcept
{
    const settings& s = current()->in_force;
    std::fprintf(to,
                 "Argobots interface of Artel, as Argobots " ABT_VERSION
                 "\n"
                 "  default stack size of ULTs: %zu, of schedulers: %zu\n"
                 "  events are looked at every %u units\n"
                 "  execution streams at most (not enforced): %u\n"
                 "  stack overflow check: %d, idle streams sleep\n",
                 s.thread_stack_size, s.scheduler_stack_size, s.event_frequency, s.max_xstreams,
                 s.overflow_check);
}

void print_stack(std::FILE* to, const thread& t) noexcept
{
    if (t.tasklet || t.on == nullptr) {
        std::fprintf(to, "%s %" PRIu64 " has no stack now\n", t.tasklet ? "tasklet" : "ULT", t.id);
        return;
    }
    const fiber::stack& s = t.on->stack;
    std::fprintf(to, "ULT %" PRIu64 ": stack from %p, %zu bytes, suspended at %p\n", t.id, s.low,
                 s.size, t.on->context);
    // The words above the stack pointer, for debugging.
    auto* const from = static_cast<const std::uintptr_t*>(t.on->context);
    auto* const end = static_cast<const std::uintptr_t*>(s.high());
    if (s.size == 0 || from < s.low || from >= end) {
        return;
    }
    for (unsigned i = 0; i < 32 && from + i + 1 < end; i += 2) {
        std::fprintf(to, "  %p: %016" PRIxPTR " %016" PRIxPTR "\n",
                     static_cast<const void*>(from + i), from[i], from[i + 1]);
    }
}

}  // namespace artel::argobots

using namespace artel::argobots;

namespace {

template <class Object, class Handle>
int print_object(std::FILE* to, Handle handle, int invalid) noexcept
{
    auto* const o = object<Object>(handle);
    if (o == nullptr) {
        return invalid;
    }
    print(to, *o);
    std::fflush(to);
    return ABT_SUCCESS;
}

void print_stack_of(void* to, ABT_thread t)
{
    print_stack(static_cast<std::FILE*>(to), *object_of(t));
}

}  // namespace

extern "C" {

int ABT_info_print_config(FILE* to)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    print_config(to);
    std::fflush(to);
    return ABT_SUCCESS;
}
int ABT_info_print_all_xstreams(FILE* to)
{
    runtime* const r = current();
    if (r == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    const std::scoped_lock hold(r->lock);
    for (const xstream* x = r->streams; x != nullptr; x = x->next) {
        print(to, *x);
    }
    std::fflush(to);
    return ABT_SUCCESS;
}
int ABT_info_print_xstream(FILE* to, ABT_xstream x)
{
    return print_object<xstream>(to, x, ABT_ERR_INV_XSTREAM);
}
int ABT_info_print_sched(FILE* to, ABT_sched handle)
{
    const scheduler* const s = object_of(handle);
    if (s == nullptr) {
        return ABT_ERR_INV_SCHED;
    }
    print(to, *s, "");
    std::fflush(to);
    return ABT_SUCCESS;
}
int ABT_info_print_pool(FILE* to, ABT_pool handle)
{
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    print(to, *p, "");
    std::fflush(to);
    return ABT_SUCCESS;
}
int ABT_info_print_thread(FILE* to, ABT_thread t)
{
    return print_object<thread>(to, t, ABT_ERR_INV_THREAD);
}
int ABT_info_print_task(FILE* to, ABT_task t)
{
    return print_object<thread>(to, t, ABT_ERR_INV_TASK);
}
int ABT_info_print_thread_attr(FILE* to, ABT_thread_attr handle)
{
    const auto* const a = object<thread_attributes>(handle);
    if (a == nullptr) {
        return ABT_ERR_INV_THREAD_ATTR;
    }
    std::fprintf(to, "attributes: stack %p, %zu bytes, %s, callback %s\n", a->stack, a->stack_size,
                 a->migratable ? "migratable" : "not migratable",
                 a->callback != nullptr ? "set" : "not set");
    std::fflush(to);
    return ABT_SUCCESS;
}
int ABT_info_print_thread_stack(FILE* to, ABT_thread handle)
{
    const thread* const t = object_of(handle);
    if (t == nullptr) {
        return ABT_ERR_INV_THREAD;
    }
    print_stack(to, *t);
    std::fflush(to);
    return ABT_SUCCESS;
}
int ABT_info_print_thread_stacks_in_pool(FILE* to, ABT_pool handle)
{
    pool* const p = object_of(handle);
    if (p == nullptr) {
        return ABT_ERR_INV_POOL;
    }
    const bool printed = p->print_all(to, print_stack_of, false);
    std::fflush(to);
    return printed ? ABT_SUCCESS : ABT_ERR_POOL;
}
}
