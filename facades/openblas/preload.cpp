// How an OpenBLAS is found as soon as it is loaded: it registers handlers for forks in its
// constructor, when everything that was loaded with it has been mapped and bound. Preloaded, our
// function of that name is the one that it finds.
//
// What has entry points of its own before an OpenBLAS (Debian's liblapack.so.3) may be loaded when
// that is there already. It has no constructor, but every library of gcc or clang calls
// __gmon_start__ when it is initialized, if there is such a function.
//
// Rejected: taking over dlopen(), which looks for libraries by who calls it; looking at every call
// of something frequent.
#include "foreign/loaded_object.hpp"
#include "takeover.hpp"

#include <atomic>
#include <dlfcn.h>

namespace {

using register_function = int(void (*)(), void (*)(), void (*)(), void*);

// Those that are loaded with the program.
[[gnu::constructor]] void take_over_at_start() noexcept
{
    artel::openblas::take_over_new();
}

bool is_of_openblas(const void* address) noexcept
{
    const auto object = artel::foreign::loaded_object::containing(address);
    return object && object->exported("blas_cpu_number") != nullptr;
}

}  // namespace

// pthread_atfork of the C library.
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* object)
{
    // No static with a guard, which a fork could leave taken.
    static std::atomic<register_function*> known{nullptr};
    register_function* real = known.load(std::memory_order_relaxed);  // relaxed: all find the same
    if (real == nullptr) {
        real = reinterpret_cast<register_function*>(::dlsym(RTLD_NEXT, "__register_atfork"));
        known.store(real, std::memory_order_relaxed);  // relaxed: see above
    }
    const int result = real(prepare, parent, child, object);
    if (is_of_openblas(__builtin_return_address(0))) {
        artel::openblas::take_over_loaded();
    }
    return result;
}

// Of profiled programs (-pg), which have one of their own; then this is not called.
extern "C" void __gmon_start__()
{
    const auto object = artel::foreign::loaded_object::containing(__builtin_return_address(0));
    if (object && object->needs("libopenblas")) {
        artel::openblas::take_over_loaded();
    }
}
