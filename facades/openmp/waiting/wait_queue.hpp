// A wait queue: members wait in it until its word changes. They spin while their worker has
// nothing else to do, and are suspended otherwise; the opener wakes the suspended ones list by
// list. Where several sleep in a list it does not touch them, whose data are in another worker's
// cache, but posts the list itself, and that worker wakes them. Barriers, the gate of hot teams and
// naps of task waits are built on it.
//
// The word is 64 bits that the user gives a meaning to; every opening changes it. Nobody is
// forgotten: the first waiter in a list raises occupied_ (a locked operation, a full fence) before
// it compares the word for the last time, under its list's lock; the opener changes the word, makes
// a full fence, and only then reads occupied_. Either the waiter sees the new word, or the opener
// sees a list occupied, takes its lock, and finds it. Waiters that come later to a list rely on the
// first: had the opener not seen it raise occupied_, it would have seen the new word, and left the
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

// A reason to be awake that is not the word: tasks to run, for those who may. Any code that makes
// it true makes a full fence afterwards and looks at has_sleepers().
struct wake_reason {
    bool (*holds)(const void* argument) = nullptr;
    const void* argument = nullptr;
    bool given() const noexcept { return holds != nullptr && holds(argument); }
};

class wait_queue {
public:
    wait_queue() = default;
    // Nobody may wait. Blocks in the rare case that a posted list has found nobody and is not yet
    // back.
    ~wait_queue();
    wait_queue(const wait_queue&) = delete;
    wait_queue& operator=(const wait_queue&) = delete;

    // How many lists a queue may have.
    static constexpr unsigned largest_lists = 65;

    // `lists`: members that live on the same worker should wait in the same list. Not thread-safe;
    // nobody may wait. For more lists than ever before it blocks as the destructor does.
    void configure(unsigned lists);
    unsigned lists() const noexcept { return list_count_; }

    // acquire: pairs with the release in open(): what the opener wrote before.
    std::uint64_t word() const noexcept { return word_.load(std::memory_order_acquire); }

    // Two words beside the word, in its cache line: written by the opener before it opens, read by
    // those who have seen the word change.
    struct note {
        std::uintptr_t first = 0;
        std::uintptr_t second = 0;
    };
    note& noted() noexcept { return note_; }

    // One look of a spinning waiter: true when the word has changed from `old`.
    bool opened(std::uint64_t old) const noexcept { return word() != old; }

    // Suspends the caller while the word is `old` and the reason is not given. May return early
    // (wake_one); callers loop. Switches.
    // `next`: a suspended fiber of the caller's, which the worker goes on with.
    void sleep(unsigned list, std::uint64_t old, wake_reason other = {},
               fiber::fiber* next = nullptr) noexcept;
    // The same in the list that belongs to the caller's worker, out of the first `lists`.
    void sleep_at_home(unsigned lists, std::uint64_t old, wake_reason other = {}) noexcept;

    // Spins up to `spin_cycles` as long as the caller's worker has nothing else to do and the
    // reason is not given. True when the word changed.
    bool spin(std::uint64_t old, std::uint64_t spin_cycles, wake_reason other = {}) const noexcept;

    // Changes the word and wakes the sleepers of lists [0, lists). One opener at a time.
    void open(std::uint64_t new_word, unsigned lists) noexcept;
    void open(std::uint64_t new_word) noexcept { open(new_word, list_count_); }

    // Changes the word to another one and wakes everybody; for queues whose word means nothing. Any
    // number of openers.
    void open_next() noexcept;

    // Whether anybody sleeps; a guess, exact with respect to a sleeper that was seen to sleep by
    // the caller's fence. relaxed: a guess.
    bool has_sleepers() const noexcept { return occupied_.load(std::memory_order_relaxed) != 0; }

    // Takes one sleeper out of lists [0, lists), preferably one whose worker is idle, and makes it
    // ready. False when there was none.
    bool wake_one(unsigned lists) noexcept;

private:
    // As work it wakes those who sleep in it.
    struct alignas(base::cache_line) list : base::work {
        base::spinlock lock;  // guards all that follows
        unsigned count = 0;
        base::work* first = nullptr;  // plain fibers and personas, linked by next, oldest first
        base::work* last = nullptr;
        base::work* bound = nullptr;  // bound fibers
        // who wakes the others; nullptr: the next opener decides.
        sched::worker* posted_to = nullptr;
        wait_queue* queue = nullptr;
        bool empty() const noexcept { return first == nullptr && bound == nullptr; }
        base::work* take_all() noexcept;
        void taken() noexcept;
    };
    struct nap;
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
};

}  // namespace artel::openmp
