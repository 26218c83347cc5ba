// Coroutines on the crew: task<T> is what a coroutine returns that others co_await or start. Needs
// a compiler with coroutines (g++ -std=c++20, clang++ -std=c++20); without, this header is empty.
#pragma once

#include <version>

#if defined(__cpp_impl_coroutine) && __cpp_impl_coroutine >= 201902L

#include <artel/detail/resumption.hpp>
#include <artel/detail/task_promise.hpp>
#include <artel/future.hpp>
#include <coroutine>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace artel {

// A coroutine that has not begun. It runs when it is awaited, on its awaiter's light thread, or
// when it is given to start(). Between its suspensions it is ordinary code of a light thread and
// may use all waits of the library; after each await it may be on another light thread. A task that
// is destroyed before it began never runs. The coroutine's parameters are destroyed before the
// future of start() gets the result.
template <class T>
class [[nodiscard]] task {
public:
    using promise_type = detail::task_promise<T>;

    task(task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    task& operator=(task&& other) noexcept
    {
        task(std::move(other)).swap(*this);
        return *this;
    }
    ~task()
    {
        if (handle_ != nullptr) {
            handle_.destroy();
        }
    }
    void swap(task& other) noexcept { std::swap(handle_, other.handle_); }

    // co_await std::move(t): runs it, and returns its result or throws its exception. Once: the
    // second time throws std::logic_error, and so does a task that was moved from.
    auto operator co_await() && noexcept { return awaiter{handle_}; }

private:
    friend promise_type;
    struct awaiter {
        std::coroutine_handle<promise_type> handle;
        bool await_ready() const
        {
            if (handle == nullptr || handle.promise().next != nullptr) {
                throw std::logic_error("artel::task: awaited twice, or after it was moved from");
            }
            return false;
        }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept
        {
            handle.promise().next = caller;
            return handle;
        }
        T await_resume() const { return handle.promise().take(); }
    };
    explicit task(std::coroutine_handle<promise_type> h) noexcept : handle_(h) {}
    std::coroutine_handle<promise_type> handle_;
};

template <class T>
task<T> detail::task_promise<T>::get_return_object() noexcept
{
    return artel::task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}
inline task<void> detail::task_promise<void>::get_return_object() noexcept
{
    return artel::task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}

// co_await on_crew(): the coroutine continues on a new light thread, at the same time as the code
// that resumed or awaited it. Throws std::bad_alloc.
struct on_crew {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const { detail::resumption(h).start(); }
    void await_resume() const noexcept {}
};

// co_await of a future: as get(), but the light thread does other work or ends, and the coroutine
// continues on another one when the result is set. Also throws std::bad_alloc.
template <class T>
struct future_awaiter : detail::result_state_base::continuation {
    explicit future_awaiter(future<T>&& f) : of(std::move(f))
    {
        of.check();
        call = [](detail::result_state_base::continuation& c) noexcept {
            static_cast<future_awaiter&>(c).resumed->start();
        };
    }
    bool await_ready() const noexcept { return of.is_ready(); }
    bool await_suspend(std::coroutine_handle<> h)
    {
        resumed.emplace(h);
        // From here on the coroutine may continue elsewhere, and this object may no longer exist.
        return of.state_->call_when_ready(*this);
    }
    T await_resume() { return of.get(); }

    future<T> of;
    std::optional<detail::resumption> resumed;
};
template <class T>
future_awaiter<T> operator co_await(future<T>&& f)
{
    return future_awaiter<T>(std::move(f));
}

namespace detail {

template <class T>
driver drive(artel::task<T> t, promise<T> p)
{
    try {
        // Ends with this block, before the result becomes known, and the coroutine's parameters
        // with it: what they refer to may no longer exist once the result is known.
        artel::task<T> mine = std::move(t);
        if constexpr (std::is_void_v<T>) {
            co_await std::move(mine);
        } else {
            result_of_call::keep_value(p, co_await std::move(mine));
        }
    } catch (...) {
        result_of_call::keep_exception(p, handled_exception());
    }
    result_of_call::show(p);
}

}  // namespace detail

// Runs the coroutine on a new light thread; its result or exception becomes the future's. Throws
// std::bad_alloc, with nothing started.
template <class T>
[[nodiscard]] future<T> start(task<T> t)
{
    promise<T> p;
    future<T> result = p.get_future();
    const detail::driver d = detail::drive(std::move(t), std::move(p));
    try {
        detail::resumption(d.handle).start();
    } catch (...) {
        d.handle.destroy();
        throw;
    }
    return result;
}

// Runs all of them at the same time; returns their results in their order. If some throw, the
// exception of the first of these is thrown after all have ended.
template <class T>
    requires(!std::is_void_v<T>)
task<std::vector<T>> when_all(std::vector<task<T>> tasks)
{
    std::vector<future<T>> started;
    started.reserve(tasks.size());
    std::exception_ptr error;
    std::vector<T> results;
    try {
        results.reserve(tasks.size());
        for (task<T>& t : tasks) {
            started.push_back(start(std::move(t)));
        }
    } catch (...) {
        error = detail::handled_exception();
    }
    for (future<T>& f : started) {
        try {
            results.push_back(co_await std::move(f));
        } catch (...) {
            error = error != nullptr ? error : detail::handled_exception();
        }
    }
    if (error != nullptr) {
        std::rethrow_exception(error);
    }
    co_return results;
}
inline task<void> when_all(std::vector<task<void>> tasks)
{
    std::vector<future<void>> started;
    started.reserve(tasks.size());
    std::exception_ptr error;
    try {
        for (task<void>& t : tasks) {
            started.push_back(start(std::move(t)));
        }
    } catch (...) {
        error = detail::handled_exception();
    }
    for (future<void>& f : started) {
        try {
            co_await std::move(f);
        } catch (...) {
            error = error != nullptr ? error : detail::handled_exception();
        }
    }
    if (error != nullptr) {
        std::rethrow_exception(error);
    }
}

}  // namespace artel

#endif
