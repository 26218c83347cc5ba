// The report at the end of a program on light threads that still wait for full/empty words.
#include "base/log.hpp"
#include "sched/feb_table.hpp"

#include <cinttypes>
#include <cstdio>

namespace artel::sched::feb {

using artel::detail::feb_waiter;
using artel::detail::feb_wish;

void report_waiters(unsigned most) noexcept
{
    struct report {
        unsigned most;
        unsigned found;
    } r{most, 0};
    for_each_waiter(
        [](const void* at, const feb_waiter& w, void* argument) {
            auto& to = *static_cast<report*>(argument);
            if (++to.found > to.most) {
                return;
            }
            char text[160];
            std::snprintf(text, sizeof text,
                          "at exit light thread %" PRIu64
                          " still waits for the word at %p to be %s",
                          w.who, at, w.wish == feb_wish::put ? "empty" : "full");
            base::write_line(text);
        },
        &r);
    if (r.found > most) {
        base::warn("at exit {} more light threads wait for words to be full or empty",
                   r.found - most);
    }
}

namespace {

// A program that ends while light threads wait for words that nobody fills has most likely
// forgotten one.
[[gnu::destructor]] void report_at_exit() noexcept
{
    constexpr unsigned lines = 8;
    report_waiters(lines);
}

}  // namespace

}  // namespace artel::sched::feb
