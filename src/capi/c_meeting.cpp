// Barrier, latch and sinc in C: <artel/c/meeting.h>.
#include "capi/c_view.hpp"

#include <artel/barrier.hpp>
#include <artel/c/meeting.h>
#include <artel/latch.hpp>
#include <artel/sinc.hpp>
#include <bit>
#include <cerrno>

namespace {

using artel::capi::view;

struct completion {
    void (*function)(void*);
    void* context;
    void operator()() const noexcept
    {
        if (function != nullptr) {
            function(context);
        }
    }
};
using barrier = artel::barrier<completion>;

barrier& of(artel_barrier* b) noexcept
{
    return view<barrier>(b);
}
artel::latch& of(artel_latch* l) noexcept
{
    return view<artel::latch>(l);
}
const artel::latch& of(const artel_latch* l) noexcept
{
    return view<artel::latch>(l);
}
artel::sinc& of(artel_sinc* s) noexcept
{
    return view<artel::sinc>(s);
}
const artel::sinc& of(const artel_sinc* s) noexcept
{
    return view<artel::sinc>(s);
}

}  // namespace

extern "C" int artel_barrier_init(artel_barrier* barrier, uint32_t expected,
                                  void (*completion)(void* context), void* context)
{
    if (expected == 0 || expected > static_cast<std::uint64_t>(::barrier::max())) {
        return EINVAL;
    }
    new (barrier)::barrier(expected, {completion, context});
    return 0;
}

extern "C" void artel_barrier_wait(artel_barrier* barrier)
{
    of(barrier).arrive_and_wait();
}

extern "C" uint32_t artel_barrier_arrive(artel_barrier* barrier)
{
    return std::bit_cast<std::uint32_t>(of(barrier).arrive());
}

extern "C" void artel_barrier_wait_for(artel_barrier* barrier, uint32_t phase)
{
    of(barrier).wait(std::bit_cast<::barrier::arrival_token>(phase));
}

extern "C" void artel_barrier_drop(artel_barrier* barrier)
{
    of(barrier).arrive_and_drop();
}

extern "C" void artel_latch_init(artel_latch* latch, uint32_t expected)
{
    new (latch) artel::latch(expected);
}

extern "C" void artel_latch_count_down(artel_latch* latch, uint32_t by)
{
    of(latch).count_down(by);
}

extern "C" void artel_latch_wait(artel_latch* latch)
{
    of(latch).wait();
}

extern "C" int artel_latch_is_open(const artel_latch* latch)
{
    return of(latch).try_wait() ? 1 : 0;
}

extern "C" void artel_sinc_init(artel_sinc* sinc, uint32_t expected)
{
    new (sinc) artel::sinc(expected);
}

extern "C" void artel_sinc_expect(artel_sinc* sinc, uint32_t count)
{
    of(sinc).expect(count);
}

extern "C" void artel_sinc_submit(artel_sinc* sinc, uint32_t count)
{
    of(sinc).submit(count);
}

extern "C" void artel_sinc_wait(artel_sinc* sinc)
{
    of(sinc).wait();
}

extern "C" int artel_sinc_is_complete(const artel_sinc* sinc)
{
    return of(sinc).is_complete() ? 1 : 0;
}
