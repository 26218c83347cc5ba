// An arena's life, its slots, and the list of all arenas.
#include "arena.hpp"

#include "context.hpp"
#include "control.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "servers.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

namespace artel::onetbb {
namespace {

foreign::fork_safe_lock all_lock;
arena* all = nullptr;  // guarded by the lock

constexpr unsigned normal_level = 1;

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
    if (a->level() != normal_level) {
        special_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see there
    }
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
    if (level() != normal_level) {
        special_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
    }
    delete this;
}

bool arena::take_slot(unsigned i) noexcept
{
    std::atomic<bool>& occupied = slot_[i].occupied;
    // relaxed: a look. acquire: pairs with free_up().
    return !occupied.load(std::memory_order_relaxed) &&
           !occupied.exchange(true, std::memory_order_acquire);
}

// Takes a free slot; -1 without one.
int arena::free_slot(unsigned from) noexcept
{
    for (unsigned i = from; i < slots_; ++i) {
        if (take_slot(i)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

// The slot is somebody else's from here on.
void arena::take_back_if_lent(slot& s) noexcept
{
    if (s.lent) {
        s.lent = false;
        lent_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see first_for_workers
    }
}

// The slot, which is the caller's, is free for whoever wants one. Those who have found none since
// the caller took it have to be told, even if it had it for a moment only.
void arena::free_up(unsigned i) noexcept
{
    take_back_if_lent(slot_[i]);
    do {
        // release: pairs with take_slot().
        slot_[i].occupied.store(false, std::memory_order_release);
        // pairs with the fences of who waits at the entrance, of find_slot, and of request_worker.
        base::full_fence();
        // relaxed: ordered by the fence.
        if (entrance_.count.load(std::memory_order_relaxed) != 0) {
            wake_some(entrance_, ~0U, [](const bunk&) { return true; });
        }
        if (!slot_wanted() || !take_slot(i)) {
            // relaxed, all: ordered by the fence; one of those who see it takes it away.
            if (slot_lacked_.load(std::memory_order_relaxed) &&
                slot_lacked_.exchange(false, std::memory_order_relaxed)) {
                look_again();
            }
            return;
        }
    } while (!grant(i, nullptr, false));
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
    int i = free_slot(as_worker ? shape_.reserved : 0);
    if (i < 0 && as_worker && first_for_workers() == 0) {
        i = free_slot();
    }
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
    if (!hand_slot_over(t, false)) {
        end_standing_in(t);
        t.at = nullptr;
        free_up(t.index);
    }
    end_if_left_behind();
    drop();
}

void arena::end_if_left_behind() noexcept
{
    // relaxed, both: one of those who see it takes it away.
    if (left_behind_.load(std::memory_order_relaxed) && !visible() &&
        left_behind_.exchange(false, std::memory_order_relaxed)) {
        drop();  // the caller has another reference
    }
}

bool arena::slot_free(bool as_worker) const noexcept
{
    for (unsigned i = as_worker ? first_for_workers() : 0; i < slots_; ++i) {
        // relaxed: a look; who leaves a slot looks afterwards for who wants it.
        if (!slot_[i].occupied.load(std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

bool arena::refer_if_alive() noexcept
{
    // relaxed, all: the exchange compares; what is in it is not looked at before.
    unsigned n = references_.load(std::memory_order_relaxed);
    while (n != 0 && !references_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed)) {
    }
    return n != 0;
}

bool arena::wants_worker() const noexcept
{
    // relaxed: a look.
    return !enqueued.empty() ||
           (searchers_.load(std::memory_order_relaxed) == 0 && visible_to_all());
}

unsigned arena::level() const noexcept
{
    // The headers have three values, so far apart that others would fit between them; 0 is an arena
    // of a thread's own.
    constexpr int step = std::numeric_limits<int>::max() / 4;
    return shape_.priority <= 0
               ? normal_level
               : static_cast<unsigned>(std::clamp(shape_.priority / step, 1, 3)) - 1;
}

// How many workers arenas of higher priority leave to this one. Those count that have tasks and get
// workers: when they need them no more, somebody leaves and looks again. `to_a_worker`: also those
// that were refused workers, which the caller's leaving gives to them.
unsigned arena::left_by_higher_levels(bool to_a_worker) const noexcept
{
    const unsigned allowed = worker_limit();
    unsigned left = std::max(allowed == no_worker_limit ? default_concurrency() - 1 : allowed, 1U);
    const std::scoped_lock hold(all_lock);
    for (const arena* a = all; a != nullptr && left != 0; a = a->next_) {
        if (a->level() <= level()) {
            continue;
        }
        // relaxed, both: a moment's view.
        const unsigned here = a->workers_.load(std::memory_order_relaxed);
        const bool gets_some = here != 0 ||
                               (to_a_worker && a->refused_.load(std::memory_order_relaxed));
        left -= std::min(left, gets_some && a->visible() ? a->most_workers_ : here);
    }
    return left;
}

void arena::limit_changed() noexcept
{
    if (levels_differ()) {
        for (unsigned i = levels; i-- != 0;) {
            ask_for_workers(i, i);
        }
    } else {
        ask_for_workers(0, levels - 1);
    }
}

// For the arenas of these levels that want one.
void arena::ask_for_workers(unsigned first_level, unsigned last_level) noexcept
{
    const auto is_meant = [&](const arena& a) {
        return a.level() >= first_level && a.level() <= last_level && a.wants_worker();
    };
    // Asked without the lock: those who come may need it. Each that is asked stays, so that the
    // list can be gone on with.
    arena* last = nullptr;
    for (;;) {
        arena* next = nullptr;
        {
            const std::scoped_lock hold(all_lock);
            next = last != nullptr ? last->next_ : all;
            while (next != nullptr && !(is_meant(*next) && next->refer_if_alive())) {
                next = next->next_;
            }
        }
        if (last != nullptr) {
            last->drop();
        }
        if (next == nullptr) {
            return;
        }
        next->request_worker();
        last = next;
    }
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
        me->drop_own_arena();
    }
    return true;
}

// In the child of a fork nobody serves an arena, and nobody waits in one but the caller.
struct arena_fork {
    static void forget() noexcept
    {
        forget_waiters_after_fork();
        servers::forget_after_fork();
        arena::forget_workers_after_fork();
        forget_own_arenas_of_others();
        // relaxed, all: nobody else is here.
        const thread* const me = known_thread();
        for (arena* a = all; a != nullptr; a = a->next_) {
            a->searchers_.store(0, std::memory_order_relaxed);
            a->workers_.store(0, std::memory_order_relaxed);
            a->ticket_out_.store(false, std::memory_order_relaxed);
            a->refused_.store(false, std::memory_order_relaxed);
            a->sleepers_.forget();
            a->entrance_.forget();
            a->seekers_.forget();
            a->absent_.store(0, std::memory_order_relaxed);
            a->standing_in_.store(me != nullptr && me->in == a && me->stands_in ? 1 : 0,
                                  std::memory_order_relaxed);
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
