// Light threads, sleeping, suspension and keys in C: <artel/c/light_thread.h>, suspend.h and key.h
// beside it.
#include "capi/c_view.hpp"

#include <artel/c/key.h>
#include <artel/c/light_thread.h>
#include <artel/c/suspend.h>
#include <artel/light_thread.hpp>
#include <artel/per_light_thread.hpp>
#include <artel/sleep.hpp>
#include <artel/suspend.hpp>
#include <bit>
#include <cerrno>
#include <new>

namespace {

using artel::detail::light_thread_block;

// The C type artel_light_thread is the block.
light_thread_block& block_of(artel_light_thread* thread) noexcept
{
    return *reinterpret_cast<light_thread_block*>(thread);
}

struct kept_value : artel::detail::own_value {
    void* value = nullptr;
    void (*destroy_value)(void*) = nullptr;
};

}  // namespace

extern "C" int artel_light_thread_start(artel_light_thread** thread,
                                        void (*function)(void* context), void* context)
{
    using artel::capi::call;
    using block = artel::detail::light_thread_function<call>;
    light_thread_block* made = nullptr;
    try {
        made = new (artel::detail::allocate_block(sizeof(block))) block(call{function, context});
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    if (thread != nullptr) {
        // Stored before it starts: it may join or detach itself by this.
        *thread = reinterpret_cast<artel_light_thread*>(made);
        artel::detail::start_light_thread(*made);
    } else {
        artel::detail::start_light_thread(*made);
        artel::detail::detach_light_thread(*made);
    }
    return 0;
}

extern "C" int artel_light_thread_join(artel_light_thread* thread)
{
    if (thread == nullptr) {
        return EINVAL;
    }
    if (artel::detail::this_light_thread() == &block_of(thread)) {
        return EDEADLK;
    }
    artel::detail::join_light_thread(block_of(thread));
    return 0;
}

extern "C" int artel_light_thread_detach(artel_light_thread* thread)
{
    if (thread == nullptr) {
        return EINVAL;
    }
    artel::detail::detach_light_thread(block_of(thread));
    return 0;
}

extern "C" uintptr_t artel_light_thread_id(void)
{
    return artel::this_light_thread_id().number();
}

extern "C" void artel_yield(void)
{
    artel::this_light_thread::yield();
}

extern "C" int64_t artel_now(void)
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

extern "C" void artel_sleep_for(int64_t nanoseconds)
{
    artel::this_light_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
}

extern "C" void artel_sleep_until(int64_t when)
{
    artel::this_light_thread::sleep_until(
        std::chrono::steady_clock::time_point(std::chrono::nanoseconds(when)));
}

extern "C" void artel_suspend(void (*arrange)(artel_suspend_point here, void* context),
                              void* context)
{
    artel::suspend([&](artel::suspend_point here) noexcept {
        arrange(std::bit_cast<artel_suspend_point>(here), context);
    });
}

extern "C" void artel_resume(artel_suspend_point point)
{
    artel::resume(std::bit_cast<artel::suspend_point>(point));
}

extern "C" void artel_key_init(artel_key* key, void (*destroy)(void* value))
{
    key->number = artel::detail::new_own_value_key();
    key->destroy = destroy;
}

extern "C" void* artel_key_get(const artel_key* key)
{
    const auto* const found = static_cast<const kept_value*>(
        artel::detail::find_own_value(key->number));
    return found != nullptr ? found->value : nullptr;
}

extern "C" int artel_key_set(const artel_key* key, void* value)
{
    auto* found = static_cast<kept_value*>(artel::detail::find_own_value(key->number));
    if (found == nullptr) {
        found = new (std::nothrow) kept_value;
        if (found == nullptr) {
            return ENOMEM;
        }
        found->key = key->number;
        found->destroy_value = key->destroy;
        found->destroy = [](artel::detail::own_value& v) noexcept {
            const auto& kept = static_cast<const kept_value&>(v);
            const auto [given, end] = std::pair(kept.value, kept.destroy_value);
            delete &kept;
            if (given != nullptr && end != nullptr) {
                end(given);
            }
        };
        artel::detail::keep_own_value(*found);
    }
    found->value = value;
    return 0;
}
