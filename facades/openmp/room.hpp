// A waiting room: members wait in it until its word changes. They spin while their worker has nothing else to do, and are suspended otherwise; the
// opener wakes the suspended ones worker by worker, with one post each. Barriers, the gate of hot teams and naps of task waits are built on it.
//
// The word is 64 bits that the user gives a meaning to; every opening changes it. Nobody is forgotten: a waiter raises sleepers_ (a locked
// operation, a full fence) before it compares the word for the last time under its list's lock; the opener changes the word, makes a full fence,
// and only then reads sleepers_. Either the waiter sees the new word, or the opener sees a sleeper, takes the lock, and finds it.
#pragma once

#include "base/cpu.hpp"
#include "base/spinlock.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace artel::openmp {

// A reason to be awake that is not the word: tasks to run, for those who may. Any code that makes it true makes a full fence afterwards and looks
// at sleepers().
struct wake_reason {
    bool (*holds)(const void* argument) = nullptr;
    const void* argument = nullptr;
    bool given() const noexcept { return holds != nullptr && holds(argument); }
};

class waiting_room {
public:
    // How many lists a room may have.
    static constexpr unsigned largest_lists = 65;

    // `lists`: members that live on the same worker should wait in the same list. Not thread-safe.
    void configure(unsigned lists);
    unsigned lists() const noexcept { return list_count_; }

    // acquire: pairs with the release in open(): what the opener wrote before.
    std::uint64_t word() const noexcept { return word_.load(std::memory_order_acquire); }

    // One look of a spinning waiter: true when the word has changed from `old`.
    bool opened(std::uint64_t old) const noexcept { return word() != old; }

    // Suspends the caller while the word is `old` and the reason is not given. May return early (wake_one); callers loop. Switches.
    void sleep(unsigned list, std::uint64_t old, wake_reason other = {}) noexcept;
    // The same in the list that belongs to the caller's worker, out of the first `lists`.
    void sleep_at_home(unsigned lists, std::uint64_t old, wake_reason other = {}) noexcept;

    // Spins up to `spin_cycles` as long as the caller's worker has nothing else to do and the reason is not given. True when the word changed.
    bool spin(std::uint64_t old, std::uint64_t spin_cycles, wake_reason other = {}) const noexcept;

    // Changes the word and wakes the sleepers of lists [0, lists). One opener at a time.
    void open(std::uint64_t new_word, unsigned lists) noexcept;
    void open(std::uint64_t new_word) noexcept { open(new_word, list_count_); }

    // Changes the word to another one and wakes everybody; for rooms whose word means nothing. Any number of openers.
    void open_next() noexcept;

    // How many sleep; a guess, exact with respect to a sleeper that was seen to sleep by the caller's fence.
    unsigned sleepers() const noexcept { return sleepers_.load(std::memory_order_relaxed); }  // relaxed: a guess

    // Takes one sleeper out of lists [0, lists), preferably one whose worker is idle, and makes it ready. False when there was none.
    bool wake_one(unsigned lists) noexcept;

private:
    struct alignas(base::cache_line) list {
        base::spinlock lock;
        base::work* first = nullptr;  // fibers, linked by next, oldest first
        base::work* last = nullptr;
    };
    struct nap;
    static void lie_down(fiber::carrier& here, fiber::fiber& sleeper, void* argument);
    static void wake_chain(base::work* first) noexcept;
    void wake_lists(unsigned lists) noexcept;

    alignas(base::cache_line) std::atomic<std::uint64_t> word_{0};
    alignas(base::cache_line) std::atomic<unsigned> sleepers_{0};
    std::unique_ptr<list[]> list_;
    unsigned list_count_ = 0;
    unsigned list_capacity_ = 0;
};

}  // namespace artel::openmp
