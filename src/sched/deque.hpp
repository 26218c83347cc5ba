// Growable work-stealing deque of pointers: the owner pushes and pops at the bottom, any thread
// steals at the top. Chase and Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005, with the
// memory orders of Lê, Pop, Cohen and Nardelli, "Correct and Efficient Work-Stealing for Weak
// Memory Models", PPoPP 2013. The owner may also take from the top (steal), which makes it a FIFO.
// Rejected: membarrier instead of the fence in pop (8 us a steal against 2 ns a pop,
// docs/decisions/0002-fences.md).
#pragma once

#include "base/cpu.hpp"
#include "fiber/call_out.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace artel::sched {

template <class T>
class deque {
public:
    explicit deque(std::size_t capacity = base::modelled ? 2 : 256)
        : ring_(make_ring(capacity, nullptr))
    {}
    // Whether its allocation succeeded; if not it must not be used. relaxed: for its maker.
    bool usable() const noexcept { return ring_.load(std::memory_order_relaxed) != nullptr; }
    deque(const deque&) = delete;
    deque& operator=(const deque&) = delete;
    ~deque()
    {
        // relaxed: the last user is gone.
        for (ring* r = ring_.load(std::memory_order_relaxed); r != nullptr;) {
            ring* const older = r->older;
            std::destroy_n(&r->slot(0), r->capacity());  // does something in models only
            ::operator delete(r, std::align_val_t{base::cache_line});
            r = older;
        }
    }

    // Owner only. Returns false, and does not keep the item, when the ring is full and there is no
    // memory for a larger one.
    bool push(T* item) noexcept
    {
        // relaxed: only the owner writes bottom_.
        const std::int64_t b = bottom_.load(std::memory_order_relaxed);
        // relaxed: only the owner writes ring_.
        ring* r = ring_.load(std::memory_order_relaxed);
        if (b - known_top_ >= r->capacity()) [[unlikely]] {
            r = make_room(r, b);
            if (r == nullptr) {
                return false;
            }
        }
        // relaxed: published by the release below.
        r->slot(b).store(item, std::memory_order_relaxed);
        // release: pairs with the acquire of bottom_ in steal: the slot and the item's contents are
        // seen with it.
        bottom_.store(b + 1, std::memory_order_release);
        return true;
    }

    // Owner only. The youngest item, or nullptr.
    T* pop() noexcept
    {
        // relaxed: only the owner writes bottom_.
        const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
        // relaxed: only the owner writes ring_.
        ring* const r = ring_.load(std::memory_order_relaxed);
        // relaxed: may be stale-low only; re-read after the fence.
        std::int64_t t = top_.load(std::memory_order_relaxed);
        if (t > b) {
            return nullptr;  // empty already: top_ never falls, so the fence can be saved
        }
#if defined(__SANITIZE_THREAD__)
        // seq_cst: as the fence below, in a form that TSan models.
        bottom_.exchange(b, std::memory_order_seq_cst);
        t = top_.load(std::memory_order_seq_cst);  // seq_cst: same pairing
#else
        // release: as in push, for the items that stay: since C++20 the release in push does not
        // cover our later plain stores.
        bottom_.store(b, std::memory_order_release);
        // Store-buffering pair with the fence in steal: either the thief sees the smaller bottom_
        // or we see its larger top_.
        base::full_fence();
        t = top_.load(std::memory_order_relaxed);  // relaxed: ordered by the fence
#endif
        if (t < b) {
            return r->slot(b).load(std::memory_order_relaxed);  // relaxed: our own store
        }
        T* item = nullptr;
        if (t == b) {
            item = r->slot(b).load(std::memory_order_relaxed);  // relaxed: our own store
            // seq_cst: the last item; competes with a thief's CAS on the same word. relaxed on
            // failure: the thief has it.
            if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                              std::memory_order_relaxed)) {
                item = nullptr;
            }
        }
        // relaxed: empty again; thieves compare with top_ by CAS.
        bottom_.store(b + 1, std::memory_order_relaxed);
        return item;
    }

    // Any thread. The oldest item, or nullptr when empty or when another thread was faster.
    T* steal() noexcept
    {
        // acquire: pairs with the CAS of earlier thieves, so that bottom_ is read after top_.
        std::int64_t t = top_.load(std::memory_order_acquire);
#if defined(__SANITIZE_THREAD__)
        // seq_cst: pairs with the exchange in pop.
        const std::int64_t b = bottom_.load(std::memory_order_seq_cst);
#else
        base::full_fence();  // pairs with the fence in pop
        // acquire: pairs with the release in push: the slot's contents.
        const std::int64_t b = bottom_.load(std::memory_order_acquire);
#endif
        if (t >= b) {
            return nullptr;
        }
        // acquire: pairs with the release in grow: the ring's contents. Old rings stay alive, so a
        // stale one is only old.
        ring* const r = ring_.load(std::memory_order_acquire);
        // relaxed: valid only if the CAS succeeds.
        T* const item = r->slot(t).load(std::memory_order_relaxed);
        // seq_cst: claims the item against pop and other thieves. relaxed on failure: the value
        // read is dropped.
        if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                          std::memory_order_relaxed)) {
            return nullptr;
        }
        return item;
    }

    // Any thread; an estimate. Exact for the owner while nobody steals.
    std::size_t size() const noexcept
    {
        // relaxed: an estimate by contract; code that relies on "empty" checks again after its own
        // fence (sched/idle.cpp).
        const std::int64_t b = bottom_.load(std::memory_order_relaxed);
        const std::int64_t t = top_.load(std::memory_order_relaxed);  // relaxed: as above
        return b > t ? static_cast<std::size_t>(b - t) : 0;
    }
    bool empty() const noexcept { return size() == 0; }

    // Changes with every push, with every pop of the last item, and with every steal. Any thread;
    // an estimate.
    std::uint64_t movement() const noexcept
    {
        // relaxed (two): an estimate by contract.
        return static_cast<std::uint64_t>(bottom_.load(std::memory_order_relaxed)) +
               (static_cast<std::uint64_t>(top_.load(std::memory_order_relaxed)) << 32);
    }

    // The index of the oldest item: while it is unchanged and the deque is not empty, so is the
    // oldest item. Any thread; an estimate.
    std::int64_t oldest() const noexcept
    {
        return top_.load(std::memory_order_relaxed);  // relaxed: an estimate by contract
    }

    // Owner only: asks thieves to leave a lone item alone for a moment, because the owner usually
    // takes it back (crew::too_young).
    void delay_thieves(bool on) noexcept
    {
        // relaxed: a hint, seen with the item at the latest.
        delays_thieves_.store(on, std::memory_order_relaxed);
    }
    // Any thread; an estimate. relaxed: a hint.
    bool delays_thieves() const noexcept { return delays_thieves_.load(std::memory_order_relaxed); }

