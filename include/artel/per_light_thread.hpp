// per_light_thread<T>: a value for each light thread, made when that light thread first asks for it
// and destroyed at its end: the thread_local of light threads. (thread_local itself names the
// variable of the worker that runs the light thread at the moment.)
#pragma once

#include <artel/export.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace artel {
namespace detail {

// A value, in the list of its light thread or OS thread.
struct own_value {
    own_value* next = nullptr;
    std::uint64_t key = 0;
    void (*destroy)(own_value&) noexcept = nullptr;  // and frees
};

ARTEL_API std::uint64_t new_own_value_key() noexcept;  // never given twice
// The caller's value; nullptr without one. Takes as many steps as the caller has made values since.
ARTEL_API own_value* find_own_value(std::uint64_t key) noexcept;
// Adds a value to the caller's list, until its end. Allocates nothing.
ARTEL_API void keep_own_value(own_value& v) noexcept;

}  // namespace detail

// A caller that is not a light thread uses the value of its OS thread. Outside the crew that is
// what thread_local would be, but for its end: it is destroyed after the thread's thread_local
// objects, at the end of the process if it is the main thread's. In a task or an iteration it is
// the worker's, which others may use after a wait. A light thread has its own even when a worker or
// a join runs it as a plain function.
//
// Values outlive the per_light_thread object: each is destroyed at the end of its light thread,
// after the light thread's function and before a joiner continues, newest first. In their
// destructors light threads may wait, and ask for values of other objects.
template <class T>
    requires(std::is_object_v<T> && !std::is_array_v<T>)
class per_light_thread {
public:
    // Each value is T{}.
    per_light_thread()
        requires std::default_initializable<T>
        : make_([] { return T{}; })
    {}
    // Each value is the result of make(), called by the light thread that asks. If make() throws,
    // local() throws, and the next call tries again.
    template <class Make>
        requires std::is_invocable_r_v<T, const Make&>
    explicit per_light_thread(Make make) : make_(std::move(make))
    {}
    per_light_thread(const per_light_thread&) = delete;
    per_light_thread& operator=(const per_light_thread&) = delete;

    // The caller's value. Throws what making it throws, and std::bad_alloc. Some nanoseconds once
    // it exists. A reference stays good until the light thread ends.
    T& local()
    {
        if (T* const existing = find(); existing != nullptr) {
            return *existing;
        }
        auto made = std::make_unique<holder>(make_);
        made->key = key_;
        made->destroy = [](detail::own_value& v) noexcept { delete static_cast<holder*>(&v); };
        // make() may itself have asked for the value.
        if (T* const existing = find(); existing != nullptr) {
            return *existing;
        }
        detail::keep_own_value(*made);
        return made.release()->value;
    }
    T& operator*() { return local(); }
    T* operator->() { return std::addressof(local()); }

    // nullptr if the caller has not asked for it before.
    T* find() const noexcept
    {
        detail::own_value* const found = detail::find_own_value(key_);
        return found != nullptr ? std::addressof(static_cast<holder*>(found)->value) : nullptr;
    }

private:
    struct holder : detail::own_value {
        explicit holder(const std::function<T()>& make) : value(make()) {}
        T value;
    };
    const std::uint64_t key_ = detail::new_own_value_key();
    std::function<T()> make_;
};

}  // namespace artel
