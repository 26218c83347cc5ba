// The instructions; compiled for RTM in any case, and executed where the CPU has it.
#include "transaction.hpp"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

#include <cpuid.h>
#include <immintrin.h>

namespace artel::onetbb {
namespace {

bool has_transactions() noexcept
{
    constexpr unsigned features = 7;
    constexpr unsigned rtm = 1U << 11;            // in EBX
    constexpr unsigned always_aborts = 1U << 11;  // in EDX
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(features, 0, &a, &b, &c, &d) != 0 && (b & rtm) != 0 &&
           (d & always_aborts) == 0;
}

const bool available = has_transactions();

}  // namespace

bool can_speculate() noexcept
{
    return available;
}

// An abort comes back into this function, whose frame is then as it was at the begin.
[[gnu::target("rtm"), gnu::noinline]] begun begin_transaction() noexcept
{
    const unsigned status = _xbegin();
    if (status == _XBEGIN_STARTED) {
        return begun::yes;
    }
    return (status & _XABORT_RETRY) != 0 ? begun::not_for_now : begun::no;
}

[[gnu::target("rtm"), gnu::noinline]] void end_transaction() noexcept
{
    _xend();
}

[[gnu::target("rtm"), gnu::noinline]] void abort_transaction() noexcept
{
    _xabort(0xff);
}

}  // namespace artel::onetbb

#else

namespace artel::onetbb {

bool can_speculate() noexcept
{
    return false;
}
begun begin_transaction() noexcept
{
    return begun::no;
}
void end_transaction() noexcept {}
void abort_transaction() noexcept {}

}  // namespace artel::onetbb

#endif
