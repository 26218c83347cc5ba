// The root sets the common start a little ahead of the present; the ranks spin until then, or sleep
// if there are more of them than CPUs.
#include "artel/mpi_timing.hpp"

#include "base/cpu.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sys/prctl.h>

namespace artel::tool {

double now() noexcept
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void stopwatch::meet(bool& good)
{
    good = site_.all() != nullptr && site_.all()->barrier() == shm::status::ok && good;
}

double stopwatch::broadcast(const artel_message& m, unsigned root, bool& good)
{
    if (rank_ == root)
        board_.start = now() + (crowded_ ? 300e-6 : 60e-6);
    meet(good);
    const double start = board_.start;
    if (crowded_) {
        // With more ranks than CPUs, ranks that spin would keep each other from running. So they
        // sleep, with the most exact timer; the sleeps of the broadcast itself keep their usual
        // timer.
        const timespec until{
            static_cast<time_t>(start),
            static_cast<long>((start - static_cast<double>(static_cast<time_t>(start))) * 1e9)};
        ::prctl(PR_SET_TIMERSLACK, 1UL);
        ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
        ::prctl(PR_SET_TIMERSLACK, 0UL);
    }
    while (now() < start)
        base::cpu_relax();
    good = site_.broadcast(m, root) == shm::status::ok && good;
    board_.end[rank_] = now();
    meet(good);
    const double last = *std::max_element(board_.end, board_.end + size_) - start;
    meet(good);
    return last;
}

}  // namespace artel::tool
