// std::promise and std::future for light threads: a waiter is suspended, and its worker does other
// work.
#pragma once

#include <artel/detail/block.hpp>
#include <artel/detail/deadline.hpp>
#include <artel/detail/wait_word.hpp>
#include <artel/light_thread.hpp>
#include <exception>
#include <functional>
#include <future>
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
    bool satisfied = false;   // the promise's
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
    // Called by the promise, which keeps the state until this returns: waiters may release theirs
    // at once.
    void finish() noexcept
    {
        ready.store(1, std::memory_order_release);  // release: the result
        wake_word(ready, wake_all);
        // acq_rel: publishes the result to the function that is called, and acquires what it was
        // given.
        if (continuation* const c = next.exchange(over(), std::memory_order_acq_rel);
            c != nullptr) {
            c->call(*c);
        }
    }
    // False: the result is set, and the function will not be called.
    bool call_when_ready(continuation& c) noexcept
    {
        continuation* expected = nullptr;
        // release: `c`. acquire when it fails: the result.
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
        // relaxed: by one who is an owner.
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

template <class T>
class promise;

namespace detail {
struct result_of_call;
}

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

// As std::promise. Setting the result does not switch. A promise that ends without a result sets
// broken_promise.
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
        if (state_ && !state_->satisfied && state_->has_future) {
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

    // Exactly one of them, once. An exception from moving or copying the value leaves the promise
    // unchanged.
    template <class Given = T>
        requires(!std::is_void_v<T> && std::is_convertible_v<Given, T>)
    void set_value(Given&& value)
    {
        check_unsatisfied();
        keep(std::forward<Given>(value));
        finish();
    }
    void set_value()
        requires std::is_void_v<T>
    {
        check_unsatisfied();
        finish();
    }
    void set_exception(std::exception_ptr error)
    {
        check_unsatisfied();
        state_->error = std::move(error);
        finish();
    }

private:
    friend struct detail::result_of_call;
    void check() const
    {
        if (!state_) {
            throw std::future_error(std::future_errc::no_state);
        }
    }
    void check_unsatisfied() const
    {
        check();
        if (state_->satisfied) {
            throw std::future_error(std::future_errc::promise_already_satisfied);
        }
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
    void finish() noexcept
    {
        state_->satisfied = true;
        state_->finish();
    }
    detail::result_owner<T> state_;
};

namespace detail {

// For catch-all handlers: rethrows the forced unwinding of a thread that ends (pthread_exit), which
// is not a C++ exception.
inline std::exception_ptr handled_exception()
{
    std::exception_ptr it = std::current_exception();
    if (it == nullptr) {
        throw;
    }
    return it;
}

// In two steps, so that the call's own objects are destroyed between them: once the result is set,
// waiters continue, and what the call refers to may no longer exist.
struct result_of_call {
    // The result or exception of function().
    template <class T, class F>
    static void keep(promise<T>& p, F&& function)
    {
        try {
            if constexpr (std::is_void_v<T>) {
                std::forward<F>(function)();
            } else {
                p.keep(std::forward<F>(function)());
            }
        } catch (...) {
            keep_exception(p, handled_exception());
        }
    }
    template <class T, class Given>
    static void keep_value(promise<T>& p, Given&& value)
    {
        p.keep(std::forward<Given>(value));
    }
    template <class T>
    static void keep_exception(promise<T>& p, std::exception_ptr error) noexcept
    {
        p.state_->error = std::move(error);
    }
    template <class T>
    static void show(promise<T>& p) noexcept
    {
        p.finish();
    }
};

template <class T, class F, class... Arguments>
struct async_function : light_thread_function<F, Arguments...> {
    using base = light_thread_function<F, Arguments...>;
    template <class... Given>
    explicit async_function(promise<T>&& p, Given&&... given)
        : base(std::forward<Given>(given)...), result(std::move(p))
    {
        this->call = execute;
        this->size = sizeof(*this);
    }
    static void execute(light_thread_block& block)
    {
        auto& self = static_cast<async_function&>(block);
        result_of_call::keep(self.result, [&]() -> decltype(auto) {
            return std::apply(std::move(self.function), std::move(self.arguments));
        });
        self.destroy_function();
        result_of_call::show(self.result);
        std::destroy_at(&self.result);
    }
    promise<T> result;
};

}  // namespace detail

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
