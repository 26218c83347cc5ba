// The parts of __kmpc_atomic_*: atomic updates of a variable, and the operations. Up to eight bytes
// are updated by compare-and-swap; longer variables under the lock of gcc's programs
// (GOMP_atomic_start), so that objects of both compilers agree.
#pragma once

#include "kmp.hpp"

#include <cstring>
#include <type_traits>

namespace artel::openmp {

extern "C" {
void GOMP_atomic_start();
void GOMP_atomic_end();
}

namespace kmp {

template <std::size_t>
struct word;
template <>
struct word<1> {
    using type = std::uint8_t;
};
template <>
struct word<2> {
    using type = std::uint16_t;
};
template <>
struct word<4> {
    using type = std::uint32_t;
};
template <>
struct word<8> {
    using type = std::uint64_t;
};

template <typename To, typename From>
To bits(const From& from) noexcept
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

template <typename Value>
struct change {
    Value before;
    Value after;
};

// *place = f(*place), atomically.
template <typename Value, typename F>
change<Value> update(Value* place, F f)
{
    if constexpr (sizeof(Value) <= 8) {
        using Word = typename word<sizeof(Value)>::type;
        auto* const at = reinterpret_cast<Word*>(place);
        // relaxed: a first guess, which the exchange below checks.
        Word seen = __atomic_load_n(at, __ATOMIC_RELAXED);
        for (;;) {
            const Value before = bits<Value>(seen);
            const Value after = f(before);
            // seq_cst: atomic constructs may ask for it by a clause that this interface does not
            // pass on. relaxed on failure: another guess.
            if (__atomic_compare_exchange_n(at, &seen, bits<Word>(after), true, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED)) {
                return {before, after};
            }
        }
    } else {
        GOMP_atomic_start();
        const Value before = *place;
        const Value after = f(before);
        *place = after;
        GOMP_atomic_end();
        return {before, after};
    }
}

template <typename Value>
Value load(Value* place)
{
    if constexpr (sizeof(Value) <= 8) {
        using Word = typename word<sizeof(Value)>::type;
        // seq_cst: as in update.
        return bits<Value>(__atomic_load_n(reinterpret_cast<Word*>(place), __ATOMIC_SEQ_CST));
    } else {
        return update(place, [](Value v) { return v; }).before;
    }
}

// The argument of update(), by operation: x is the variable, e the expression.
#define ARTEL_OPERATION(name, expression)                                                         \
    template <typename Value, typename Operand>                                                   \
    auto name(Operand e)                                                                          \
    {                                                                                             \
        return [e]([[maybe_unused]] Value x) -> Value { return static_cast<Value>(expression); }; \
    }

// NOLINTBEGIN: x and e are the lambda's names
ARTEL_OPERATION(add, x + e)
ARTEL_OPERATION(sub, x - e)
ARTEL_OPERATION(mul, x* e)
ARTEL_OPERATION(div, x / e)
ARTEL_OPERATION(sub_rev, e - x)
ARTEL_OPERATION(div_rev, e / x)
ARTEL_OPERATION(andb, x& e)
ARTEL_OPERATION(orb, x | e)
ARTEL_OPERATION(xor_, x ^ e)
ARTEL_OPERATION(eqv, x ^ ~e)
ARTEL_OPERATION(shl, x << e)
ARTEL_OPERATION(shr, x >> e)
ARTEL_OPERATION(shl_rev, e << x)
ARTEL_OPERATION(shr_rev, e >> x)
ARTEL_OPERATION(andl, x&& e)
ARTEL_OPERATION(orl, x || e)
ARTEL_OPERATION(max, x < e ? e : x)
ARTEL_OPERATION(min, e < x ? e : x)
ARTEL_OPERATION(write, e)
// NOLINTEND

// Compare and swap of the compare clause: the value before.
template <typename Value>
Value swap_if(Value* place, Value expected, Value desired) noexcept
{
    // seq_cst: as in update.
    __atomic_compare_exchange_n(place, &expected, desired, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    return expected;
}

// For functions that are given the operation: f(result, variable, operand).
using any_operation = void (*)(void*, void*, void*);

template <typename Value>
void general(void* place, void* operand, any_operation f)
{
    update(static_cast<Value*>(place), [&](Value x) {
        Value result;
        f(&result, &x, operand);
        return result;
    });
}

// For types of any size: what the operation writes beyond the value, as padding, is the variable's.
inline void general_locked(void* place, void* operand, any_operation f)
{
    GOMP_atomic_start();
    f(place, place, operand);
    GOMP_atomic_end();
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc99-extensions"
#endif
using complex4 = __complex__ float;
using complex8 = __complex__ double;
using complex10 = __complex__ long double;
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace kmp
}  // namespace artel::openmp
