// What the compiler keeps in the frame of a coroutine that returns an artel::task (artel/task.hpp).
#pragma once

#include <version>

#if defined(__cpp_impl_coroutine) && __cpp_impl_coroutine >= 201902L

#include <artel/detail/result_of_call.hpp>
#include <coroutine>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace artel {

template <class T = void>
class task;

namespace detail {

struct task_promise_base {
    std::coroutine_handle<> next;  // the awaiting coroutine; none before it begins

    struct final_awaiter {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) const noexcept
        {
            return h.promise().next;
        }
        void await_resume() const noexcept {}
    };
    std::suspend_always initial_suspend() const noexcept { return {}; }
    final_awaiter final_suspend() const noexcept { return {}; }
};

template <class T>
struct task_promise : task_promise_base {
    using stored = std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>;
    std::variant<std::monostate, stored, std::exception_ptr> result;

    artel::task<T> get_return_object() noexcept;
    void unhandled_exception() { result.template emplace<2>(handled_exception()); }
    template <class U = T>
        requires std::is_convertible_v<U, T>
    void return_value(U&& value)
    {
        if constexpr (std::is_reference_v<T>) {
            result.template emplace<1>(std::addressof(value));
        } else {
            result.template emplace<1>(std::forward<U>(value));
        }
    }
    T take()
    {
        if (result.index() == 2) {
            std::rethrow_exception(std::get<2>(result));
        }
        if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(*std::get<1>(result));
        } else {
            return std::move(std::get<1>(result));
        }
    }
};

template <>
struct task_promise<void> : task_promise_base {
    std::exception_ptr error;

    artel::task<void> get_return_object() noexcept;
    void unhandled_exception() { error = handled_exception(); }
    void return_void() const noexcept {}
    void take() const
    {
        if (error != nullptr) {
            std::rethrow_exception(error);
        }
    }
};

}  // namespace detail
}  // namespace artel

#endif
