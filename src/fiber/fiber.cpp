// Creation and end of plain fibers, adoption of OS threads, and the core's thread-locals.
#include "fiber/fiber.hpp"

#include "base/options.hpp"
#include "fiber/sanitizer.hpp"
#include "fiber/signals.hpp"

#include <atomic>
#include <cxxabi.h>
#include <new>
#include <pthread.h>

namespace artel::fiber {

constinit thread_local tls_block thread_block;

namespace {

// relaxed: ids only need to differ.
std::atomic<std::uint64_t> next_id{1};

}  // namespace

#if !defined(__x86_64__)
__attribute__((noinline)) tls_block& this_tls() noexcept
{
    tls_block* here = &thread_block;
    // The empty asm keeps an optimiser that sees through noinline from treating the call as pure.
    asm volatile("" : "+r"(here)::"memory");
    return *here;
}
#endif

std::uint64_t new_fiber_id() noexcept
{
    return next_id.fetch_add(1, std::memory_order_relaxed);  // relaxed: see next_id
}

void adopt_thread(carrier& here, fiber& f) noexcept
{
    f.type = kind::bound;
    f.id = new_fiber_id();
    f.last = &here;
    f.half_full = nullptr;  // the thread may be another one than before, with a stack of its own
    here.own_thread_pointer = base::os::read_thread_pointer();
    here.own_tls = &this_tls();
    // The ABI's struct begins with exactly these two members on every target we build for.
    here.own_exceptions = reinterpret_cast<exception_state*>(abi::__cxa_get_globals());
    here.current = &f;
    here.own_stack_user = &f;
#if defined(ARTEL_ASAN)
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
        ::pthread_attr_getstack(&attributes, &f.stack.low, &f.stack.size);
        ::pthread_attr_destroy(&attributes);
    }
#endif
    note_own_mask(here);
    sanitizer_adopted(f);
    here.own_tls->current_carrier = &here;
}

bool has_room(fiber& here) noexcept
{
    if (here.half_full == nullptr) [[unlikely]] {
        const void* low = here.stack.low;
        if (low == nullptr) {  // bound: the C library knows
            pthread_attr_t attributes;
            void* found = nullptr;
            std::size_t size = 0;
            if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) {
                return true;
            }
            ::pthread_attr_getstack(&attributes, &found, &size);
            ::pthread_attr_destroy(&attributes);
            low = found;
        }
        here.half_full = static_cast<const char*>(low) + base::options().stack_size / 2;
    }
    return static_cast<const char*>(__builtin_frame_address(0)) > here.half_full;
}

fiber* create_plain(void (*entry)(fiber&)) noexcept
{
    const stack s = allocate_stack();
    if (s.low == nullptr) {
        return nullptr;
    }
    // The object takes the top of its stack: one allocation, and the first page is touched anyway.
    char* const place = static_cast<char*>(s.high()) - (sizeof(fiber) + 63) / 64 * 64;
    fiber* const f = new (place) fiber;
    f->stack = {s.low, static_cast<std::size_t>(place - static_cast<char*>(s.low))};
    f->id = new_fiber_id();
    sanitizer_created(*f);
    prepare(*f, entry);
    return f;
}

void destroy_plain(fiber& f) noexcept
{
    sanitizer_destroyed(f);
    const std::size_t top = (sizeof(fiber) + 63) / 64 * 64;
    free_stack({f.stack.low, f.stack.size + top});
}

}  // namespace artel::fiber
