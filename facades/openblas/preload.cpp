// Finds an OpenBLAS as soon as it is loaded: its constructor registers fork handlers, at a time
// when everything that is loaded with it has been mapped and bound. As we are preloaded, our
// function of that name is called.
//
// A library that wraps an OpenBLAS with entry points of its own (Debian's liblapack.so.3) may be
// loaded when the OpenBLAS is there already. It has no constructor, but every library of gcc or
// clang calls __gmon_start__ when it is initialised, if there is such a function.
//
// Rejected: interposing dlopen(), whose search depends on its caller; a check in a function that is
// called often.
#include "foreign/loaded_object.hpp"
#include "number.hpp"
#include "takeover.hpp"

#include <atomic>
#include <dlfcn.h>

namespace {

using register_function = int(void (*)(), void (*)(), void (*)(), void*);

// Libraries that are loaded with the program.
[[gnu::constructor]] void take_over_at_start() noexcept
{
    artel::openblas::take_over_new();
}

bool is_of_openblas(const void* address) noexcept
{
    const auto object = artel::foreign::loaded_object::containing(address);
    return object && artel::openblas::may_have_number(*object);
}

}  // namespace

// pthread_atfork of the C library.
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* object)
{
    // Not a guarded static, whose guard a fork could leave taken.
    static std::atomic<register_function*> known{nullptr};
    register_function* real = known.load(std::memory_order_relaxed);  // relaxed: all find the same
    if (real == nullptr) {
        real = reinterpret_cast<register_function*>(::dlsym(RTLD_NEXT, "__register_atfork"));
        known.store(real, std::memory_order_relaxed);  // relaxed: see above
    }
    const int result = real(prepare, parent, child, object);
    if (is_of_openblas(__builtin_return_address(0))) {
        artel::openblas::take_over_new();
    }
    return result;
}

// Profiled programs (-pg) have their own __gmon_start__; then this one is not called.
extern "C" void __gmon_start__()
{
    const auto object = artel::foreign::loaded_object::containing(__builtin_return_address(0));
    if (object && object->needs("libopenblas")) {
        artel::openblas::take_over_new();
    }
}
