// The table of ARTEL_STATS.
#include "sched/statistics.hpp"

#include "base/log.hpp"
#include "fiber/persona.hpp"
#include "sched/crew.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iterator>

namespace artel::sched {

namespace {

const char* name(role r) noexcept
{
    switch (r) {
    case role::own: return "worker";
    case role::guest: return "external";
    case role::reserve: return "reserve";
    }
    return "";
}

struct column {
    const char* name;
    unsigned width;
    std::uint64_t (*of)(const worker& w);
};

constexpr std::array columns{
    column{"switches", 12,
           // relaxed: a number by itself.
           [](const worker& w) { return w.switches.load(std::memory_order_relaxed); }},
    column{"tasks taken", 12, [](const worker& w) { return w.tasks_taken.value(); }},
    column{"fibers taken", 12, [](const worker& w) { return w.fibers_taken.value(); }},
    column{"sweeps", 10, [](const worker& w) { return w.sweeps.value(); }},
    column{"visits", 10, [](const worker& w) { return w.visits.value(); }},
    column{"sleeps", 10, [](const worker& w) { return w.sleeps.value(); }},
    column{"in vain", 8, [](const worker& w) { return w.vain_wakeups.value(); }},
    column{"moves", 8, [](const worker& w) { return w.moves.value(); }},
    column{"naps", 8, [](const worker& w) { return w.naps.value(); }},
    column{"yields", 10, [](const worker& w) { return w.yields.value(); }},
};

// A line of the table: of one worker, or the sum of several.
class figures {
public:
    void add(const worker& w) noexcept
    {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            values_[i] += columns[i].of(w);
        }
    }

    template <class Out>
    void print(Out out) const
    {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            fmt::format_to(out, " {:>{}}", values_[i], columns[i].width);
        }
        fmt::format_to(out, "\n");
    }

private:
    std::array<std::uint64_t, columns.size()> values_{};
};

// The largest numbers of OS threads, by role. Slots are reused, so there are as many as were needed
// at a time.
template <class Out>
void print_threads(const crew& c, Out out)
{
    unsigned external = 0;
    unsigned reserves = 0;
    const unsigned n = c.table_size();
    for (unsigned i = 0; i < n; ++i) {
        external += c.at(i)->kind == role::guest ? 1 : 0;
        reserves += c.at(i)->kind == role::reserve ? 1 : 0;
    }
    fmt::format_to(out,
                   "artel: OS threads at most: {} external, {} workers, {} reserves, {} parked for "
                   "members' data\n",
                   external, c.own_worker_count(), reserves, fiber::most_personas());
    fmt::format_to(
        out,
        "artel: reserves were added {} times behind one that spins, {} behind one that is "
        "blocked, {} for members that nobody began\n",
        c.reserves_added(crew::cause::spinning), c.reserves_added(crew::cause::blocked),
        c.reserves_added(crew::cause::promised));
}

}  // namespace

void print_statistics(const crew& c) noexcept
{
    try {
        fmt::memory_buffer text;
        const auto out = std::back_inserter(text);
        fmt::format_to(out, "artel: width {}, {} workers of its own, {} reserves\n", c.width(),
                       c.own_worker_count(), c.reserve_count());
        fmt::format_to(out, "artel: {:>6} {:<8}", "thread", "role");
        for (const column& each : columns) {
            fmt::format_to(out, " {:>{}}", each.name, each.width);
        }
        fmt::format_to(out, "\n");
        figures ended;
        unsigned vacant = 0;
        const unsigned n = c.table_size();
        for (unsigned i = 0; i < n; ++i) {
            const worker& w = *c.at(i);
            // relaxed: at the end.
            if (w.vacant.load(std::memory_order_relaxed)) {
                ended.add(w);
                ++vacant;
                continue;
            }
            fmt::format_to(out, "artel: {:>6} {:<8}", i, name(w.kind));
            figures mine;
            mine.add(w);
            mine.print(out);
        }
        if (vacant != 0) {
            fmt::format_to(out, "artel: {:>6} {:<8}", vacant, "ended");
            ended.print(out);
        }
        print_threads(c, out);
        base::write_raw({text.data(), text.size()});
    } catch (...) {
        base::write_line("out of memory while printing the statistics");
    }
}

}  // namespace artel::sched
