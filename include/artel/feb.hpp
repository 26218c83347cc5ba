// A variable that is full or empty: readers wait until it is full, writers until it is empty. The
// full/empty word of data-flow machines, as a class.
#pragma once

#include <artel/detail/feb_line.hpp>
#include <atomic>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace artel {

// Empty at first, unless made with a value. Every operation is atomic. A waiter is suspended, and
// its worker does other work; any context may wait. Waiters are served in this order: when the word
// becomes full, all waiting read_ff() and write_ff() are performed, the longest waiting first, then
// the read_fe() that has waited longest; that empties the word, and the write_ef() that has waited
// longest is performed; and so on. There must be no waiters when it is destroyed.
//
// An operation that need not wait takes one atomic exchange and one store. The thread that makes an
// operation possible moves the values, so moving, copying and destroying T must not throw.
template <class T>
class feb {
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>);

public:
    feb() noexcept = default;
    explicit feb(T value) noexcept : state_(full) { std::construct_at(place(), std::move(value)); }
    feb(const feb&) = delete;
    feb& operator=(const feb&) = delete;
    ~feb()
    {
        // relaxed: nobody else knows the object any more.
        if ((state_.load(std::memory_order_relaxed) & full) != 0) {
            std::destroy_at(place());
        }
    }

    // Waits until the word is empty, and fills it with the value. May switch.
    void write_ef(T value) noexcept
    {
        std::uint32_t expected = 0;
        // acquire: pairs with the release in unlock(). relaxed on failure: taken again below.
        if (state_.compare_exchange_strong(expected, locked, std::memory_order_acquire,
                                           std::memory_order_relaxed)) [[likely]] {
            std::construct_at(place(), std::move(value));
            // release: pairs with the acquire of the next thread to lock the word.
            state_.store(full, std::memory_order_release);
            return;
        }
        arrival<T> a{{detail::feb_wish::put, put}, *this, std::addressof(value)};
        wait_for(a);
    }

    // The same without waiting: false, and the value unchanged, if the word is full.
    bool try_write_ef(T& value) noexcept
    {
        arrival<T> a{{detail::feb_wish::put, put}, *this, std::addressof(value)};
        return try_now(a);
    }

    // Fills the word whether it is full or not. Does not switch.
    void write_f(T value) noexcept
    {
        const bool was_full = (lock() & full) != 0;
        if (was_full) {
            std::destroy_at(place());
        }
        std::construct_at(place(), std::move(value));
        finish(true);
    }

    // Waits until the word is full, and replaces its value. May switch.
    void write_ff(T value) noexcept
    {
        arrival<T> a{{detail::feb_wish::leave_full, replace}, *this, std::addressof(value)};
        wait_for(a);
    }

    // Waits until the word is full, and copies its value. May switch.
    T read_ff() noexcept
        requires std::is_nothrow_copy_constructible_v<T>
    {
        result r;
        arrival<result> a{{detail::feb_wish::leave_full, copy}, *this, &r};
        wait_for(a);
        return r.take();
    }

    // Waits until the word is full, takes its value and leaves it empty. May switch.
    T read_fe() noexcept
    {
        std::uint32_t expected = full;
        // acquire: pairs with the release in unlock(). relaxed on failure: taken again below.
        if (state_.compare_exchange_strong(expected, full | locked, std::memory_order_acquire,
                                           std::memory_order_relaxed)) [[likely]] {
            T value(std::move(*place()));
            std::destroy_at(place());
            // release: pairs with the acquire of the next thread to lock the word.
            state_.store(0, std::memory_order_release);
            return value;
        }
        result r;
        arrival<result> a{{detail::feb_wish::take, take}, *this, &r};
        wait_for(a);
        return r.take();
    }

    // The same two without waiting: false, and `value` unchanged, if the word is empty.
    bool try_read_ff(T& value) noexcept
        requires std::is_nothrow_copy_constructible_v<T>
    {
        result r;
        arrival<result> a{{detail::feb_wish::leave_full, copy}, *this, &r};
        return try_now(a) && (value = r.take(), true);
    }
    bool try_read_fe(T& value) noexcept
    {
        result r;
        arrival<result> a{{detail::feb_wish::take, take}, *this, &r};
        return try_now(a) && (value = r.take(), true);
    }

    // Makes the word empty, whatever its state. Does not switch.
    void purge() noexcept
    {
        if ((lock() & full) != 0) {
            std::destroy_at(place());
        }
        finish(false);
    }

    // Only a hint: others may change it at the same moment.
    bool is_full() const noexcept
    {
        // acquire: what was done before the word was filled is seen.
        return (state_.load(std::memory_order_acquire) & full) != 0;
    }

