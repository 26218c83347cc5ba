// Light threads: like std::thread, at a thousandth of its cost. A handful of workers can run a
// million of them.
#pragma once

#include <artel/detail/block.hpp>
#include <artel/detail/latch.hpp>
#include <artel/detail/work.hpp>
#include <compare>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

namespace artel {
namespace detail {

// The library's part of a light thread; its function follows in the same block.
struct light_thread_block : base::work {
    void (*call)(light_thread_block&) = nullptr;  // runs the function and destroys it
    sched::latch done;
    std::size_t size = 0;  // of the block
};

ARTEL_API void start_light_thread(light_thread_block& block) noexcept;
// returns when it has ended; frees the block.
ARTEL_API void join_light_thread(light_thread_block& block) noexcept;
// the block frees itself at the end.
ARTEL_API void detach_light_thread(light_thread_block& block) noexcept;
ARTEL_API const void* this_light_thread() noexcept;

template <class F, class... Arguments>
struct light_thread_function : light_thread_block {
    template <class G, class... Given>
    explicit light_thread_function(G&& f, Given&&... given)
        : function(std::forward<G>(f)), arguments(std::forward<Given>(given)...)
    {
        call = execute;
        size = sizeof(*this);
    }
    // An exception that leaves the function ends the program, as with std::thread.
    static void execute(light_thread_block& block)
    {
        auto& self = static_cast<light_thread_function&>(block);
        std::apply(std::move(self.function), std::move(self.arguments));
        self.destroy_function();
    }
    void destroy_function() noexcept
    {
        function.~F();
        arguments.~tuple();
    }
    union {
        F function;
    };
    union {
        std::tuple<Arguments...> arguments;
    };
    ~light_thread_function() {}  // the members have been destroyed by execute
};

// The function with its arguments in memory of its own, for types that need a stricter alignment
// than blocks have.
template <class F, class... Arguments>
auto boxed_call(F&& function, Arguments&&... arguments)
{
    using all = std::tuple<std::decay_t<F>, std::decay_t<Arguments>...>;
    return
        [box = std::make_unique<all>(std::forward<F>(function),
                                     std::forward<Arguments>(arguments)...)]() -> decltype(auto) {
            return std::apply(
                [](auto& f, auto&... a) -> decltype(auto) {
                    return std::invoke(std::move(f), std::move(a)...);
                },
                *box);
        };
}

}  // namespace detail

// A light thread runs on whichever worker takes it, and after each wait perhaps on another one. It
// must not wait for others in a loop without artel::this_light_thread::yield(), and thread_local
// variables are those of the worker that runs it at the moment. Its stack has ARTEL_STACK_SIZE
// bytes.
class light_thread {
public:
    // The id of a light thread, or of none. May be reused after the light thread has been joined,
    // as with std::thread::id.
    class id {
    public:
        constexpr id() noexcept = default;
        friend constexpr auto operator<=>(id, id) noexcept = default;
        friend constexpr bool operator==(id, id) noexcept = default;
        std::uintptr_t number() const noexcept { return value_; }  // for messages; 0 for none

    private:
        friend class light_thread;
        friend id this_light_thread_id() noexcept;
        explicit id(const void* who) noexcept : value_(reinterpret_cast<std::uintptr_t>(who)) {}
        std::uintptr_t value_ = 0;
    };

    light_thread() noexcept = default;

    // Starts function(arguments...) on copies of both. Throws std::bad_alloc, or what the copying
    // throws; in either case nothing was started. Callables of up to 80 bytes with their arguments
    // cost no heap allocation. Does not switch.
    template <class F, class... Arguments>
        requires(!std::is_same_v<std::remove_cvref_t<F>, light_thread>)
    explicit light_thread(F&& function, Arguments&&... arguments)
    {
        using block = detail::light_thread_function<std::decay_t<F>, std::decay_t<Arguments>...>;
        static_assert(std::is_invocable_v<std::decay_t<F>, std::decay_t<Arguments>...>,
                      "artel::light_thread: the function cannot be called with these arguments");
        if constexpr (alignof(block) > detail::block_alignment) {
            *this = light_thread(detail::boxed_call(std::forward<F>(function),
                                                    std::forward<Arguments>(arguments)...));
        } else {
            block_ = detail::make_in_block<block>(std::forward<F>(function),
                                                  std::forward<Arguments>(arguments)...);
            detail::start_light_thread(*block_);
        }
    }

    light_thread(light_thread&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    light_thread& operator=(light_thread&& other) noexcept
    {
        if (joinable()) {
            std::terminate();
        }
        block_ = std::exchange(other.block_, nullptr);
        return *this;
    }

    // A light thread that was neither joined nor detached ends the program, as with std::thread.
    ~light_thread()
    {
        if (joinable()) {
            std::terminate();
        }
    }

    bool joinable() const noexcept { return block_ != nullptr; }
    id get_id() const noexcept { return id(block_); }

    // Waits until the light thread has ended. If it has not been started yet, and the caller's
    // stack has half of ARTEL_STACK_SIZE left, it runs at once on that stack. Throws
    // std::system_error when there is nothing to join, or when a light thread joins itself.
    void join()
    {
        check_joinable();
        if (detail::this_light_thread() == block_) {
            throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur));
        }
        detail::join_light_thread(*std::exchange(block_, nullptr));
    }

    // Detaches the light thread.
    void detach()
    {
        check_joinable();
        detail::detach_light_thread(*std::exchange(block_, nullptr));
    }

    void swap(light_thread& other) noexcept { std::swap(block_, other.block_); }

private:
    void check_joinable() const
    {
        if (!joinable()) {
            throw std::system_error(std::make_error_code(std::errc::invalid_argument));
        }
    }

    detail::light_thread_block* block_ = nullptr;
};

inline light_thread::id this_light_thread_id() noexcept
{
    return light_thread::id(detail::this_light_thread());
}

namespace this_light_thread {

// The id of the calling light thread; the default id outside of light threads.
inline light_thread::id get_id() noexcept
{
    return this_light_thread_id();
}

// Lets others run: light threads that are ready, and those that have not started. On an OS thread
// outside the crew, as std::this_thread::yield().
ARTEL_API void yield() noexcept;

}  // namespace this_light_thread
}  // namespace artel
