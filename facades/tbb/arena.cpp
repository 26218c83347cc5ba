#include "arena.hpp"

#include "base/os/yield.hpp"
#include "context.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/push.hpp"
#include "sched/spin.hpp"
#include "sched/suspend.hpp"
#include "servers.hpp"

#include <algorithm>
#include <mutex>

namespace artel::onetbb {
namespace {

foreign::fork_safe_lock all_lock;
arena* all = nullptr;  // guarded by the lock
// Personas that serve arenas or are asked to. relaxed: a limit that is kept to within a moment.
std::atomic<unsigned> all_workers{0};
// Arenas whose ticket lies somewhere. relaxed: a hint.
std::atomic<unsigned> tickets{0};

// Who has served an arena for longer lets another one have the worker.
constexpr std::uint64_t longest_turn = 2000;  // microseconds

unsigned slots_for(const arena_shape& s) noexcept
{
    // What is enqueued needs a slot beside that of the one who does not wait for it.
    const auto n = static_cast<unsigned>(std::max(s.max_concurrency, 1));
    return (s.reserved == 0 ? n : std::max(n, 2U)) + s.spare;
}

unsigned workers_for(const arena_shape& s) noexcept
{
    const auto n = static_cast<unsigned>(std::max(s.max_concurrency, 1));
    return n - std::min(n, s.reserved) + s.spare;
}

}  // namespace

arena::arena(const arena_shape& shape)
    : shape_(shape), slots_(slots_for(shape)), max_workers_(workers_for(shape)),
      most_workers_(std::max(max_workers_, 1U)), fp_settings_(read_fp_settings()),
      slot_(new slot[slots_])
{
    ticket_.run = take_ticket;
    ticket_.of = this;
    context_.traits = 0;
    abi::r1::initialize(context_);
}

arena::~arena()
{
    abi::r1::destroy(context_);
}

arena& arena::make(const arena_shape& shape)
{
    auto* const a = new arena(shape);
    const std::scoped_lock hold(all_lock);
    a->next_ = all;
    if (all != nullptr) {
        all->before_ = a;
    }
    all = a;
    return *a;
}

void arena::refer() noexcept
{
    references_.fetch_add(1, std::memory_order_relaxed);  // relaxed: the caller has one
}

void arena::drop() noexcept
{
    // acq_rel: the last one frees what the others wrote.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return;
    }
    if (visible()) {
        // relaxed, both: nobody else refers to it.
        references_.store(1, std::memory_order_relaxed);
        left_behind_.store(true, std::memory_order_relaxed);
        request_worker();
        return;
    }
    {
        const std::scoped_lock hold(all_lock);
        (before_ != nullptr ? before_->next_ : all) = next_;
        if (next_ != nullptr) {
            next_->before_ = before_;
        }
    }
    delete this;
}

