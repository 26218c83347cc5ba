// The table of ARTEL_STATS.
#include "sched/statistics.hpp"

#include "base/log.hpp"
#include "sched/crew.hpp"

#include <iterator>

namespace artel::sched {

namespace {

const char* name(role r) noexcept
{
    switch (r) {
    case role::member: return "worker";
    case role::guest: return "external";
    case role::reserve: return "reserve";
    }
    return "";
}

}  // namespace

void print_statistics(const crew& c) noexcept
{
    try {
        fmt::memory_buffer text;
        const auto out = std::back_inserter(text);
        fmt::format_to(out, "artel: width {}, {} workers of its own, {} reserves\n", c.width(),
                       c.member_count(), c.reserve_count());
        fmt::format_to(out, "artel: {:>6} {:<8} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8}\n",
                       "thread", "role", "switches", "tasks taken", "fibers taken", "sleeps",
                       "moves", "naps");
        const unsigned n = c.table_size();
        for (unsigned i = 0; i < n; ++i) {
            const worker& w = *c.at(i);
            // relaxed (all): numbers by themselves.
            fmt::format_to(out, "artel: {:>6} {:<8} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8}\n", i,
                           name(w.duty), w.switches.load(std::memory_order_relaxed),
                           w.tasks_taken.value(), w.fibers_taken.value(), w.sleeps.value(),
                           w.moves.value(), w.naps.value());
        }
        base::write_raw({text.data(), text.size()});
    } catch (...) {
        base::write_line("out of memory while printing the statistics");
    }
}

}  // namespace artel::sched
