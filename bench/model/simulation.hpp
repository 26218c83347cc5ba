// A discrete-event simulation whose processes are coroutines: simulated time passes only at
// co_await.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <queue>
#include <utility>
#include <vector>

namespace artel::model {

class simulation {
public:
    double now() const { return now_; }

    // Continues `who` at that time; in the order of the calls where times are equal.
    void at(double time, std::coroutine_handle<> who) { events_.push({time, sequence_++, who}); }

    // Awaited by a process: lets this much time pass.
    auto pass(double duration)
    {
        struct awaiter {
            simulation& in;
            double until;
            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> who) const { in.at(until, who); }
            void await_resume() const noexcept {}
        };
        return awaiter{*this, now_ + duration};
    }

    // Runs until no event is left.
    void run()
    {
        while (!events_.empty()) {
            const event next = events_.top();
            events_.pop();
            now_ = next.time;
            ++happened_;
            next.who.resume();
        }
    }
    std::uint64_t events() const { return happened_; }

private:
    struct event {
        double time;
        std::uint64_t sequence;
        std::coroutine_handle<> who;
        // for a queue that gives the greatest first.
        friend bool operator<(const event& a, const event& b)
        {
            return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
        }
    };
    std::priority_queue<event> events_;
    double now_ = 0;
    std::uint64_t sequence_ = 0;
    std::uint64_t happened_ = 0;
};

// A process, or a part of one that another awaits. Begins when it is awaited or started, and at its
// end continues the process that awaits it.
template <class T = void>
class step;

namespace detail {

struct promise_base {
    std::coroutine_handle<> next;
    std::exception_ptr error;
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct end {
        bool await_ready() noexcept { return false; }
        template <class P>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept
        {
            return h.promise().next ? h.promise().next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };
    end final_suspend() noexcept { return {}; }
    void unhandled_exception() { error = std::current_exception(); }
};

template <class T>
struct promise : promise_base {
    T value{};
    step<T> get_return_object();
    void return_value(T v) { value = std::move(v); }
};

template <>
struct promise<void> : promise_base {
    step<void> get_return_object();
    void return_void() {}
};

}  // namespace detail

template <class T>
class [[nodiscard]] step {
public:
    using promise_type = detail::promise<T>;
    explicit step(std::coroutine_handle<promise_type> h) : handle_(h) {}
    step(step&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    step& operator=(step&&) = delete;
    ~step()
    {
        if (handle_) {
            handle_.destroy();
        }
    }

    // Runs it up to its first co_await that lets time pass; it must stay alive until its end.
    void start() { handle_.resume(); }
    void check() const
    {
        if (handle_.promise().error) {
            std::rethrow_exception(handle_.promise().error);
        }
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> next) noexcept
    {
        handle_.promise().next = next;
        return handle_;
    }
    T await_resume()
    {
        check();
        if constexpr (!std::is_void_v<T>) {
            return std::move(handle_.promise().value);
        }
    }

private:
    std::coroutine_handle<promise_type> handle_;
};

template <class T>
step<T> detail::promise<T>::get_return_object()
{
    return step<T>(std::coroutine_handle<promise<T>>::from_promise(*this));
}

inline step<void> detail::promise<void>::get_return_object()
{
    return step<void>(std::coroutine_handle<promise<void>>::from_promise(*this));
}

}  // namespace artel::model
