// What a promise and its future share (artel/future.hpp).
#pragma once

#include <artel/detail/block.hpp>
#include <artel/detail/feb_line.hpp>
#include <artel/detail/wait_word.hpp>
#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace artel {
namespace detail {

// The state that a promise and its future share; freed by the last of the two to release it.
struct result_state_base {
    // The function to be called when the result is set.
    struct continuation {
        void (*call)(continuation&) noexcept = nullptr;
    };

    word ready{0};
    std::atomic<unsigned> owners{1};
    std::atomic<continuation*> next{nullptr};
    bool has_future = false;  // the promise's
    enum class progress : unsigned char { none, being_set, set };
    std::atomic<progress> satisfied{progress::none};  // the promise's
    std::exception_ptr error;

    // acquire: pairs with finish().
    bool is_ready() const noexcept { return ready.load(std::memory_order_acquire) != 0; }
    void wait() noexcept
    {
        while (!is_ready()) {
            if (!spin_while(ready, 0)) {
                wait_word(ready, 0);
            }
        }
    }
    // Makes the caller the one that sets the result: false if it is set. Waits while another thread
    // is about to set it, which may fail.
    bool claim() noexcept
    {
        for (unsigned round = 0;;) {
            progress before = progress::none;
            // acquire: pairs with the release of an attempt that failed.
            if (satisfied.compare_exchange_strong(before, progress::being_set,
                                                  std::memory_order_acquire,
                                                  std::memory_order_relaxed)) {
                return true;
            }
            if (before == progress::set) {
                return false;
            }
            feb_spin(round);
        }
    }
    // The caller, which has claimed it, has not set it after all.
    void give_up() noexcept
    {
        satisfied.store(progress::none, std::memory_order_release);  // release: pairs with claim()
    }
    // Called by the promise. Once the state is ready, waiters may release it, and destroy the
    // promise as well: so only the address of `ready` is used afterwards. A continuation keeps the
    // state until it is called.
    void finish() noexcept
    {
        satisfied.store(progress::set, std::memory_order_relaxed);  // relaxed: only a number
        // acq_rel: pairs with call_when_ready(): publishes the result to a call that comes too
        // late, which waits for `ready`, and acquires the continuation of one that was in time.
        continuation* const c = next.exchange(over(), std::memory_order_acq_rel);
        ready.store(1, std::memory_order_release);  // release: pairs with is_ready()
        wake_word(ready, wake_all);
        if (c != nullptr) {
            c->call(*c);
        }
    }
    // False: the result is set, and the function will not be called.
    bool call_when_ready(continuation& c) noexcept
    {
        continuation* expected = nullptr;
        // release: publishes `c` to finish(). acquire on failure: pairs with finish(), for the
        // result.
        return next.compare_exchange_strong(expected, &c, std::memory_order_release,
                                            std::memory_order_acquire);
    }
    static continuation* over() noexcept
    {
        static constinit continuation mark;
        return &mark;
    }
};

template <class T>
struct result_state : result_state_base {
    // T may be a reference or void.
    using stored = std::conditional_t<
        std::is_void_v<T>, std::monostate,
        std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>>;
    std::optional<stored> value;
};

template <class T>
class result_owner {
public:
    using state = result_state<T>;
    result_owner() noexcept = default;
    explicit result_owner(state* s) noexcept : state_(s) {}
    result_owner(result_owner&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    result_owner& operator=(result_owner&& other) noexcept
    {
        result_owner(std::move(other)).swap(*this);
        return *this;
    }
    ~result_owner()
    {
        // acq_rel: the last one sees what the other has done with the state.
        if (state_ != nullptr && state_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            if constexpr (alignof(state) > block_alignment) {
                delete state_;
            } else {
                std::destroy_at(state_);
                free_block(state_, sizeof(state));
            }
        }
    }
    static result_owner make()
    {
        if constexpr (alignof(state) > block_alignment) {
            return result_owner(new state);
        } else {
            return result_owner(new (allocate_block(sizeof(state))) state);
        }
    }
    result_owner second() const noexcept
    {
        // relaxed: the caller is an owner, so the state exists.
        state_->owners.fetch_add(1, std::memory_order_relaxed);
        return result_owner(state_);
    }
    void swap(result_owner& other) noexcept { std::swap(state_, other.state_); }
    state* operator->() const noexcept { return state_; }
    explicit operator bool() const noexcept { return state_ != nullptr; }

private:
    state* state_ = nullptr;
};

}  // namespace detail

}  // namespace artel
