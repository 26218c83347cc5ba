// Spinning of an OS thread that waits for another worker. As long as each has a CPU of its own,
// pausing is right. But the kernel often puts a new or woken thread on the CPU of the thread that
// made or woke it, where it waits for that spinner to stop; the balancer may take 100 ms to see
// that. So the spinner checks now and then on which CPUs the others were last, and yields its CPU
// when that is one of them, or when threads are starting, which may have been put there. It does
// the same when several threads of the program have regions at a time, and more are active than
// there are CPUs. When threads of the program that wait for nobody take the CPUs (callers that spin
// for their turn in a library), yielding costs a time slice of each. Then sleeping is better: the
// kernel prefers a woken thread to one that yields. The same beside other programs that compute,
// which the cost of yields shows (yield_price.hpp). Rejected: yielding now and then in any case, as
// some runtimes do: on a machine with other programs the CPU is then gone for a time slice.
#pragma once

#include "base/cpu.hpp"
#include "base/os/process_clock.hpp"
#include "base/os/yield.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace artel::sched {

class spin {
public:
    // For at most `budget` (base::cycles()). `w` is this_worker(); the caller must not switch while
    // this exists.
    spin(worker& w, std::uint64_t budget) noexcept
        : worker_(w), now_(base::cycles()), next_look_(now_ + look_every), until_(now_ + budget),
          budget_(budget), turn_(budget == 0 ? clock_every - 1 : 0),
          give_way_(w.own_crew.oversubscribed())
    {
        // When it last waited, another thread needed its CPU: perhaps the one that it waits for.
        if (w.shares_since != 0) [[unlikely]] {
            if (now_ - w.shares_since > long_ago) {
                w.shares_since = now_;
            }
            look_at_once();
        }
    }

    enum class advice : std::uint8_t { again, nap, sleep };

    // Waits for a moment. Returns what to do next if there is still nothing: pause again; sleep for
    // some microseconds (preempted_peer.hpp); or, when the budget is used up, sleep until woken.
    advice pause() noexcept
    {
        if (++turn_ % clock_every == 0 || shared_) {
            now_ = base::cycles();
            if (now_ >= until_ && preempted_ == preempted::nobody) {
                return advice::sleep;
            }
            if (now_ >= next_look_) {
                next_look_ = now_ + look_every;
                const bool oversubscribed = worker_.own_crew.oversubscribed();
                shared_ = !oversubscribed && shares_cpu();
                const bool too_many = !oversubscribed && worker_.own_crew.one_too_many(worker_);
                give_way_ = oversubscribed || shared_ || too_many;
                if (too_many) {
                    until_ = std::min(until_,
                                      now_ + longest_of_too_many * base::cycles_per_microsecond());
                }
                if (++looks_ % looks_between_watches == 0 &&
                    budget_ < longest_watched * base::cycles_per_microsecond()) {
                    preempted_ = worker_.watch.look(worker_);
                    if (preempted_ == preempted::surely) {
                        return advice::nap;
                    }
                }
            }
        }
        if (!give_way_) {
            base::cpu_relax();
            return advice::again;
        }
        if (worker_.own_crew.crowded() || worker_.own_crew.yields().too_high(now_)) {
            return advice::sleep;
        }
        yield();
        return advice::again;
    }

    // Whether others have tasks that any worker may take; checked ever more rarely. A thread that
    // spins for the next step of others keeps its worker from these tasks, and nobody wakes a
    // worker that spins. Ask after each pause.
    bool others_have_tasks() noexcept
    {
        if (turn_ < next_look_for_tasks_) [[likely]] {
            return false;
        }
        next_look_for_tasks_ *= 2;
        return worker_.kind == role::own && worker_.own_crew.others_have_tasks(worker_);
    }

    // Called after a nap: the next check comes soon.
    void look_soon() noexcept
    {
        looks_ = looks_between_watches - 1;
        look_at_once();
    }

private:
    void look_at_once() noexcept
    {
        turn_ = clock_every - 1;
        next_look_ = 0;
    }

    void yield() noexcept
    {
        yield_price& price = worker_.own_crew.yields();
        const bool suspected = price.suspected(now_);
        const std::uint64_t had = suspected ? base::os::process_time() : 0;
        base::os::yield();
        worker_.yields.add();
        // The moment between two yields counts as well: a thread that loses the CPU in it has lost
        // it for as long.
        const std::uint64_t before = std::exchange(now_, base::cycles());
        price.paid(before, now_, suspected, [had] { return base::os::process_time() - had; });
    }

    bool shares_cpu() noexcept
    {
        if (!worker_.own_crew.shares_cpu(worker_)) {
            worker_.shares_since = 0;
            return false;
        }
        if (worker_.shares_since == 0) {
            worker_.shares_since = now_;
        } else if (now_ - worker_.shares_since >= shared_before_move) {
            worker_.own_crew.leave_shared_cpu(worker_);
        }
        return true;
    }

    // Some 5 us: much longer than running workers take to answer, much shorter than a time slice.
    static constexpr std::uint64_t look_every = 15000;
    // The first look may see where another was a moment ago. Counted over several short waits, but
    // anew after some 1000 us, in which the worker may have run elsewhere.
    static constexpr std::uint64_t shared_before_move = 3 * look_every;
    static constexpr std::uint64_t long_ago = 200 * look_every;
    // Some 40 us.
    static constexpr unsigned looks_between_watches = 8;
    // Microseconds: the spin time in crews with more workers than CPUs, with or without
    // ARTEL_WAIT=active.
    static constexpr std::uint64_t longest_of_too_many = 50;
    static constexpr unsigned clock_every = base::modelled ? 1 : 8;
    // Microseconds. A thread that is to spin for longer (ARTEL_WAIT=active) does not nap either, so
    // it need not watch for preempted peers. In wide crews the budget ends before a peer can be
    // seen to be preempted.
    static constexpr std::uint64_t longest_watched = 100000;

    // Some 0.7 us: colleagues that only open the next region take less.
    static constexpr unsigned first_look_for_tasks = 32;

    worker& worker_;
    unsigned next_look_for_tasks_ = first_look_for_tasks;
    std::uint64_t now_;  // base::cycles(), a moment ago
    std::uint64_t next_look_;
    std::uint64_t until_;
    std::uint64_t budget_;
    unsigned turn_;
    unsigned looks_ = 0;
    preempted preempted_ = preempted::nobody;
    // Another thread may need this CPU; each pause may then take that one's time slice.
    bool shared_ = false;
    bool give_way_;
};

}  // namespace artel::sched
