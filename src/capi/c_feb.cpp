// Full/empty words and futures in C: <artel/c/feb.h>, <artel/c/future.h>.
#include "capi/c_view.hpp"

#include <artel/c/feb.h>
#include <artel/c/future.h>
#include <artel/detail/deadline.hpp>
#include <artel/feb.hpp>
#include <artel/light_thread.hpp>
#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

using artel::capi::view;
using word = artel::feb<std::uint64_t>;

word& of(artel_feb* f) noexcept
{
    return view<word>(f);
}
const word& of(const artel_feb* f) noexcept
{
    return view<word>(f);
}

static_assert(offsetof(artel_feb, state) == 0);

struct future {
    artel::detail::word ready{0};
    void* value = nullptr;

    // acquire: pairs with set().
    bool is_ready() const noexcept { return ready.load(std::memory_order_acquire) != 0; }

    // The future may no longer exist as soon as it is set; waking uses the address only.
    void set(void* v) noexcept
    {
        value = v;
        ready.store(1, std::memory_order_release);  // release: the value
        artel::detail::wake_word(ready, artel::detail::wake_all);
    }
};

future& of(artel_future* f) noexcept
{
    return view<future>(f);
}

}  // namespace

extern "C" void artel_feb_init_empty(artel_feb* feb)
{
    new (feb) word;
}

extern "C" void artel_feb_init_full(artel_feb* feb, uint64_t value)
{
    new (feb) word(value);
}

extern "C" void artel_feb_write_ef(artel_feb* feb, uint64_t value)
{
    of(feb).write_ef(value);
}

extern "C" void artel_feb_write_ff(artel_feb* feb, uint64_t value)
{
    of(feb).write_ff(value);
}

extern "C" uint64_t artel_feb_read_ff(artel_feb* feb)
{
    return of(feb).read_ff();
}

extern "C" uint64_t artel_feb_read_fe(artel_feb* feb)
{
    return of(feb).read_fe();
}

extern "C" int artel_feb_try_write_ef(artel_feb* feb, uint64_t value)
{
    return of(feb).try_write_ef(value) ? 0 : EAGAIN;
}

extern "C" int artel_feb_try_read_ff(artel_feb* feb, uint64_t* value)
{
    return of(feb).try_read_ff(*value) ? 0 : EAGAIN;
}

extern "C" int artel_feb_try_read_fe(artel_feb* feb, uint64_t* value)
{
    return of(feb).try_read_fe(*value) ? 0 : EAGAIN;
}

extern "C" void artel_feb_write_f(artel_feb* feb, uint64_t value)
{
    of(feb).write_f(value);
}

extern "C" void artel_feb_purge(artel_feb* feb)
{
    of(feb).purge();
}

extern "C" int artel_feb_is_full(const artel_feb* feb)
{
    return of(feb).is_full() ? 1 : 0;
}

extern "C" void artel_future_init(artel_future* future)
{
    new (future)::future;
}

extern "C" void artel_future_set(artel_future* future, void* value)
{
    of(future).set(value);
}

extern "C" void* artel_future_get(artel_future* future)
{
    ::future& f = of(future);
    while (!f.is_ready()) {
        if (!artel::detail::spin_while(f.ready, 0)) {
            artel::detail::wait_word(f.ready, 0);
        }
    }
    return f.value;
}

extern "C" int artel_future_get_until(artel_future* future, int64_t when, void** value)
{
    ::future& f = of(future);
    while (!f.is_ready()) {
        if (!artel::detail::wait_word_until(f.ready, 0, when) && !f.is_ready()) {
            return ETIMEDOUT;
        }
    }
    *value = f.value;
    return 0;
}

extern "C" int artel_future_is_ready(const artel_future* future)
{
    return view<::future>(future).is_ready() ? 1 : 0;
}

extern "C" int artel_async(artel_future* future, void* (*function)(void* context), void* context)
{
    try {
        artel::light_thread([=]() noexcept { of(future).set(function(context)); }).detach();
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    return 0;
}
