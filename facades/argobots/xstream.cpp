// The life of an execution stream.
#include "xstream.hpp"

#include "base/cpu.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/worker.hpp"
#include "stack.hpp"
#include "waiters.hpp"

#include <cstdlib>
#include <mutex>
#include <utility>

namespace artel::argobots {
namespace {

// ULTs that have set another main scheduler for their stream, and go on under that one. Few at any
// time, so all streams share the list.
base::spinlock replacing;  // over it, and over next_main of all streams
waiter_list replacers{};

thread& ult_of(const waiter& w) noexcept
{
    return *static_cast<thread*>(w.who->unit);
}

// Those of the stream: a chain. With the lock held.
waiter* take_replacers(const xstream& x) noexcept
{
    waiter* taken = nullptr;
    waiter_list others{};
    for (waiter* w = replacers.take(); w != nullptr;) {
        waiter* const next = w->next;
        if (ult_of(*w).last == &x) {
            w->next = taken;
            taken = w;
        } else {
            others.push(*w);
        }
        w = next;
    }
    replacers = others;
    return taken;
}

// The caller, and those who wait for a scheduler that will never begin now, belong to the first
// pool of `s` from here on.
int move_replacers(const xstream& x, thread& me, scheduler& s) noexcept
{
    if (s.count == 0) {
        return ABT_SUCCESS;
    }
    replacing.lock();
    waiter* const waiting = take_replacers(x);
    replacing.unlock();
    int error = associate(me, *s.pools[0]);
    for (const waiter* w = waiting; w != nullptr && error == ABT_SUCCESS; w = w->next) {
        error = associate(ult_of(*w), *s.pools[0]);
    }
    replacing.lock();
    for (waiter* w = waiting; w != nullptr;) {
        waiter* const next = w->next;
        replacers.push(*w);
        w = next;
    }
    replacing.unlock();
    return error;
}

bool watch_pools(xstream& x, scheduler& s) noexcept
{
    for (unsigned i = 0; i < s.count; ++i) {
        if (!s.pools[i]->add_watcher(x, i == 0)) {
            while (i != 0) {
                s.pools[--i]->remove_watcher(x);
            }
            return false;
        }
    }
    return true;
}

void leave_pools(xstream& x, scheduler& s) noexcept
{
    for (unsigned i = 0; i < s.count; ++i) {
        s.pools[i]->remove_watcher(x);
    }
}

void release(scheduler& s) noexcept
{
    s.main_of = nullptr;
    s.requests.store(0, std::memory_order_relaxed);  // relaxed: nobody else uses it now
    if (s.automatic) {
        free_scheduler(s);
    }
}

// The end of a root, on another stack. The stream is its owner's once it has ended.
void root_ended(fiber::carrier&, fiber::fiber& root, void* argument)
{
    xstream& x = *static_cast<xstream*>(argument);
    free_root_context(root);
    x.root = nullptr;
    x.running.store(false, std::memory_order_relaxed);  // relaxed: ordered by the joiner's word
    if (!x.primary) {
        conclude(x.joiner);
    }
}

[[noreturn]] void run_root(fiber::fiber& f)
{
    for (;;) {
        xstream& x = *static_cast<xstream*>(f.stream);
        scheduler& s = *x.main;
        f.unit = s.unit;
        s.unit->on = &f;
        s.unit->last = &x;
        s.unit->state.store(ABT_THREAD_STATE_RUNNING,
                            std::memory_order_relaxed);  // relaxed: see state
        if (s.user_defined) {
            s.def.run(handle_of(&s));
        } else {
            run_scheduler(s);
        }
        s.unit->on = nullptr;
        s.unit->state.store(ABT_THREAD_STATE_TERMINATED,
                            std::memory_order_relaxed);  // relaxed: see state
        if (x.next_main == nullptr) {
            break;
        }
        replacing.lock();
        x.main = std::exchange(x.next_main, nullptr);
        waiter* const waiting = take_replacers(x);
        replacing.unlock();
        f.unit = x.main->unit;
        leave_pools(x, s);
        release(s);
        wake_chain(waiting);
    }
    xstream& x = *static_cast<xstream*>(f.stream);
    free_runners(x);
    if (x.primary) {
        runtime& r = *current();
        sched::pass_stream_and_end(*r.primary_thread->on, root_ended, &x);
    }
    sched::end_stream(root_ended, &x);
}

// A rank that nobody has: the one asked for, or the lowest. Under the runtime's lock.
bool choose_rank(const runtime& r, int& wanted) noexcept
{
    for (int i = wanted < 0 ? 0 : wanted;; ++i) {
        bool taken = false;
        for (const xstream* x = r.streams; x != nullptr; x = x->next) {
            taken = taken || x->rank.load(std::memory_order_relaxed) == i;  // relaxed: see rank
        }
        if (!taken) {
            wanted = i;
            return true;
        }
        if (wanted >= 0) {
            return false;
        }
    }
}

}  // namespace

xstream* this_xstream() noexcept
{
    const sched::worker* const w = sched::this_worker();
    if (w == nullptr || w->current->unit == nullptr || w->current->unit->rules != &the_rules) {
        return nullptr;
    }
    return static_cast<xstream*>(w->current->stream);
}

xstream* make_xstream(scheduler& main, int rank, bool primary, int& error) noexcept
{
    runtime& r = *current();
    auto* const x = make<xstream>();
    if (x != nullptr) {
        x->primary = primary;
    }
    if (x == nullptr || !prepare_unit(main, nullptr) || !watch_pools(*x, main)) {
        if (x != nullptr) {
            drop(x);
        }
        error = ABT_ERR_MEM;
        return nullptr;
    }
    x->rules = &the_rules;
    {
        const std::scoped_lock hold(r.lock);
        if (choose_rank(r, rank)) {
            x->rank.store(rank, std::memory_order_relaxed);  // relaxed: see rank
            x->next = r.streams;
            r.streams = x;
            r.stream_count.fetch_add(1, std::memory_order_relaxed);  // relaxed: a number to report
            x->main = &main;
        }
    }
    if (x->main == nullptr) {
        leave_pools(*x, main);
        drop(x);
        error = ABT_ERR_INV_XSTREAM_RANK;
        return nullptr;
    }
    x->number = static_cast<unsigned>(rank);
    main.main_of = x;
    error = ABT_SUCCESS;
    return x;
}

bool start(xstream& x) noexcept
{
    x.root = make_root_context(run_root);
    if (x.root == nullptr) {
        return false;
    }
    x.root->unit = x.main->unit;
    x.root->stream = &x;
    x.main->unit->main_scheduler = true;
    x.main->requests.store(0, std::memory_order_relaxed);  // relaxed: nobody else uses it now
    x.resumed = x.root;
    // relaxed (two): activate() publishes it.
    x.running.store(true, std::memory_order_relaxed);
    x.joiner.store(nullptr, std::memory_order_relaxed);
    x.requests.store(0, std::memory_order_relaxed);  // relaxed: as above
    if (!x.primary) {
        sched::activate(x);
    }
    return true;
}

void join(xstream& x) noexcept
{
    thread* const me = self_ult();
    if (me != nullptr) {
        me->uncounted = true;
    }
    ask(x, scheduler_request::finish);
    join(x.joiner);
    if (me != nullptr) {
        me->uncounted = false;
    }
}

void free_xstream(xstream& x) noexcept
{
    runtime& r = *current();
    {
        const std::scoped_lock hold(r.lock);
        for (xstream** at = &r.streams; *at != nullptr; at = &(*at)->next) {
            if (*at == &x) {
                *at = x.next;
                break;
            }
        }
    }
    r.stream_count.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a number to report
    leave_pools(x, *x.main);
    release(*x.main);
    while (x.spare_threads != nullptr) {
        thread* const t = x.spare_threads;
        x.spare_threads = static_cast<thread*>(t->older);
        std::free(t);
    }
    drop(&x);
}

bool change_rank(xstream& x, int rank) noexcept
{
    runtime& r = *current();
    const std::scoped_lock hold(r.lock);
    if (x.rank.load(std::memory_order_relaxed) != rank) {  // relaxed: see rank
        if (!choose_rank(r, rank)) {
            return false;
        }
        x.rank.store(rank, std::memory_order_relaxed);  // relaxed: see rank
    }
    return true;
}

void poke(xstream& x) noexcept
{
    // release: pairs with check_events() and sleep(): what has been asked.
    x.asked.store(true, std::memory_order_release);
    // store-buffering pair with the fence in sleep_word::announce().
    base::full_fence();
    if (x.sleep.poke()) {
        sched::activate(x);
    }
}

int set_main(xstream& x, scheduler& s) noexcept
{
    if (!prepare_unit(s, nullptr) || !watch_pools(x, s)) {
        return ABT_ERR_MEM;
    }
    s.main_of = &x;
    if (!x.running.load(std::memory_order_relaxed)) {  // relaxed: its owner knows
        scheduler& old = *std::exchange(x.main, &s);
        leave_pools(x, old);
        release(old);
        return ABT_SUCCESS;
    }
    // The caller, which runs here, goes to the first pool of the new scheduler, the old one stops,
    // and only then does the caller go on.
    thread& me = *self_ult();
    if (const int error = move_replacers(x, me, s); error != ABT_SUCCESS) {
        s.main_of = nullptr;
        leave_pools(x, s);
        return error;
    }
    replacing.lock();
    scheduler* const other = std::exchange(x.next_main, &s);
    replacing.unlock();
    if (other != nullptr) {
        leave_pools(x, *other);
        release(*other);
    }
    ask(*x.main, scheduler_request::replace);
    wait(replacing, [&x](waiter& w) noexcept {
        if (x.next_main != nullptr) {
            replacers.push(w);
        }
        return x.next_main != nullptr;
    });
    return ABT_SUCCESS;
}

}  // namespace artel::argobots
