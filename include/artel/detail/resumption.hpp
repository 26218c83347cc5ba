// What artel/task.hpp runs coroutines with: a resumption on a new light thread, and a coroutine
// that owns itself.
#pragma once

#include <version>

#if defined(__cpp_impl_coroutine) && __cpp_impl_coroutine >= 201902L

#include <artel/detail/block.hpp>
#include <artel/light_thread.hpp>
#include <coroutine>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace artel::detail {

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

}  // namespace artel::detail

#endif