// Takes a free slot; -1 without one.
int arena::free_slot(unsigned from) noexcept
{
    for (unsigned i = from; i < slots_; ++i) {
        std::atomic<bool>& occupied = slot_[i].occupied;
        // relaxed: a look. acquire: pairs with leave().
        if (!occupied.load(std::memory_order_relaxed) &&
            !occupied.exchange(true, std::memory_order_acquire)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

// The slot, which is the caller's, is the thread's.
void arena::occupy(thread& t, unsigned i) noexcept
{
    // relaxed, both: only grows; ordered for who must see it by work_added's fence.
    unsigned used = used_.load(std::memory_order_relaxed);
    while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
    }
    t.in = this;
    t.at = &slot_[i];
    t.index = i;
}

bool arena::enter(thread& t, bool as_worker) noexcept
{
    const int i = free_slot(as_worker ? std::min(shape_.reserved, slots_) : 0);
    if (i < 0) {
        return false;
    }
    refer();
    occupy(t, static_cast<unsigned>(i));
    t.serves = as_worker;
    t.observers_seen = 0;
    return true;
}

void arena::leave(thread& t) noexcept
{
    slot& s = *t.at;
    // relaxed: a hint.
    s.looks.store(false, std::memory_order_relaxed);
    t.in = nullptr;
    t.serves = false;
    if (!hand_slot_over(t)) {
        t.at = nullptr;
        // release: pairs with enter().
        s.occupied.store(false, std::memory_order_release);
        // pairs with the fences of who waits at the entrance, and in get_slot.
        base::full_fence();
        // relaxed: ordered by the fence.
        while (entrance_.count.load(std::memory_order_relaxed) != 0) {
            fiber::fiber* who = nullptr;
            entrance_.lock.lock();
            if (bunk* const b = entrance_.first; b != nullptr) {
                who = b->of->poke();
                entrance_.remove(*b);
            }
            entrance_.lock.unlock();
            sleeper::wake(who);
        }
        if (slot_wanted()) {
            give_free_slot();
        }
    }
    drop();
}

void arena::enqueued_one() noexcept
{
    work_added(0);
    // relaxed, both: ordered by the fence in work_added. Searchers may all wait for something of
    // their own, and be done with it before they come to this.
    if (workers_.load(std::memory_order_relaxed) == 0 &&
        !ticket_out_.load(std::memory_order_relaxed)) {
        request_worker();
    }
}

// After a fence.
bool arena::visible() const noexcept
{
    if (!enqueued.empty() || !submitted.empty() || !critical.empty() || slot_wanted()) {
        return true;
    }
    // relaxed: ordered by the caller's fence.
    const unsigned n = used_.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < n; ++i) {
        if (!slot_[i].pool.empty()) {
            return true;
        }
    }
    return false;
}

void arena::wake_somebody(std::intptr_t isolation) noexcept
{
    if (!wake_sleeper(isolation)) {
        request_worker();
    }
}

// One who may run tasks of that isolation; the waker counts it as a searcher.
bool arena::wake_sleeper(std::intptr_t isolation) noexcept
{
    // relaxed: a look.
    if (sleepers_.count.load(std::memory_order_relaxed) == 0) {
        return false;
    }
    fiber::fiber* who = nullptr;
    {
        const std::scoped_lock hold(sleepers_.lock);
        const auto wanted = static_cast<std::uintptr_t>(isolation);
        bunk* b = sleepers_.first;
        while (b != nullptr && isolation != anybody && b->second_key != 0 &&
               b->second_key != wanted) {
            b = b->next;
        }
        if (b == nullptr) {
            return false;
        }
        // seq_cst: see work_added.
        searchers_.fetch_add(1, std::memory_order_seq_cst);
        b->key = 1;  // counted
        who = b->of->poke();
        sleepers_.remove(*b);
    }
    sleeper::wake(who);
    return true;
}

bool arena::slot_free(unsigned from) const noexcept
{
    for (unsigned i = from; i < slots_; ++i) {
        // relaxed: a look; who leaves a slot looks afterwards for who wants it.
        if (!slot_[i].occupied.load(std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

bool arena::external_slot_free() const noexcept
{
    return slot_free(0);
}

void arena::request_worker() noexcept
{
    // relaxed: set before anybody else could come.
    const bool mandatory = !enqueued.empty() || left_behind_.load(std::memory_order_relaxed);
    const unsigned allowed = worker_limit();
    // relaxed, all: limits that are kept to within a moment.
    unsigned limit = std::min(max_workers_, allowed);
    if (limit != 0 && allowed != no_worker_limit &&
        all_workers.load(std::memory_order_relaxed) >= allowed) {
        limit = 0;
    }
    limit = std::max(limit, mandatory ? 1U : 0U);
    if (workers_.load(std::memory_order_relaxed) >= limit ||
        !slot_free(std::min(shape_.reserved, slots_)) ||
        // seq_cst: one ticket at a time; see work_added.
        ticket_out_.exchange(true, std::memory_order_seq_cst)) {
        return;
    }
    // seq_cst: see work_added.
    workers_.fetch_add(1, std::memory_order_seq_cst);
    all_workers.fetch_add(1, std::memory_order_relaxed);
    refer();
    // Who asks for more workers than there are CPUs, or does not wait, relies on them.
    queue_ticket(mandatory ||
                 (allowed != no_worker_limit && allowed >= sched::crew::get().width()));
}

void arena::queue_ticket(bool promised) noexcept
{
    if (promised) {
        sched::crew::get().start_monitor();
    }
    tickets.fetch_add(1, std::memory_order_relaxed);  // relaxed: a hint
    sched::worker* const w = sched::this_worker();
    ticket_.counted = promised && w != nullptr && !sched::outside_scope(*w);
    if (w != nullptr && !sched::outside_scope(*w)) {
        if (promised) {
            w->count_concurrent(1);
        }
        sched::push(*w, ticket_);
    } else if (!sched::post_to_member(sched::crew::get(), ticket_)) {
        // No thread at all is to be had: who waits runs the tasks.
        tickets.fetch_sub(1, std::memory_order_relaxed);      // relaxed: a hint
        all_workers.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
        // seq_cst, both: see work_added.
        workers_.fetch_sub(1, std::memory_order_seq_cst);
        ticket_out_.store(false, std::memory_order_seq_cst);
        drop();
    }
}

// On a scheduling loop.
void arena::take_ticket(void* here, base::work& ticket)
{
    auto& taken = static_cast<ticket_work&>(ticket);
    arena& a = *taken.of;
    sched::worker& w = *static_cast<sched::worker*>(here);
    if (std::exchange(taken.counted, false)) {
        w.count_concurrent(-1);
    }
    if (!sched::may_carry(w) && sched::post_to_member(w.home, ticket)) {
        return;  // tasks are foreign code; see may_carry
    }
    tickets.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a hint
    fiber::fiber* const persona = servers::take({serve, served, &a});
    // seq_cst, both: see work_added. The persona has the duty to look for more from here on.
    a.searchers_.fetch_add(1, std::memory_order_seq_cst);
    a.ticket_out_.store(false, std::memory_order_seq_cst);
    if (persona == nullptr) {
        a.stop_searching();
        a.worker_ends();
    } else if (foreign::members_are_threads()) {
        foreign::start_thread_persona(*persona);
    } else {
        sched::run_now(w, *persona);
    }
}

// What the persona does; it has the ticket's reference.
bool arena::serve(void* self)
{
    arena& a = *static_cast<arena*>(self);
    try {
        thread& me = this_thread();
        me.counts = true;
        a.run_worker(me);
        return std::exchange(me.counts, false);
    } catch (const std::bad_alloc&) {  // no memory for what is known of a thread
        a.stop_searching();
        return true;
    }
}

void arena::served(void* self, bool counted)
{
    static_cast<arena*>(self)->end_service(counted);
}

void arena::end_service(bool counted) noexcept
{
    if (counted) {
        worker_ends();
    } else {
        drop();
    }
}

bool arena::time_is_up(std::uint64_t since) const noexcept
{
    // relaxed: a hint.
    return tickets.load(std::memory_order_relaxed) != 0 &&
           base::cycles() - since > longest_turn * base::cycles_per_microsecond();
}

void arena::run_worker(thread& me)
{
    // It may have an arena of its own from another life.
    arena* const before = me.in;
    slot* const at = me.at;
    const unsigned index = me.index;
    const std::uint64_t seen = me.observers_seen;
    if (enter(me, true)) {
        serve_slot(me, true);
    } else {
        stop_searching();
    }
    me.in = before;
    me.at = at;
    me.index = index;
    me.observers_seen = seen;
    me.serves = false;
}

// By a persona in a slot, which it has left in the end. `counted` as a searcher when it begins.
void arena::serve_slot(thread& me, bool counted) noexcept
{
    if (counted && observers.have_news_for(me)) {
        // The program's function may wait for others.
        stop_searching();
        counted = false;
    }
    observers.tell_entry(me);
    const std::uint64_t since = base::cycles();
    while (task* const t = seek(me, nullptr, std::exchange(counted, false))) {
        observers.tell_entry(me);
        work(me, t, nullptr);
        if (time_is_up(since)) {
            break;
        }
    }
    observers.tell_exit(me);
    if (me.at != nullptr) {
        leave(me);
    } else {
        drop();  // somebody else has the slot
    }
}

void arena::one_worker_less() noexcept
{
    // seq_cst: see work_added.
    workers_.fetch_sub(1, std::memory_order_seq_cst);
    all_workers.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
}

// A worker that was counted is no more.
void arena::worker_ends() noexcept
{
    one_worker_less();
    // pairs with the fence in work_added.
    base::full_fence();
    // relaxed: ordered by the fence.
    if (searchers_.load(std::memory_order_relaxed) == 0 && visible()) {
        wake_somebody(0);
    }
    if (worker_limit() != no_worker_limit) {
        limit_changed();
    }
    // relaxed, both: one of those who see it takes it away.
    if (left_behind_.load(std::memory_order_relaxed) && !visible() &&
        left_behind_.exchange(false, std::memory_order_relaxed)) {
        drop();
    }
    drop();
}

void arena::stop_searching() noexcept
{
    // seq_cst: see work_added; it is the fence as well.
    if (searchers_.fetch_sub(1, std::memory_order_seq_cst) == 1 && visible()) {
        wake_somebody(0);
    }
}

task* arena::steal_for(thread& me) noexcept
{
    // relaxed: a slot that is seen too late is seen at the look after the fence.
    const unsigned n = used_.load(std::memory_order_relaxed);
    if (n <= 1 && me.in == this) {
        return nullptr;
    }
    const std::intptr_t isolation = me.now->isolation;
    unsigned i = static_cast<unsigned>(me.next_random() % n);
    for (unsigned k = 0; k < n; ++k, i = i + 1 == n ? 0 : i + 1) {
        slot& s = slot_[i];
        if (&s == me.at) {
            continue;
        }
        const auto wanted = [this, &me](const task& candidate) {
            // What is meant for one who is about to take it is left to it.
            return (candidate.traits & is_proxy) == 0 || candidate.slots == me.index ||
                   // relaxed: a hint.
                   !slot_[candidate.slots].looks.load(std::memory_order_relaxed);
        };
        while (task* t = s.pool.steal(isolation, wanted)) {
            if ((t->traits & is_proxy) != 0) {
                t = static_cast<proxy*>(t)->take(*me.memory);
            }
            if (t != nullptr) {
                me.now->original_slot = static_cast<abi::d1::slot_id>(i);
                return t;
            }
        }
    }
    return nullptr;
}

task* arena::seek(thread& me, const abi::d1::wait_context* until, bool counted) noexcept
{
    const std::intptr_t isolation = me.now->isolation;
    for (;;) {
        if (slot_wanted() && hand_slot_over(me)) [[unlikely]] {
            if (counted) {
                stop_searching();
            }
            if (until != nullptr) {
                wait_without_slot(me, *until);
            }
            return nullptr;
        }
        if (task* const t = me.look()) {
            if (counted) {
                stop_searching();
            }
            return t;
        }
        if (until != nullptr && until->done()) {
            if (counted) {
                stop_searching();
            }
            return nullptr;
        }
        // Who takes nothing of others does not count as one who searches, nor is it woken for that.
        const bool full = !me.has_room();
        if (full && counted) {
            stop_searching();
            counted = false;
        }
        if (!counted && !full) {
            // seq_cst: see work_added.
            searchers_.fetch_add(1, std::memory_order_seq_cst);
            counted = true;
        }
        // relaxed, here and below: a hint.
        me.at->looks.store(isolation == 0, std::memory_order_relaxed);
        sched::worker* const w = sched::this_worker();
        bool more = w != nullptr && !w->has_work() && !sched::is_lodger(*w);
        task* found = nullptr;
        if (more) {
            sched::spin wait(*w, w->home.spin_cycles());
            while (more) {
                found = me.look();
                if (found != nullptr || slot_wanted() || (until != nullptr && until->done())) {
                    break;
                }
                more = wait.pause() == sched::spin::advice::again && !w->has_work() &&
                       (until != nullptr || tickets.load(std::memory_order_relaxed) == 0);
            }
        }
        me.at->looks.store(false, std::memory_order_relaxed);
        if (found != nullptr) {
            if (counted) {
                stop_searching();
            }
            return found;
        }
        if (more) {
            continue;  // done, or somebody wants the slot
        }
        if (until == nullptr) {
            if (counted) {
                stop_searching();
            }
            return nullptr;
        }
        sleeper self;
        bunk place;
        place.of = &self;
        place.second_key = full ? takes_nothing : static_cast<std::uintptr_t>(isolation);
        {
            const auto address = reinterpret_cast<std::uintptr_t>(until);
            const stay by_address(waiters_at(address), self, address, 0);
            {
                const std::scoped_lock hold(sleepers_.lock);
                sleepers_.add(place);
            }
            // seq_cst: see work_added; it is the fence as well, also for wake_at.
            searchers_.fetch_sub(counted ? 1 : 0, std::memory_order_seq_cst);
            counted = false;
            found = me.look();
            if (found == nullptr && !slot_wanted() && !until->done()) {
                self.sleep();
            }
            const std::scoped_lock hold(sleepers_.lock);
            sleepers_.remove(place);
            counted = place.key != 0;
        }
        if (found != nullptr) {
            if (counted) {
                stop_searching();
            } else if (visible()) {
                // Others may have seen us search.
                wake_somebody(0);
            }
            return found;
        }
    }
}

void arena::wait_until_empty(thread& me) noexcept
{
    for (;;) {
        if (me.in == this) {
            if (task* const t = me.look()) {
                work(me, t, nullptr);
                continue;
            }
        }
        // pairs with the fence in work_added.
        base::full_fence();
        // relaxed: ordered by the fence.
        if (!visible() && workers_.load(std::memory_order_relaxed) == 0) {
            return;
        }
        if (sched::this_worker() == nullptr || !sched::yield()) {
            base::os::yield();
        }
    }
}

bool arena::refer_if_alive() noexcept
{
    // relaxed, all: the exchange compares; what is in it is not looked at before.
    unsigned n = references_.load(std::memory_order_relaxed);
    while (n != 0 && !references_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed)) {
    }
    return n != 0;
}

void arena::limit_changed() noexcept
{
    constexpr unsigned most = 64;
    arena* waiting[most];
    unsigned n = 0;
    {
        const std::scoped_lock hold(all_lock);
        for (arena* a = all; a != nullptr && n < most; a = a->next_) {
            // relaxed: a look.
            if (a->searchers_.load(std::memory_order_relaxed) == 0 && a->visible() &&
                a->refer_if_alive()) {
                waiting[n++] = a;
            }
        }
    }
    for (unsigned i = 0; i < n; ++i) {
        waiting[i]->request_worker();
        waiting[i]->drop();
    }
}

bool arena::all_quiet() noexcept
{
    // acquire: pairs with nothing that is relied on; a moment's view.
    return all_workers.load(std::memory_order_acquire) == 0;
}

bool arena::exist() noexcept
{
    const std::scoped_lock hold(all_lock);
    return all != nullptr;
}

bool arena::leave_own(thread* me) noexcept
{
    if (me != nullptr && me->in != nullptr) {
        if (me->in != me->own_arena) {
            return false;
        }
        me->in->observers.tell_exit(*me);
        me->in->leave(*me);
        std::exchange(me->own_arena, nullptr)->drop();
    }
    return true;
}

// In the child of a fork nobody serves an arena, and nobody waits in one but the caller.
struct arena_fork {
    static void forget() noexcept
    {
        forget_waiters_after_fork();
        servers::forget_after_fork();
        // relaxed, all: nobody else is here.
        all_workers.store(0, std::memory_order_relaxed);
        tickets.store(0, std::memory_order_relaxed);
        const thread* const me = known_thread();
        for (arena* a = all; a != nullptr; a = a->next_) {
            a->searchers_.store(0, std::memory_order_relaxed);
            a->workers_.store(0, std::memory_order_relaxed);
            a->ticket_out_.store(false, std::memory_order_relaxed);
            a->sleepers_.forget();
            a->entrance_.forget();
            a->seekers_.forget();
            a->enqueued.forget_lock();
            a->submitted.forget_lock();
            a->critical.forget_lock();
            a->observers.forget_lock();
            for (unsigned i = 0; i < a->slots_; ++i) {
                slot& s = a->slot_[i];
                s.pool.forget_lock();
                s.mail.forget_lock();
                s.looks.store(false, std::memory_order_relaxed);
                if (me == nullptr || (me->at != &s)) {
                    s.occupied.store(false, std::memory_order_relaxed);
                }
            }
        }
    }
};

namespace {
[[maybe_unused]] const int fork_handler = ::pthread_atfork(nullptr, nullptr, arena_fork::forget);
}  // namespace

}  // namespace artel::onetbb