private:
    static constexpr std::uint32_t full = 1;
    static constexpr std::uint32_t waiting = 2;  // there are waiters in the queue
    static constexpr std::uint32_t locked = 4;

    // Room for the value that is read.
    struct result {
        alignas(T) unsigned char bytes[sizeof(T)];
        T* at() noexcept { return std::launder(reinterpret_cast<T*>(bytes)); }
        T take() noexcept
        {
            T value(std::move(*at()));
            std::destroy_at(at());
            return value;
        }
    };

    template <class Where>
    struct arrival : detail::feb_waiter {
        arrival(const detail::feb_waiter& w, feb& f, Where* v) noexcept
            : detail::feb_waiter(w.wish, w.transfer), word(f), value(v)
        {}
        feb& word;
        Where* value;
    };

    static void put(detail::feb_waiter& w) noexcept
    {
        auto& a = static_cast<arrival<T>&>(w);
        std::construct_at(a.word.place(), std::move(*a.value));
    }
    static void replace(detail::feb_waiter& w) noexcept
    {
        auto& a = static_cast<arrival<T>&>(w);
        std::destroy_at(a.word.place());
        std::construct_at(a.word.place(), std::move(*a.value));
    }
    static void copy(detail::feb_waiter& w) noexcept
    {
        auto& a = static_cast<arrival<result>&>(w);
        ::new (a.value->bytes) T(std::as_const(*a.word.place()));
    }
    static void take(detail::feb_waiter& w) noexcept
    {
        auto& a = static_cast<arrival<result>&>(w);
        ::new (a.value->bytes) T(std::move(*a.word.place()));
        std::destroy_at(a.word.place());
    }

    T* place() noexcept { return std::launder(reinterpret_cast<T*>(bytes_)); }

    // Returns the state before.
    std::uint32_t lock() noexcept
    {
        for (unsigned round = 0;; detail::feb_spin(round)) {
            std::uint32_t state = state_.load(std::memory_order_relaxed);  // relaxed: the CAS
                                                                           // decides
            // acquire: pairs with the release in unlock(). relaxed on failure: tried again.
            if ((state & locked) == 0 &&
                state_.compare_exchange_weak(state, state | locked, std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
                return state;
            }
        }
    }
    void unlock(bool is_full_now) noexcept
    {
        // release: pairs with the acquire of the next thread to lock the word. No other thread
        // writes it while it is locked.
        state_.store((is_full_now ? full : 0) | (line_.empty() ? 0 : waiting),
                     std::memory_order_release);
    }
    // Serves the waiters that may continue now that the word is full (or empty), then unlocks.
    void finish(bool is_full_now) noexcept
    {
        detail::feb_line served;
        if (!line_.empty()) {
            is_full_now = detail::feb_serve(line_, is_full_now, served);
        }
        unlock(is_full_now);
        if (!served.empty()) {
            detail::feb_release(served);
        }
    }
    static bool may_go_on(detail::feb_wish wish, std::uint32_t state) noexcept
    {
        return (wish == detail::feb_wish::put) == ((state & full) == 0);
    }
    static bool full_after(detail::feb_wish wish) noexcept
    {
        return wish != detail::feb_wish::take;
    }
    bool try_now(detail::feb_waiter& w) noexcept
    {
        const std::uint32_t state = lock();
        if (!may_go_on(w.wish, state)) {
            unlock((state & full) != 0);
            return false;
        }
        w.transfer(w);
        finish(full_after(w.wish));
        return true;
    }
    void wait_for(detail::feb_waiter& w) noexcept
    {
        const std::uint32_t state = lock();
        if (may_go_on(w.wish, state)) {
            w.transfer(w);
            finish(full_after(w.wish));
            return;
        }
        w.who = detail::feb_caller();
        line_.append(w);
        unlock((state & full) != 0);
        detail::feb_wait(w);
    }

    std::atomic<std::uint32_t> state_{0};
    detail::feb_line line_;
    alignas(T) unsigned char bytes_[sizeof(T)];
};

}  // namespace artel
