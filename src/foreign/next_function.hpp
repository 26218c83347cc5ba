// A function of the C library that a drop-in has a function of its own for.
#pragma once

#include <atomic>
#include <dlfcn.h>

namespace artel::foreign {

// Constant-initialised with its name, because constructors of other libraries may call ours before
// this one is initialised.
template <class Function>
class next_function {
public:
    explicit constexpr next_function(const char* name) noexcept : name_(name) {}
    Function* get() noexcept
    {
        Function* known = if_known();
        if (known == nullptr) [[unlikely]] {
            known = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name_));
            function_.store(known, std::memory_order_relaxed);  // relaxed: as below
        }
        return known;
    }

    // nullptr: not looked up yet.
    Function* if_known() const noexcept
    {
        return function_.load(std::memory_order_relaxed);  // relaxed: every lookup finds the same
    }

private:
    const char* name_;
    std::atomic<Function*> function_{nullptr};
};

}  // namespace artel::foreign
