// Coroutines on the crew: task<T> is what a coroutine returns that others co_await or start. Needs
// a compiler with coroutines (g++ -std=c++20, clang++ -std=c++20); without, this header is empty.
#pragma once

#include <version>

#if defined(__cpp_impl_coroutine) && __cpp_impl_coroutine >= 201902L

#include <artel/future.hpp>
#include <coroutine>
#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace artel {

template <class T = void>
class task;

namespace detail {

// Resumes a coroutine on a new light thread. The memory is allocated when the coroutine is about to
// suspend, where an exception can be thrown, so that the thread that resumes it needs none.
class resumption {
public:
    explicit resumption(std::coroutine_handle<> h)
    {
        static_assert(sizeof(block) <= block_size);
        block_ = new (allocate_block(sizeof(block))) block(resume{h});
    }
    resumption(const resumption&) = delete;
    resumption& operator=(const resumption&) = delete;
    ~resumption()
    {
        if (block_ != nullptr) {
            block_->function.~resume();
            std::destroy_at(block_);
            free_block(block_, sizeof(block));
        }
    }
    // Once. Afterwards the coroutine, and the resumption in its frame, may no longer exist.
    void start() noexcept
    {
        light_thread_block& b = *std::exchange(block_, nullptr);
        start_light_thread(b);
        detach_light_thread(b);
    }

private:
    struct resume {
        std::coroutine_handle<> handle;
        void operator()() const { handle.resume(); }
    };
    using block = light_thread_function<resume>;
    block* block_ = nullptr;
};

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

// A coroutine that frees itself at its end.
struct driver {
    struct promise_type {
        driver get_return_object() noexcept
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

template <class T>
driver drive(artel::task<T> t, promise<T> p)
{
    try {
        // Ends with this block, before the result becomes known: so do the coroutine's parameters,
        // because what they refer to may no longer exist as soon as the result is known.
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
