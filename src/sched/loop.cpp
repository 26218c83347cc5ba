// The scheduling loop and the switches between light threads. A suspended fiber is followed
// directly by the next ready one; only when there is none, or the next work is no fiber, does a
// scheduling loop (itself a plain fiber) take over. Loops that were left in the middle of a resume
// wait in worker::spare_loops.
#include "sched/loop.hpp"

#include "base/log.hpp"
#include "base/os/yield.hpp"
#include "fiber/switch.hpp"
#include "sched/crew.hpp"
#include "sched/locked_out.hpp"
#include "sched/push.hpp"
#include "sched/stream.hpp"
#include "sched/suspend.hpp"

#include <utility>

namespace artel::sched {
namespace {

using fiber::carrier;

worker& as_worker(carrier& c) noexcept
{
    return static_cast<worker&>(c);
}

// The scheduling loop that resumed somebody is kept for the next time this worker runs out of light
// threads.
void keep_loop(carrier& here, fiber::fiber& loop, void*)
{
    worker& w = as_worker(here);
    loop.next = w.spare_loops;
    w.spare_loops = &loop;
}

// Wakes a worker that sleeps, for what has been left to it; the caller has made a full fence since.
// Returns whether it slept.
bool wake(worker& w) noexcept
{
    if (!w.bed.is_parked()) {
        return false;
    }
    crew::note_cpu_of_waker();
    return w.bed.wake_if_parked();
}

void run_fiber(void* here, base::work& self)
{
    run_now(*static_cast<worker*>(here), static_cast<fiber::fiber&>(self));
}

// Takes the bound fiber's readiness, if it is ready: whoever gets true continues it.
bool take_own_ready(worker& w) noexcept
{
    // acquire: pairs with the release in make_ready: what the waker did is seen by the bound fiber.
    // relaxed: a look that saves the exchange.
    return w.own_ready.load(std::memory_order_relaxed) &&
           w.own_ready.exchange(false, std::memory_order_acquire);
}

void free_loop(carrier&, fiber::fiber& loop, void*)
{
    fiber::destroy_plain(loop);
}

[[noreturn]] void scheduling_loop(fiber::fiber&)
{
    for (;;) {
        worker& w = *this_worker();  // after a switch this loop may be carried by another worker
        // Handed work first: whoever switches next may hand over more, and there is room for one.
        base::work* item = std::exchange(w.handed, nullptr);
        if (item == nullptr && take_own_ready(w)) {
            fiber::switch_to(w, w.base, keep_loop, nullptr);
            continue;
        }
        if (item == nullptr) {
            item = find_local(w);
        }
        if (item == nullptr) {
            item = w.home.idle(w);
        }
        if (item != nullptr) {
            item->run(&w, *item);
        } else if (w.duty == role::reserve && w.current != &w.base && w.home.ends_now(w)) {
            fiber::exit_to(w, w.base, free_loop, nullptr);
        }
    }
}

// Moves what others posted into the worker's own queue, where thieves can get at it.
void sort_mail(worker& w) noexcept
{
    base::work* item = w.mail.take_all();
    while (item != nullptr) {
        base::work* const next = item->next;
        if (!w.ready.push(item)) {
            w.mail.post(*item);  // no memory to grow: it stays in the inbox, which needs none
        }
        item = next;
    }
}

bool is_persona(const base::work& item) noexcept
{
    return item.run == run_fiber &&
           static_cast<const fiber::fiber&>(item).type == fiber::kind::persona;
}

// Foreign code that a guest may not carry now goes to one of the crew's own threads. False when
// there is none.
bool send_away(worker& w, base::work& item) noexcept
{
    if (!is_persona(item) || may_carry(w)) {
        return false;
    }
    return post_to_member(w.home, item);
}

// The stream that belongs to this OS thread, if it has something to run: in turn with what else is
// ready.
base::work* take_pinned(worker& w) noexcept
{
    // relaxed: a look that saves the exchange.
    if (!w.pinned_ready.load(std::memory_order_relaxed)) {
        return nullptr;
    }
    w.pinned_turn = !w.pinned_turn;
    // acquire: pairs with the release in make_pinned_ready: the stream as its last holder left it.
    return (w.pinned_turn || (w.ready.empty() && w.mail.empty())) &&
                   w.pinned_ready.exchange(false, std::memory_order_acquire)
               ? w.pinned
               : nullptr;
}

base::work* take_ready(worker& w) noexcept
{
    if (base::work* const pinned = take_pinned(w); pinned != nullptr) {
        return pinned;
    }
    if (!w.mail.empty()) {
        sort_mail(w);
    }
    while (!w.ready.empty()) {
        if (base::work* const item = w.ready.steal(); item != nullptr && !send_away(w, *item)) {
            return item;
        }
    }
    // Only when sort_mail could not grow the queue is there anything left here.
    base::work* const first = w.mail.empty() ? nullptr : w.mail.take_all();
    if (first != nullptr && first->next != nullptr) {
        base::work* last = first->next;
        while (last->next != nullptr) {
            last = last->next;
        }
        w.mail.post(*first->next, *last);
    }
    return first;
}

// Who continues on this worker with `item` (nullptr: whatever a scheduling loop finds): the fiber
// to resume, or a scheduling loop. nullptr when there is no memory for one more loop; then the item
// is back in the inbox.
fiber::fiber* continue_with(worker& w, base::work* item) noexcept
{
    if (item != nullptr && item->run == run_fiber) {
        return static_cast<fiber::fiber*>(item);
    }
    if (item != nullptr) {
        w.handed = item;
    }
    fiber::fiber* const loop = spare_loop(w);
    if (loop == nullptr && item != nullptr) {
        w.mail.post(*std::exchange(w.handed, nullptr));
    }
    return loop;
}

void queue_previous(carrier& here, fiber::fiber& previous, void*)
{
    worker& w = as_worker(here);
    if (previous.type == fiber::kind::bound) {
        w.own_ready.store(true, std::memory_order_relaxed);  // relaxed: read by this OS thread
    } else {
        previous.run = run_fiber;
        if (!w.ready.push(&previous)) {
            w.mail.post(previous);
        }
    }
}

}  // namespace

fiber::fiber* successor(worker& w) noexcept
{
    return take_own_ready(w) ? &w.base : continue_with(w, take_ready(w));
}

fiber::fiber* spare_loop(worker& w) noexcept
{
    if (w.spare_loops != nullptr) {
        return std::exchange(w.spare_loops, static_cast<fiber::fiber*>(w.spare_loops->next));
    }
    return fiber::create_plain(scheduling_loop);
}

base::work* find_local(worker& w) noexcept
{
    if (base::work* const item = take_ready(w); item != nullptr) {
        return item;
    }
    return w.tasks.pop();
}

void run_worker(worker& w) noexcept
{
    fiber::fiber* const loop = fiber::create_plain(scheduling_loop);
    if (loop == nullptr) {
        scheduling_loop(w.base);
    }
    // Only reserves come back.
    fiber::switch_to(w, *loop, nullptr, nullptr);
    while (w.spare_loops != nullptr) {
        fiber::fiber& spare = *w.spare_loops;
        w.spare_loops = static_cast<fiber::fiber*>(spare.next);
        fiber::destroy_plain(spare);
    }
}

void run_now(worker& here, fiber::fiber& f) noexcept
{
    fiber::switch_to(here, f, keep_loop, nullptr);
}

bool suspend(fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    if (w.current->isolated != 0) [[unlikely]] {
        return false;
    }
    if (w.current->stream != nullptr) [[unlikely]] {
        return suspend_unit(w, after, argument);
    }
    fiber::fiber* const next = successor(w);
    if (next == nullptr) {
        if constexpr (!base::modelled) {
            static std::atomic<bool> said{false};
            // relaxed: said once, and nothing depends on it.
            if (!said.exchange(true, std::memory_order_relaxed)) {
                base::warn(
                    "no memory for the stack of another light thread: workers sleep while theirs wait, "
                    "and light threads that need each other at once may hang");
            }
        }
        return false;
    }
    if (next == w.current) {
        // A bound fiber that was made ready by an earlier, stale wake: not possible, since only a
        // published waiter is made ready.
        __builtin_unreachable();
    }
    fiber::switch_to(w, *next, after, argument);
    return true;
}

bool suspend_for(fiber::fiber& next, fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    if (w.current->stream != nullptr) [[unlikely]] {
        leave_stream(*w.current->stream);
    }
    fiber::switch_to(w, next, after, argument);
    return true;
}

namespace {

// Lets others that are ready on this worker go first, whatever the caller's stream has.
bool yield_among_ready(worker& w) noexcept
{
    // The bound fiber is in no queue: without this look, light threads that yield to each other
    // would never let it run again.
    if (take_own_ready(w)) {
        fiber::switch_to(w, w.base, queue_previous, nullptr);
        return true;
    }
    base::work* const item = take_ready(w);
    if (item == nullptr) {
        return false;
    }
    fiber::fiber* const next = continue_with(w, item);
    if (next == nullptr) {
        return false;
    }
    fiber::switch_to(w, *next, queue_previous, nullptr);
    return true;
}

// A task that nobody has begun becomes ready. Now and then also when somebody is ready: two that
// yield to each other until a third has run.
void make_oldest_task_ready(worker& w) noexcept
{
    // relaxed: our own count.
    if ((w.switches.load(std::memory_order_relaxed) % 8 == 0 || w.ready.empty()) &&
        !w.tasks.empty()) {
        if (base::work* const oldest = w.tasks.steal(); oldest != nullptr) {
            post(w, *oldest, *oldest);
        }
    }
}

// Brings something of others here. A look at everybody's lines: when nobody else is here, and
// seldom else.
void bring_from_others(worker& w) noexcept
{
    // relaxed: our own count.
    if ((w.ready.empty() && w.mail.empty() && w.tasks.empty()) ||
        w.switches.load(std::memory_order_relaxed) % 256 == 0) {
        if (base::work* const found = w.home.take_from_others(w); found != nullptr) {
            post(w, *found, *found);
        }
    }
}

}  // namespace

bool yield() noexcept
{
    worker& w = *this_worker();
    if (w.current->isolated != 0) [[unlikely]] {
        return false;
    }
    if (w.current->stream != nullptr && yield_to_pool(w)) [[unlikely]] {
        return true;
    }
    return yield_among_ready(w);
}

bool yield_to_tasks_too() noexcept
{
    worker& w = *this_worker();
    if (w.current->isolated != 0) [[unlikely]] {
        return false;
    }
    make_oldest_task_ready(w);
    return yield();
}

bool yield_to_anybody() noexcept
{
    worker& w = *this_worker();
    if (w.current->isolated != 0) [[unlikely]] {
        return false;
    }
    bring_from_others(w);
    return yield_to_tasks_too();
}

bool pass_personas_on() noexcept
{
    worker& w = *this_worker();
    if (!w.mail.empty()) {
        sort_mail(w);
    }
    bool all = w.mail.empty();
    for (std::size_t left = w.ready.size(); left != 0; --left) {
        base::work* const item = w.ready.steal();
        if (item == nullptr || send_away(w, *item)) {
            continue;
        }
        all = all && !is_persona(*item);
        if (!w.ready.push(item)) {
            w.mail.post(*item);
        }
    }
    return all;
}

void look_around(worker& w) noexcept
{
    bring_from_others(w);
    make_oldest_task_ready(w);
}

bool yield_to_crew() noexcept
{
    worker& w = *this_worker();
    if (w.current->isolated != 0) [[unlikely]] {
        return false;
    }
    look_around(w);
    return yield_among_ready(w);
}

void finish(fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    fiber::fiber* next = successor(w);
    while (next == nullptr) {
        // no memory for one more scheduling loop: until one of the others comes back.
        base::os::yield();
        next = successor(w);
    }
    fiber::exit_to(w, *next, after, argument);
}

void make_ready(fiber::fiber& f) noexcept
{
    if (f.unit != nullptr) [[unlikely]] {
        make_unit_ready(f);
        return;
    }
    worker* const w = this_worker();
    if (f.type == fiber::kind::bound || w == nullptr) {
        make_ready_at_home(f);
        return;
    }
    f.run = run_fiber;
    if (w->ready.push(&f)) {
        w->home.notify(w);
    } else {
        post(*w, f, f);
    }
}

worker& home_of(const fiber::fiber& f) noexcept
{
    worker& last = as_worker(*f.last);
    const bool reserve = last.duty == role::reserve;
    // A reserve keeps what it carries, against all plans of who lives where: who spins on others
    // needs an OS thread of its own each time. relaxed: a matter of speed only; a retiring reserve
    // still does what it is given.
    if (reserve && !last.retiring.load(std::memory_order_relaxed)) {
        return last;
    }
    if (f.home != nullptr) {
        return as_worker(*f.home);
    }
    if (reserve) {
        const unsigned members = last.home.member_count();
        if (worker* const other = members != 0
                                      ? last.home.member(static_cast<unsigned>(f.id % members))
                                      : nullptr;
            other != nullptr) {
            return *other;
        }
    }
    return last;
}

void make_bound_ready(fiber::fiber& f) noexcept
{
    worker& w = as_worker(*f.last);
    // release: pairs with the acquire in scheduling_loop.
    w.own_ready.store(true, std::memory_order_release);
    // pairs with parker::prepare: the sleeper sees own_ready or we see it parked.
    base::full_fence();
    wake(w);
}

void make_pinned_ready(worker& w) noexcept
{
    // release: pairs with the acquire in take_pinned.
    w.pinned_ready.store(true, std::memory_order_release);
    // pairs with parker::prepare: the sleeper sees pinned_ready or we see it parked.
    base::full_fence();
    wake(w);
}

void make_ready_at_home(fiber::fiber& f) noexcept
{
    if (f.unit != nullptr) [[unlikely]] {
        make_unit_ready(f);
        return;
    }
    if (f.type == fiber::kind::bound) {
        make_bound_ready(f);
        return;
    }
    f.run = run_fiber;
    post(home_of(f), f, f);
}

void make_ready_at_home(fiber::fiber& first, fiber::fiber& last) noexcept
{
    worker& home = home_of(first);
    for (base::work* f = &first;; f = f->next) {
        f->run = run_fiber;
        if (f == &last) {
            break;
        }
    }
    post(home, first, last);
}

void post(worker& to, base::work& first, base::work& last) noexcept
{
    to.mail.post(first, last);
    // pairs with parker::prepare: the sleeper sees the post or we see it parked.
    base::full_fence();
    if (wake(to)) {
        return;
    }
    // relaxed: ordered by the fence. See crew::vacate and crew::ends_now.
    if (to.vacant.load(std::memory_order_relaxed)) [[unlikely]] {
        to.home.forward_mail(to);
        return;
    }
    // relaxed: a hint. An idle worker that spins sees the post itself; a busy one may need help
    // from another.
    if (!to.idle.load(std::memory_order_relaxed) && &to != this_worker()) {
        to.home.notify(&to);
    }
}

bool offer(worker& to, base::work& work, unsigned argument) noexcept
{
    if (!to.offers.make(work, argument)) {
        return false;
    }
    // pairs with parker::prepare: the sleeper sees the offer or we see it parked.
    base::full_fence();
    wake(to);
    return true;
}

worker* any_member(crew& c) noexcept
{
    static std::atomic<unsigned> turn{0};
    const unsigned limit = c.member_limit();
    // relaxed: any will do.
    return limit != 0 ? c.member(turn.fetch_add(1, std::memory_order_relaxed) % limit) : nullptr;
}

bool post_to_member(crew& c, base::work& item) noexcept
{
    worker* const to = any_member(c);
    if (to == nullptr) {
        return false;
    }
    post(*to, item, item);
    return true;
}

static void move_to_member(carrier& here, fiber::fiber& lodger, void*)
{
    lodger.run = run_fiber;
    if (!post_to_member(as_worker(here).home, lodger)) {
        make_ready(lodger);
    }
}

void give_way() noexcept
{
    const worker* const w = this_worker();
    // nullptr: a thread that never had anything to do with the crew, in a construct outside any
    // region.
    if (w != nullptr && is_lodger(*w) && w->current->type == fiber::kind::persona &&
        !may_carry(*w)) {
        suspend(move_to_member, nullptr);
    }
}

// As a push: whoever took his last look while the work was out of the deque has not seen it.
[[gnu::noinline, gnu::cold]] void put_back(worker& w, base::work& item) noexcept
{
    push(w, item);
}

}  // namespace artel::sched
