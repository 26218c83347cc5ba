// Objects of the program that are told when a thread comes to an arena and when it leaves: once
// each, in pairs. A thread that is in the arena when one begins to observe is told before it next
// runs a task of others.
#pragma once

#include "abi.hpp"
#include "base/spinlock.hpp"

#include <atomic>
#include <cstdint>
#include <new>

namespace artel::onetbb {

class arena;
struct thread;
using abi::d1::task_scheduler_observer;

// Stands for an observer in the list; the program may destroy that one at any time.
struct observer_entry {
    task_scheduler_observer* observer;  // nullptr: it observes no more. Guarded by the lock.
    std::uint64_t number;
    unsigned calls = 0;  // that are going on; guarded by the lock
    observer_entry* next = nullptr;
    arena* where = nullptr;  // referred to
};

class observer_list {
public:
    observer_list() = default;
    ~observer_list();
    observer_list(const observer_list&) = delete;
    observer_list& operator=(const observer_list&) = delete;

    // Whether tell_entry would call the program. relaxed: a moment's view.
    bool have_news_for(const thread& t) const noexcept
    {
        return newest_.load(std::memory_order_relaxed) > seen_by(t);
    }
    // The thread has come, or is about to run tasks of others; it has seen those up to
    // thread::observers_seen.
    void tell_entry(thread& t) noexcept
    {
        // relaxed: a moment's view; the lock orders.
        if (newest_.load(std::memory_order_relaxed) > seen_by(t)) [[unlikely]] {
            tell_new(t);
        }
    }
    void tell_exit(thread& t) noexcept;

    observer_entry& add(task_scheduler_observer& o, arena& where);
    // Afterwards nobody but the caller is in a call of it.
    static void remove(observer_entry& e) noexcept;
    // In the child of a fork, by its only thread: the calls of others do not end there.
    void forget_others() noexcept;

private:
    static std::uint64_t seen_by(const thread& t) noexcept;
    void tell_new(thread& t) noexcept;
    void call(observer_entry& e, const thread& t, bool entry) noexcept;
    void sweep() noexcept;

    base::spinlock lock_;
    observer_entry* first_ = nullptr;  // the oldest; entries stay as long as the arena
    observer_entry** end_ = &first_;
    std::atomic<std::uint64_t> newest_{0};
};

}  // namespace artel::onetbb
