// Spinning of an OS thread that waits for a colleague. As long as each has a CPU of its own, pausing is right. But the kernel puts a new or woken
// thread on the CPU of whoever made or woke it often enough, and there it waits for just the spinner to stop, which may take the balancer 100 ms
// to see. So the spinner looks now and then on which CPUs the others were last, and gives its CPU away when that is one of them.
// When threads of the program that wait for nobody take the CPUs (OpenBLAS called by six threads at once: five spin until one has been served), giving
// the CPU away costs a time slice of each of them. Then sleeping is better: the kernel prefers who is woken to who yields.
// Rejected: giving it away now and then in any case, as some runtimes do: on a machine with other programs the CPU is then gone for a time slice.
#pragma once

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "sched/crew.hpp"

#include <cstdint>

namespace artel::sched {

class spin {
public:
    // For at most `budget` (base::cycles()). `w` is this_worker(), and stays so: nothing may be switched while this lives.
    spin(worker& w, std::uint64_t budget) noexcept
        : worker_(w), next_look_(base::cycles() + look_every), until_(next_look_ - look_every + budget),
          give_way_(w.home.oversubscribed())
    {}

    // Waits for a moment. False when the budget is used up.
    bool pause() noexcept
    {
        if (++turn_ % clock_every == 0) {
            const std::uint64_t now = base::cycles();
            if (now >= until_) {
                return false;
            }
            if (now >= next_look_) {
                next_look_ = now + look_every;
                give_way_ = worker_.home.oversubscribed() || shares_cpu();
                if ((worker_.home.oversubscribed() || ++looks_ % looks_between_watches == 0) && worker_.watch.look(worker_)) {
                    give_way_ = true;
                }
            }
        }
        if (!give_way_) {
            base::cpu_relax();
            return true;
        }
        if (worker_.home.crowded()) {
            return false;
        }
        base::os::yield();
        return true;
    }

private:
    bool shares_cpu() noexcept
    {
        const bool shared = worker_.home.shares_cpu(worker_);
        worker_.shared_looks = shared ? worker_.shared_looks + 1 : 0;
        if (worker_.shared_looks >= looks_before_move) {
            worker_.home.leave_shared_cpu(worker_);
        }
        return shared;
    }

    // Some 5 us: much longer than colleagues who run take to answer, much shorter than a time slice.
    static constexpr std::uint64_t look_every = 15000;
    // More than one: the first may see where somebody was a moment ago.
    static constexpr unsigned looks_before_move = 4;
    // Some 20 us.
    static constexpr unsigned looks_between_watches = 4;
    static constexpr unsigned clock_every = base::modelled ? 1 : 8;

    worker& worker_;
    std::uint64_t next_look_;
    std::uint64_t until_;
    unsigned turn_ = 0;
    unsigned looks_ = 0;
    bool give_way_;
};

}  // namespace artel::sched
