// A wait queue: members wait in it until its word changes. They spin while their worker has nothing
// else to do, and are suspended otherwise; the opener wakes the suspended ones list by list. A list
// of several sleepers, whose data are in the cache of another worker, is posted as a whole to that
// worker, which wakes them. Team barriers, the gate of hot teams and waits for tasks are built on
// it.
//
// The user gives the 64-bit word its meaning; every opening changes it. No wake-up is lost: the
// first waiter in a list increments occupied_ (a locked operation, a full fence) before it compares
// the word for the last time, under the list's lock; the opener changes the word, makes a full
// fence, and only then reads occupied_. Either the waiter sees the new word, or the opener sees an
// occupied list, takes its lock, and finds the waiter. Later waiters of the same list rely on the
// first: had the opener not seen its increment, the first would have seen the new word and left the
// list empty.
#pragma once

#include "base/cpu.hpp"
#include "base/spinlock.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace artel::sched {
struct worker;
}

namespace artel::openmp {

// A second reason to wake up beside the word: tasks that the waiter may run. Code that makes it
// true makes a full fence afterwards and checks has_sleepers().
struct wake_reason {
    bool (*holds)(const void* argument) = nullptr;
    const void* argument = nullptr;
    bool given() const noexcept { return holds != nullptr && holds(argument); }
};

class wait_queue {
public:
    wait_queue() = default;
    // Nobody may wait. Blocks in the rare case that a posted list whose sleepers have been woken
    // singly is still in a worker's inbox.
    ~wait_queue();
    wait_queue(const wait_queue&) = delete;
    wait_queue& operator=(const wait_queue&) = delete;

    // The most lists that a queue may have.
    static constexpr unsigned largest_lists = 65;

    // Sets the number of lists; members that start on the same worker should wait in the same list.
    // Not thread-safe; nobody may wait. Growing beyond every earlier size may block as the
    // destructor does.
    void configure(unsigned lists);
    // What the members that wait here wait for (sched/program_regions.hpp): a region that cannot go
    // on before those that work for it have. Without one a waiting thread of the program carries no
    // foreign code.
    void waits_for(const void* region) noexcept { awaited_ = region; }
    unsigned lists() const noexcept { return list_count_; }

    // acquire: pairs with the release in open(), so that the reader sees what the opener wrote
    // before.
    std::uint64_t word() const noexcept { return word_.load(std::memory_order_acquire); }

    // Two more words in the cache line of the word: written by the opener before it opens, read by
    // waiters that have seen the word change.
    struct note {
        std::uintptr_t first = 0;
        std::uintptr_t second = 0;
    };
    note& noted() noexcept { return note_; }

    // One look of a spinning waiter: true when the word has changed from `old`.
    bool opened(std::uint64_t old) const noexcept { return word() != old; }

    // Suspends the caller while the word is `old` and `other` does not hold. May return early
    // (wake_one); callers loop. Switches. `next`: a suspended fiber that belongs to the caller,
    // with which the worker continues.
    void sleep(unsigned list, std::uint64_t old, wake_reason other = {},
               fiber::fiber* next = nullptr) noexcept;
    // The same, in the list of the caller's worker, one of the first `lists`.
    void sleep_at_home(unsigned lists, std::uint64_t old, wake_reason other = {}) noexcept;

    // Spins for at most `spin_cycles`, while the caller's worker has nothing else to do and `other`
    // does not hold. True when the word changed.
    bool spin(std::uint64_t old, std::uint64_t spin_cycles, wake_reason other = {}) const noexcept;

    // Changes the word and wakes the sleepers of lists [0, lists). One opener at a time.
    void open(std::uint64_t new_word, unsigned lists) noexcept;
    void open(std::uint64_t new_word) noexcept { open(new_word, list_count_); }

    // Changes the word to some other value and wakes everybody; for queues whose word has no
    // meaning. Any number of openers at a time.
    void open_next() noexcept;

    // Whether anybody sleeps. Exact for sleepers that the caller's fence is ordered after, else an
    // estimate. relaxed: ordered by the caller's fence.
    bool has_sleepers() const noexcept { return occupied_.load(std::memory_order_relaxed) != 0; }

    // Takes one sleeper out of lists [0, lists), preferably one whose worker is idle, and makes it
    // ready. False when there was none.
    bool wake_one(unsigned lists) noexcept;

private:
    // A list is also a work item, which wakes its sleepers.
    struct alignas(base::cache_line) list : base::work {
        base::spinlock lock;  // guards all that follows
        unsigned count = 0;
        base::work* first = nullptr;  // plain fibers and personas, linked by next, oldest first
        base::work* last = nullptr;
        base::work* bound = nullptr;  // bound fibers
        // the worker that is to wake the list; nullptr: the next opener decides.
        sched::worker* posted_to = nullptr;
        wait_queue* queue = nullptr;
        bool empty() const noexcept { return first == nullptr && bound == nullptr; }
        base::work* take_all() noexcept;
        void taken() noexcept;
    };
    struct sleep_request;
    static void lie_down(fiber::carrier& here, fiber::fiber& sleeper, void* argument);
    static void wake_chain(base::work* first) noexcept;
    static void wake_list(void* here, base::work& posted);
    void wake_lists(unsigned lists) noexcept;
    void await_posted() noexcept;

    alignas(base::cache_line) std::atomic<std::uint64_t> word_{0};
    note note_;
    alignas(base::cache_line) std::atomic<unsigned> occupied_{0};  // lists in which somebody sleeps
    std::unique_ptr<list[]> list_;
    unsigned list_count_ = 0;
    unsigned list_capacity_ = 0;
    const void* awaited_ = nullptr;
};

}  // namespace artel::openmp
