// qthread_lock on any word: a locked word is empty. Words passed to qthread_lock_init have a
// separate lock, which may be recursive.
#include "foreign/fork_safe_lock.hpp"
#include "sched/feb_table.hpp"
#include "sched/stream.hpp"

#include <atomic>
#include <map>
#include <mutex>

namespace {

namespace feb = artel::sched::feb;
using feb::word;

constexpr int success = 0;
constexpr int not_possible_now = -7;  // QTHREAD_OPFAIL

struct own_lock {
    bool recursive;
    // The holder. Written by it, and by who unlocks a lock that is not recursive. relaxed: a caller
    // finds itself there only if it has written that.
    std::atomic<const void*> owner{nullptr};
    unsigned depth = 0;  // how often the holder of a recursive lock has locked it
    word state = 0;      // full: free
};

artel::foreign::fork_safe_lock guard;
std::map<const word*, own_lock> own_locks;
// relaxed: a caller that relies on qthread_lock_init is synchronised with it by the program.
std::atomic<std::size_t> own_lock_count{0};

own_lock* own_lock_of(const word* at) noexcept
{
    // relaxed: see the declaration.
    if (own_lock_count.load(std::memory_order_relaxed) == 0) {
        return nullptr;
    }
    const std::scoped_lock hold(guard);
    const auto found = own_locks.find(at);
    return found != own_locks.end() ? &found->second : nullptr;
}

// The identity of the caller: its unit, or else its thread.
const void* caller() noexcept
{
    const artel::sched::unit* const u = artel::sched::this_unit();
    return u != nullptr ? static_cast<const void*>(u) : &artel::fiber::this_tls();
}

bool lock_again(own_lock& l) noexcept
{
    // relaxed: see the declaration.
    if (!l.recursive || l.owner.load(std::memory_order_relaxed) != caller()) {
        return false;
    }
    ++l.depth;
    return true;
}

void locked(own_lock& l) noexcept
{
    l.owner.store(caller(), std::memory_order_relaxed);  // relaxed: see the declaration
    l.depth = 1;
}

word* writable(const word* at)
{
    return const_cast<word*>(at);  // only the full/empty state is changed
}

}  // namespace

extern "C" {

int qthread_lock_init(const word* at, bool recursive)
{
    const std::scoped_lock hold(guard);
    const auto [place, made] = own_locks.try_emplace(at);
    if (!made) {
        return not_possible_now;  // it may be locked
    }
    own_lock_count.fetch_add(1, std::memory_order_relaxed);  // relaxed: see the declaration
    place->second.recursive = recursive;
    return success;
}
int qthread_lock_destroy(word* at)
{
    decltype(own_locks)::node_type own;
    {
        const std::scoped_lock hold(guard);
        own = own_locks.extract(at);
        if (own.empty()) {
            return success;
        }
        own_lock_count.fetch_sub(1, std::memory_order_relaxed);  // relaxed: as above
    }
    // It may be locked; a later lock with the same place in memory is made free.
    feb::fill(&own.mapped().state);
    return success;
}
int qthread_lock(const word* at)
{
    own_lock* const own = own_lock_of(at);
    if (own == nullptr) {
        feb::read_fe(writable(at));
    } else if (!lock_again(*own)) {
        feb::read_fe(&own->state);
        locked(*own);
    }
    return success;
}
int qthread_trylock(const word* at)
{
    word ignored;
    own_lock* const own = own_lock_of(at);
    if (own == nullptr) {
        return feb::try_read_fe(writable(at), ignored) ? success : not_possible_now;
    }
    if (lock_again(*own)) {
        return success;
    }
    if (!feb::try_read_fe(&own->state, ignored)) {
        return not_possible_now;
    }
    locked(*own);
    return success;
}
int qthread_unlock(const word* at)
{
    own_lock* const own = own_lock_of(at);
    if (own == nullptr) {
        feb::fill(writable(at));
        return success;
    }
    if (own->recursive) {
        // relaxed: see the declaration.
        const void* const owner = own->owner.load(std::memory_order_relaxed);
        if (owner != caller()) {
            return owner != nullptr ? not_possible_now : success;
        }
        if (--own->depth != 0) {
            return success;
        }
    }
    own->owner.store(nullptr, std::memory_order_relaxed);  // relaxed: see the declaration
    feb::fill(&own->state);
    return success;
}
}
