// Observers: objects of the program that are called when a thread enters an arena and when it
// leaves, in pairs. For a thread that is in the arena when an observer is activated, the entry is
// reported before the thread next runs a task of another one.
//
// An observer's exception goes where it goes with the stock library: out of the call with which an
// external thread enters an arena or activates the observer; into the group of the task before
// which the entry was reported; and to std::terminate when a worker enters, and from all reports of
// exits but that of finalize(). After an exception the entry does not count: it is reported again,
// and no exit is reported. Unlike there, the observer can be deactivated afterwards, a task is
// cancelled and not lost, and a thread is in no arena that it could not enter.
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

// Represents an observer in the list. The program may destroy the observer at any time.
struct observer_entry {
    task_scheduler_observer* observer;  // nullptr: deactivated. Guarded by the lock.
    std::uint64_t number;
    unsigned calls = 0;  // calls in progress; guarded by the lock
    observer_entry* next = nullptr;
    arena* where = nullptr;  // with a reference
};

class observer_list {
public:
    observer_list() = default;
    ~observer_list();
    observer_list(const observer_list&) = delete;
    observer_list& operator=(const observer_list&) = delete;

    // Whether there are observers that tell_entry() would call. relaxed: a moment's view.
    bool has_new_for(const thread& t) const noexcept
    {
        return newest_.load(std::memory_order_relaxed) > seen_by(t);
    }
    // Called when the thread has entered, and before it runs tasks of others. It has reported to
    // the observers up to thread::observers_seen. Throws what an observer throws.
    void tell_entry(thread& t)
    {
        // relaxed: a moment's view; the lock orders.
        if (newest_.load(std::memory_order_relaxed) > seen_by(t)) [[unlikely]] {
            tell_new(t);
        }
    }
    // Throws what an observer throws; the thread has left all the same.
    void tell_exit(thread& t);

    observer_entry& add(task_scheduler_observer& o, arena& where);
    // Returns when no other thread is in a call of the observer.
    static void remove(observer_entry& e) noexcept;
    // In the child of a fork, where calls by other threads never end.
    void forget_others() noexcept;

private:
    static std::uint64_t seen_by(const thread& t) noexcept;
    void tell_new(thread& t);
    void call(observer_entry& e, const thread& t, bool entry);
    void sweep() noexcept;

    base::spinlock lock_;
    observer_entry* first_ = nullptr;  // the oldest; entries stay as long as the arena
    observer_entry** end_ = &first_;
    std::atomic<std::uint64_t> newest_{0};
};

}  // namespace artel::onetbb