private:
    struct ring {
        std::int64_t mask;
        ring* older;  // a thief may still read it; freed with the deque
        std::int64_t capacity() const noexcept { return mask + 1; }
        std::atomic<T*>& slot(std::int64_t i) noexcept
        {
            return reinterpret_cast<std::atomic<T*>*>(this + 1)[i & mask];
        }
    };

    static ring* make_ring(std::size_t capacity, ring* older) noexcept
    {
        const fiber::call_out guard;  // in the middle of a push
        void* const memory = ::operator new(sizeof(ring) + capacity * sizeof(std::atomic<T*>),
                                            std::align_val_t{base::cache_line}, std::nothrow);
        if (memory == nullptr) {
            return nullptr;
        }
        ring* const r = new (memory) ring{static_cast<std::int64_t>(capacity) - 1, older};
        std::uninitialized_default_construct_n(reinterpret_cast<std::atomic<T*>*>(r + 1), capacity);
        return r;
    }

    // Finds room for one more item. Out of line, so that push has no registers to save.
    [[gnu::noinline, gnu::cold]] ring* make_room(ring* r, std::int64_t b) noexcept
    {
        // acquire: pairs with the CAS on top_ in steal: slots below the top we see are no longer
        // read.
        known_top_ = top_.load(std::memory_order_acquire);
        return b - known_top_ >= r->capacity() ? grow(r, known_top_, b) : r;
    }

    ring* grow(ring* old, std::int64_t t, std::int64_t b) noexcept
    {
        ring* const larger = make_ring(static_cast<std::size_t>(old->capacity()) * 2, old);
        if (larger == nullptr) {
            return nullptr;
        }
        for (std::int64_t i = t; i < b; ++i) {
            // relaxed: owner's own data, published by the release below.
            larger->slot(i).store(old->slot(i).load(std::memory_order_relaxed),
                                  std::memory_order_relaxed);
        }
        ring_.store(larger, std::memory_order_release);  // release: pairs with the acquire in steal
        return larger;
    }

    alignas(base::cache_line) std::atomic<std::int64_t> top_{0};     // thieves
    alignas(base::cache_line) std::atomic<std::int64_t> bottom_{0};  // owner
    std::atomic<ring*> ring_;
    // A lower bound of top_, so that the owner need not fetch the thieves' line at each push.
    std::int64_t known_top_ = 0;
    std::atomic<bool> delays_thieves_{false};  // here, because thieves fetch this line anyway
};

}  // namespace artel::sched
