// A function of the C library's that one of the interposed*.cpp stands before.
#pragma once

#include <atomic>
#include <dlfcn.h>

namespace artel::openmp {

// Known from the beginning by its name: constructors of other libraries may call ours before this
// one has been initialized.
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

    // nullptr: nobody has asked for it yet.
    Function* if_known() const noexcept
    {
        return function_.load(std::memory_order_relaxed);  // relaxed: whoever looks finds the same
    }

private:
    const char* name_;
    std::atomic<Function*> function_{nullptr};
};

}  // namespace artel::openmp
