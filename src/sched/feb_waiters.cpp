// The waiters for full/empty words: the lines that belong to addresses, visiting all of them, and
// the part that the child of a fork keeps.
#include "sched/feb_table.hpp"

#include "sched/feb_shard.hpp"

#include <mutex>
#include <pthread.h>

namespace artel::sched::feb {

using artel::detail::feb_line;
using artel::detail::feb_waiter;

feb_line take_line(const void* of) noexcept
{
    shard& s = shard_of(of);
    const std::scoped_lock hold(s.lock);
    cell* const c = s.find(of);
    if (c == nullptr) {
        return {};
    }
    const feb_line line = c->line;
    s.remove(*c);
    return line;
}

void put_line(const void* of, const feb_line& line) noexcept
{
    shard& s = shard_of(of);
    const std::scoped_lock hold(s.lock);
    s.find_or_add(of).line = line;
}

void for_each_waiter(void (*visit)(const void*, const feb_waiter&, void*), void* argument) noexcept
{
    for (shard& s : shards) {
        const std::scoped_lock hold(s.lock);
        s.for_each([&](cell& c) {
            for (const feb_waiter* w = c.line.first; w != nullptr; w = w->next) {
                visit(c.key, *w, argument);
            }
        });
    }
}

std::size_t words_kept() noexcept
{
    std::size_t sum = 0;
    for (shard& s : shards) {
        const std::scoped_lock hold(s.lock);
        sum += s.count();
    }
    return sum;
}

#if !defined(ARTEL_MODEL)
namespace {

// The child of a fork keeps the states. The waiters do not exist in it.
void before_fork() noexcept
{
    for (shard& s : shards) {
        s.lock.lock();
    }
}
void after_fork_in_parent() noexcept
{
    for (shard& s : shards) {
        s.lock.unlock();
    }
}
void after_fork_in_child() noexcept
{
    for (shard& s : shards) {
        s.for_each([](cell& c) { c.line = {}; });
        s.lock.unlock();
    }
}

[[maybe_unused]] const int registered = ::pthread_atfork(before_fork, after_fork_in_parent,
                                                         after_fork_in_child);

}  // namespace
#endif

}  // namespace artel::sched::feb
