// The result of a function or a coroutine, on its way into a promise (artel/future.hpp).
#pragma once

#include <artel/light_thread.hpp>
#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace artel {

template <class T>
class promise;

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

// Keeps a result and shows it in two steps, so that the call's own objects are destroyed between
// them: once waiters see the result they continue, and what the call refers to may no longer exist.
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

}  // namespace artel
