// deque.hpp under all interleavings: each pushed item is taken exactly once, and its taker sees
// what the pusher wrote. Rings of two slots, so that a third item makes the deque grow while
// thieves read the old ring.
#include "base/machine_model.hpp"

#include "sched/deque.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;

struct item {
    model::plain<int> contents;
    int taken = 0;
};

// Thread 0 owns the deque, the others steal `attempts` times each.
template <unsigned thieves, unsigned items, unsigned attempts>
struct shared {
    item item_[items];
    sched::deque<item> deque_;

    void push(unsigned i)
    {
        item_[i].contents.set(static_cast<int>(i));
        model::check(deque_.push(&item_[i]), "push failed");
    }
    void take(item* it)
    {
        if (it != nullptr) {
            model::check(it->taken++ == 0, "taken twice");
            model::check(it->contents.get() == it - item_, "contents not seen");
            it->contents.set(-1);  // a second taker would race with this
        }
    }
    void steal()
    {
        for (unsigned i = 0; i < attempts; ++i) {
            take(deque_.steal());
        }
    }
    void all_taken()
    {
        while (item* const it = deque_.pop()) {
            take(it);
        }
        for (const item& it : item_) {
            model::check(it.taken == 1, "lost");
        }
    }
};

// Push, grow, pop, push again.
struct growth : rl::test_suite<growth, 3>, shared<2, 5, 3> {
    void thread(unsigned number)
    {
        if (number != 0) {
            steal();
            return;
        }
        push(0);
        push(1);
        push(2);
        take(deque_.pop());
        push(3);
        push(4);
        take(deque_.pop());
        take(deque_.pop());
    }
    void after() { all_taken(); }
};

// The owner and thieves want the same last item, again and again.
struct last_item : rl::test_suite<last_item, 3>, shared<2, 2, 1> {
    void thread(unsigned number)
    {
        if (number != 0) {
            steal();
            return;
        }
        push(0);
        take(deque_.pop());
        push(1);
        take(deque_.pop());
    }
    void after() { all_taken(); }
};

// Two items, so that a thief that is late takes the one the owner pops.
struct two_items : rl::test_suite<two_items, 2>, shared<1, 2, 2> {
    void thread(unsigned number)
    {
        if (number != 0) {
            steal();
            return;
        }
        push(0);
        push(1);
        take(deque_.pop());
        take(deque_.pop());
    }
    void after() { all_taken(); }
};

// worker::ready: the owner takes the oldest too.
struct fifo : rl::test_suite<fifo, 2>, shared<1, 3, 3> {
    void thread(unsigned number)
    {
        if (number != 0) {
            steal();
            return;
        }
        push(0);
        push(1);
        take(deque_.steal());
        push(2);
        take(deque_.steal());
    }
    void after() { all_taken(); }
};

const std::vector<model::scenario> scenarios{
    {"growth with two thieves", rl::simulate<growth>, 300000, 300000},
    {"last item, two thieves", rl::simulate<last_item>, 300000, 300000},
    {"two items, all interleavings of 3 preemptions", rl::simulate<two_items>, 0, 0,
     rl::sched_bound, 3},
    {"first in, first out", rl::simulate<fifo>, 200000, 200000},
};

const std::vector<model::breakage> breakages{
    {"no fence in pop", 2, model::damage::no_fence, "deque.hpp", "::pop("},
    {"no fence in steal", 0, model::damage::no_fence, "deque.hpp", "::steal("},
    {"push publishes relaxed", 0, model::damage::relaxed, "deque.hpp", "::push("},
    {"steal looks relaxed", 0, model::damage::relaxed, "deque.hpp", "::steal("},
    {"grow publishes relaxed", 0, model::damage::relaxed, "deque.hpp", "::grow("},
    {"steal does not claim", 1, model::damage::no_write, "deque.hpp", "::steal("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
