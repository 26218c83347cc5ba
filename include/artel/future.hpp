// std::promise and std::future for light threads: a waiter is suspended, and its worker does other
// work.
#pragma once

#include <artel/detail/block.hpp>
#include <artel/detail/deadline.hpp>
#include <artel/detail/result_of_call.hpp>
#include <artel/detail/result_state.hpp>
#include <artel/detail/wait_word.hpp>
#include <artel/light_thread.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace artel {

// As std::future. wait() and get() suspend the caller, which may be in any context; a coroutine may
// co_await it (artel/task.hpp). Errors are std::future_error's.
template <class T>
class future {
public:
    future() noexcept = default;

    bool valid() const noexcept { return static_cast<bool>(state_); }
    // Whether get() would not wait. With valid().
    bool is_ready() const noexcept { return state_->is_ready(); }

    void wait() const
    {
        check();
        state_->wait();
    }
    template <class Clock, class Duration>
    std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& when) const
    {
        check();
        while (!state_->is_ready()) {
            if (!detail::wait_until(state_->ready, 0, when)) {
                return state_->is_ready() ? std::future_status::ready : std::future_status::timeout;
            }
        }
        return std::future_status::ready;
    }
    template <class Rep, class Period>
    std::future_status wait_for(const std::chrono::duration<Rep, Period>& time) const
    {
        return wait_until(detail::time_after(time));
    }

    // The value; or throws what set_exception was given. Once: afterwards the future is not valid.
    T get()
    {
        wait();
        const detail::result_owner<T> taken = std::move(state_);
        if (taken->error != nullptr) {
            std::rethrow_exception(taken->error);
        }
        if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(**taken->value);
        } else if constexpr (!std::is_void_v<T>) {
            return std::move(*taken->value);
        }
    }

private:
    friend class promise<T>;
    template <class>
    friend struct future_awaiter;
    explicit future(detail::result_owner<T> state) noexcept : state_(std::move(state)) {}
    void check() const
    {
        if (!valid()) {
            throw std::future_error(std::future_errc::no_state);
        }
    }
    detail::result_owner<T> state_;
};

// As std::promise: of several threads that set the result one succeeds, and the others get
// promise_already_satisfied. Setting the result does not switch. A promise that ends without a
// result sets broken_promise.
template <class T>
class promise {
public:
    // Throws std::bad_alloc. Results with up to about 50 bytes cost no heap allocation.
    promise() : state_(detail::result_owner<T>::make()) {}
    promise(promise&&) noexcept = default;
    promise& operator=(promise&& other) noexcept
    {
        promise(std::move(other)).swap(*this);
        return *this;
    }
    ~promise()
    {
        // relaxed: nobody else uses the promise any more.
        if (state_ && state_->has_future &&
            state_->satisfied.load(std::memory_order_relaxed) == progress::none) {
            state_->error = std::make_exception_ptr(
                std::future_error(std::future_errc::broken_promise));
            finish();
        }
    }
    void swap(promise& other) noexcept { state_.swap(other.state_); }

    // Once.
    future<T> get_future()
    {
        check();
        if (std::exchange(state_->has_future, true)) {
            throw std::future_error(std::future_errc::future_already_retrieved);
        }
        return future<T>(state_.second());
    }

    // One of them, once. An exception from moving or copying the value leaves the promise without a
    // result.
    template <class Given = T>
        requires(!std::is_void_v<T> && std::is_convertible_v<Given, T>)
    void set_value(Given&& value)
    {
        detail::result_state_base& claimed = claim();
        try {
            keep(std::forward<Given>(value));
        } catch (...) {
            claimed.give_up();
            throw;
        }
        claimed.finish();
    }
    void set_value()
        requires std::is_void_v<T>
    {
        claim().finish();
    }
    void set_exception(std::exception_ptr error)
    {
        detail::result_state_base& claimed = claim();
        claimed.error = std::move(error);
        claimed.finish();
    }

private:
    using progress = detail::result_state_base::progress;
    friend struct detail::result_of_call;
    void check() const
    {
        if (!state_) {
            throw std::future_error(std::future_errc::no_state);
        }
    }
    // From here on the caller is the one to set the result.
    detail::result_state_base& claim() const
    {
        check();
        detail::result_state_base& s = *state_.operator->();
        if (!s.claim()) {
            throw std::future_error(std::future_errc::promise_already_satisfied);
        }
        return s;
    }
    template <class Given>
    void keep(Given&& value)
    {
        if constexpr (std::is_reference_v<T>) {
            state_->value.emplace(std::addressof(value));
        } else {
            state_->value.emplace(std::forward<Given>(value));
        }
    }
    void finish() noexcept { state_->finish(); }
    detail::result_owner<T> state_;
};

// Runs function(arguments...) on a new light thread, on copies of both. Its result or exception
// becomes the future's after the copies have been destroyed. Unlike with std::async, dropping the
// future does not wait. Throws std::bad_alloc, or what the copying throws.
template <class F, class... Arguments>
[[nodiscard]] auto async(F&& function, Arguments&&... arguments)
{
    using T = std::invoke_result_t<std::decay_t<F>, std::decay_t<Arguments>...>;
    using block = detail::async_function<T, std::decay_t<F>, std::decay_t<Arguments>...>;
    if constexpr (alignof(block) > detail::block_alignment) {
        return async(
            detail::boxed_call(std::forward<F>(function), std::forward<Arguments>(arguments)...));
    } else {
        promise<T> p;
        future<T> result = p.get_future();
        block* const made = detail::make_in_block<block>(std::move(p), std::forward<F>(function),
                                                         std::forward<Arguments>(arguments)...);
        detail::start_light_thread(*made);
        detail::detach_light_thread(*made);
        return result;
    }
}

}  // namespace artel
