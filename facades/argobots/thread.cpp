// Creation and end of work units.
#include "thread.hpp"

#include "keys.hpp"
#include "leaving.hpp"
#include "pool.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/worker.hpp"
#include "stack.hpp"

#include <cstdlib>
#include <new>

namespace artel::argobots {
namespace {

// relaxed: ids only need to differ.
std::atomic<std::uint64_t> ids{1};
constexpr unsigned ids_at_once = 1024;

// A stream takes many ids at once, so that most units cost no atomic operation. `x` is
// this_xstream(), here and below.
std::uint64_t new_id(xstream* x) noexcept
{
    if (x == nullptr) {
        return ids.fetch_add(1, std::memory_order_relaxed);  // relaxed: see ids
    }
    if (x->ids_left == 0) {
        // relaxed: see ids.
        x->next_id = ids.fetch_add(ids_at_once, std::memory_order_relaxed);
        x->ids_left = ids_at_once;
    }
    --x->ids_left;
    return x->next_id++;
}

waiter the_end;

constexpr unsigned spare_threads_kept = 1024;

void* room_for_thread(xstream* x) noexcept
{
    if (x != nullptr && x->spare_threads != nullptr) {
        thread* const t = x->spare_threads;
        x->spare_threads = static_cast<thread*>(t->older);
        --x->spare_thread_count;
        return t;
    }
    return std::malloc(sizeof(thread));
}

void give_room_back(thread* t, xstream* x) noexcept
{
    if (x == nullptr || x->spare_thread_count == spare_threads_kept) {
        std::free(t);
        return;
    }
    t->older = x->spare_threads;
    x->spare_threads = t;
    ++x->spare_thread_count;
}

struct join_wait : waiter {
    explicit join_wait(std::atomic<waiter*>& w) noexcept : word(w) {}
    std::atomic<waiter*>& word;
};

void settle(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    join_wait& w = *static_cast<join_wait*>(argument);
    w.who = &previous;
    // acquire (two): what the unit did, if it has ended.
    waiter* first = w.word.load(std::memory_order_acquire);
    do {
        if (first == over()) {
            wake(w);
            return;
        }
        w.next = first;  // several may join a stream
        // release: publishes the waiter to the end of the unit, after which the unit may be freed.
    } while (!w.word.compare_exchange_weak(first, &w, std::memory_order_release,
                                           std::memory_order_acquire));
}

}  // namespace

thread::thread() noexcept : thread(new_id(this_xstream())) {}

thread::thread(std::uint64_t number) noexcept
{
    static_cast<sched::unit&>(*this).rules = &the_rules;
    id = number;
}

waiter* over() noexcept
{
    return &the_end;
}

bool thread::ended() const noexcept
{
    return joiner.load(std::memory_order_acquire) == over();  // acquire: see the declaration
}

thread* self() noexcept
{
    const sched::worker* const w = sched::this_worker();
    if (w == nullptr || w->current->unit == nullptr || w->current->unit->rules != &the_rules) {
        return nullptr;
    }
    thread* const t = static_cast<thread*>(w->current->unit);
    return t->inner != nullptr ? t->inner : t;
}

thread* self_ult() noexcept
{
    thread* const t = self();
    return t != nullptr && !t->tasklet ? t : nullptr;
}

thread_extra* extra_of(thread& t) noexcept
{
    // acquire: pairs with the release below.
    thread_extra* e = t.extra.load(std::memory_order_acquire);
    if (e == nullptr) {
        thread_extra* const fresh = make<thread_extra>();
        if (fresh == nullptr) {
            return nullptr;
        }
        // release: publishes its members. acquire on failure: pairs with the thread that was
        // faster.
        if (t.extra.compare_exchange_strong(e, fresh, std::memory_order_release,
                                            std::memory_order_acquire)) {
            e = fresh;
        } else {
            drop(fresh);
        }
    }
    return e;
}

thread* make_thread(pool& in, void (*f)(void*), void* argument, const thread_attributes* a,
                    bool named, bool tasklet) noexcept
{
    xstream* const x = this_xstream();
    void* const room = room_for_thread(x);
    if (room == nullptr) {
        return nullptr;
    }
    auto* const t = new (room) thread(new_id(x));
    t->function = f;
    t->argument = argument;
    t->named = named;
    t->tasklet = tasklet;
    t->in = &in;
    if (a != nullptr) {
        thread_extra* const e = extra_of(*t);
        if (e == nullptr) {
            t->~thread();
            give_room_back(t, x);
            return nullptr;
        }
        e->attributes = *a;
        t->fixed.store(!a->migratable, std::memory_order_relaxed);  // relaxed: see the declaration
    }
    // Not for the primary ULT, which is the program's thread and has no function.
    const bool own = a != nullptr ? a->stack != nullptr || needs_own_stack(a->stack_size)
                                  : needs_own_stack(0);
    t->own_stack = own && !tasklet && f != nullptr;
    if (t->own_stack && !make_own_stack(*t)) {
        destroy(*t);
        return nullptr;
    }
    if (!in.ours() && associate(*t, in) != ABT_SUCCESS) {
        t->in = nullptr;
        destroy(*t);
        return nullptr;
    }
    return t;
}

void destroy(thread& t) noexcept
{
    drop_keys(t);
    if (t.user_unit != nullptr) {
        drop_user_unit(t);
    }
    discard_context(t);
    // relaxed: the unit is the caller's alone.
    if (thread_extra* const e = t.extra.load(std::memory_order_relaxed); e != nullptr) {
        free_own_stack(*e);
        drop(e);
    }
    t.~thread();
    give_room_back(&t, this_xstream());
}

void conclude(std::atomic<waiter*>& joiner) noexcept
{
    // release: publishes what the unit did to its joiners. acquire: the waiters as they were added.
    wake_chain(joiner.exchange(over(), std::memory_order_acq_rel));
}

void join(std::atomic<waiter*>& joiner) noexcept
{
    // acquire: pairs with the exchange in conclude().
    if (joiner.load(std::memory_order_acquire) != over()) {
        join_wait w(joiner);
        block(settle, &w);
    }
}

void conclude(thread& t) noexcept
{
    if (!t.named) {
        destroy(t);
    } else {
        conclude(t.joiner);
    }
}

void join(thread& t) noexcept
{
    join(t.joiner);
}

void revive(thread& t, void (*f)(void*), void* argument) noexcept
{
    discard_context(t);
    t.function = f;
    t.argument = argument;
    // relaxed (three): nobody else knows it until it is pushed.
    t.requests.store(0, std::memory_order_relaxed);
    t.state.store(ABT_THREAD_STATE_READY, std::memory_order_relaxed);
    t.joiner.store(nullptr, std::memory_order_relaxed);
}

}  // namespace artel::argobots
