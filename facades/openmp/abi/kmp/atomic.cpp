// __kmpc_atomic_*: one function per type, operation and form, which Intel's compilers call (clang
// and flang generate instructions). The table at the end of this file names them all. Up to eight
// bytes are changed by compare-and-swap; longer ones under the lock that gcc's programs take for
// theirs (GOMP_atomic_start), so that objects of both compilers agree.
#include "kmp.hpp"

#include <cstring>
#include <type_traits>

namespace artel::openmp {

extern "C" {
void GOMP_atomic_start();
void GOMP_atomic_end();
}

namespace kmp {
namespace {

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
        // relaxed: a guess; the exchange below says whether it was right.
        Word seen = __atomic_load_n(at, __ATOMIC_RELAXED);
        for (;;) {
            const Value before = bits<Value>(seen);
            const Value after = f(before);
            // seq_cst: atomic constructs may ask for it by a clause that this interface does not
            // pass on. relaxed on failure: a guess again.
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

// What update() gets, by operation: x is the variable, e the expression.
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

// For the functions that get the operation as a function: f(result, variable, operand).
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

template <std::size_t Bytes>
void general_locked(void* place, void* operand, any_operation f)
{
    GOMP_atomic_start();
    alignas(16) unsigned char result[Bytes];
    f(result, place, operand);
    std::memcpy(place, result, Bytes);
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

}  // namespace

// --- forms ---------------------------------------------------------------------------------------

#define ARTEL_ATOMIC_UPDATE(name, Value, Operand, operation)                    \
    ARTEL_KMP void __kmpc_atomic_##name(const ident*, int, Value* x, Operand e) \
    {                                                                           \
        update(x, operation<Value>(e));                                         \
    }

// With capture: `after` says which value is wanted.
#define ARTEL_ATOMIC_CAPTURE(name, Value, operation)                                      \
    ARTEL_KMP Value __kmpc_atomic_##name(const ident*, int, Value* x, Value e, int after) \
    {                                                                                     \
        const change<Value> c = update(x, operation<Value>(e));                           \
        return after != 0 ? c.after : c.before;                                           \
    }

// Complex numbers of four-byte parts come back by reference.
#define ARTEL_ATOMIC_CAPTURE_OUT(name, Value, operation)                                  \
    ARTEL_KMP void __kmpc_atomic_##name(const ident*, int, Value* x, Value e, Value* out, \
                                        int after)                                        \
    {                                                                                     \
        const change<Value> c = update(x, operation<Value>(e));                           \
        *out = after != 0 ? c.after : c.before;                                           \
    }

#define ARTEL_ATOMIC_READ_WRITE(family, Value)                               \
    ARTEL_KMP Value __kmpc_atomic_##family##_rd(const ident*, int, Value* x) \
    {                                                                        \
        return load(x);                                                      \
    }                                                                        \
    ARTEL_ATOMIC_UPDATE(family##_wr, Value, Value, write)

#define ARTEL_ATOMIC_SWAP(family, Value)                                               \
    ARTEL_KMP Value __kmpc_atomic_##family##_swp(const ident*, int, Value* x, Value e) \
    {                                                                                  \
        return update(x, write<Value>(e)).before;                                      \
    }

#define ARTEL_ATOMIC_SWAP_OUT(family, Value)                                                      \
    ARTEL_KMP void __kmpc_atomic_##family##_swp(const ident*, int, Value* x, Value e, Value* out) \
    {                                                                                             \
        *out = update(x, write<Value>(e)).before;                                                 \
    }

// An operation with and without capture; a reversible one also with its operands exchanged.
#define ARTEL_ATOMIC(family, name, Value, operation)              \
    ARTEL_ATOMIC_UPDATE(family##_##name, Value, Value, operation) \
    ARTEL_ATOMIC_CAPTURE(family##_##name##_cpt, Value, operation)
#define ARTEL_ATOMIC_BOTH(family, name, Value, operation)                     \
    ARTEL_ATOMIC(family, name, Value, operation)                              \
    ARTEL_ATOMIC_UPDATE(family##_##name##_rev, Value, Value, operation##_rev) \
    ARTEL_ATOMIC_CAPTURE(family##_##name##_cpt_rev, Value, operation##_rev)
#define ARTEL_ATOMIC_OUT(family, name, Value, operation)          \
    ARTEL_ATOMIC_UPDATE(family##_##name, Value, Value, operation) \
    ARTEL_ATOMIC_CAPTURE_OUT(family##_##name##_cpt, Value, operation)
#define ARTEL_ATOMIC_BOTH_OUT(family, name, Value, operation)                 \
    ARTEL_ATOMIC_OUT(family, name, Value, operation)                          \
    ARTEL_ATOMIC_UPDATE(family##_##name##_rev, Value, Value, operation##_rev) \
    ARTEL_ATOMIC_CAPTURE_OUT(family##_##name##_cpt_rev, Value, operation##_rev)

#define ARTEL_ATOMIC_INTEGER(family, Value)                      \
    ARTEL_ATOMIC(family, add, Value, add)                        \
    ARTEL_ATOMIC(family, mul, Value, mul)                        \
    ARTEL_ATOMIC(family, andb, Value, andb)                      \
    ARTEL_ATOMIC(family, orb, Value, orb)                        \
    ARTEL_ATOMIC(family, xor, Value, xor_)                       \
    ARTEL_ATOMIC(family, neqv, Value, xor_)                      \
    ARTEL_ATOMIC(family, eqv, Value, eqv)                        \
    ARTEL_ATOMIC(family, andl, Value, andl)                      \
    ARTEL_ATOMIC(family, orl, Value, orl)                        \
    ARTEL_ATOMIC(family, max, Value, max)                        \
    ARTEL_ATOMIC(family, min, Value, min)                        \
    ARTEL_ATOMIC_BOTH(family, sub, Value, sub)                   \
    ARTEL_ATOMIC_BOTH(family, div, Value, div)                   \
    ARTEL_ATOMIC_BOTH(family, shl, Value, shl)                   \
    ARTEL_ATOMIC_BOTH(family, shr, Value, shr)                   \
    ARTEL_ATOMIC_UPDATE(family##_mul_float8, Value, double, mul) \
    ARTEL_ATOMIC_UPDATE(family##_div_float8, Value, double, div) \
    ARTEL_ATOMIC_SWAP(family, Value)                             \
    ARTEL_ATOMIC_READ_WRITE(family, Value)

// Where signs make no difference, the signed functions serve unsigned variables.
#define ARTEL_ATOMIC_UNSIGNED(family, Value)   \
    ARTEL_ATOMIC_BOTH(family, div, Value, div) \
    ARTEL_ATOMIC_BOTH(family, shr, Value, shr)

#define ARTEL_ATOMIC_FLOAT(family, Value)      \
    ARTEL_ATOMIC(family, add, Value, add)      \
    ARTEL_ATOMIC(family, mul, Value, mul)      \
    ARTEL_ATOMIC(family, max, Value, max)      \
    ARTEL_ATOMIC(family, min, Value, min)      \
    ARTEL_ATOMIC_BOTH(family, sub, Value, sub) \
    ARTEL_ATOMIC_BOTH(family, div, Value, div) \
    ARTEL_ATOMIC_SWAP(family, Value)           \
    ARTEL_ATOMIC_READ_WRITE(family, Value)

#define ARTEL_ATOMIC_COMPLEX(family, Value)    \
    ARTEL_ATOMIC(family, add, Value, add)      \
    ARTEL_ATOMIC(family, mul, Value, mul)      \
    ARTEL_ATOMIC_BOTH(family, sub, Value, sub) \
    ARTEL_ATOMIC_BOTH(family, div, Value, div) \
    ARTEL_ATOMIC_SWAP(family, Value)           \
    ARTEL_ATOMIC_READ_WRITE(family, Value)

#define ARTEL_ATOMIC_COMPLEX_OUT(family, Value)    \
    ARTEL_ATOMIC_OUT(family, add, Value, add)      \
    ARTEL_ATOMIC_OUT(family, mul, Value, mul)      \
    ARTEL_ATOMIC_BOTH_OUT(family, sub, Value, sub) \
    ARTEL_ATOMIC_BOTH_OUT(family, div, Value, div) \
    ARTEL_ATOMIC_SWAP_OUT(family, Value)           \
    ARTEL_ATOMIC_READ_WRITE(family, Value)

// The arithmetic of a wider operand, rounded to the variable.
#define ARTEL_ATOMIC_MIXED(family, Value, suffix, Operand)          \
    ARTEL_ATOMIC_UPDATE(family##_add_##suffix, Value, Operand, add) \
    ARTEL_ATOMIC_UPDATE(family##_sub_##suffix, Value, Operand, sub) \
    ARTEL_ATOMIC_UPDATE(family##_mul_##suffix, Value, Operand, mul) \
    ARTEL_ATOMIC_UPDATE(family##_div_##suffix, Value, Operand, div)

// Compare clauses, in bytes: whether it was equal, or what it was; with capture the value goes to
// *v as well.
#define ARTEL_ATOMIC_COMPARE(bytes, Value)                                                         \
    ARTEL_KMP bool __kmpc_atomic_bool_##bytes##_cas(const ident*, int, Value* x, Value e, Value d) \
    {                                                                                              \
        return swap_if(x, e, d) == e;                                                              \
    }                                                                                              \
    ARTEL_KMP Value __kmpc_atomic_val_##bytes##_cas(const ident*, int, Value* x, Value e, Value d) \
    {                                                                                              \
        return swap_if(x, e, d);                                                                   \
    }                                                                                              \
    ARTEL_KMP bool __kmpc_atomic_bool_##bytes##_cas_cpt(const ident*, int, Value* x, Value e,      \
                                                        Value d, Value* v)                         \
    {                                                                                              \
        const Value before = swap_if(x, e, d);                                                     \
        if (before != e) {                                                                         \
            *v = before;                                                                           \
        }                                                                                          \
        return before == e;                                                                        \
    }                                                                                              \
    ARTEL_KMP Value __kmpc_atomic_val_##bytes##_cas_cpt(const ident*, int, Value* x, Value e,      \
                                                        Value d, Value* v)                         \
    {                                                                                              \
        const Value before = swap_if(x, e, d);                                                     \
        *v = before == e ? d : before;                                                             \
        return before;                                                                             \
    }

#define ARTEL_ATOMIC_GENERAL(bytes, call)                                     \
    ARTEL_KMP void __kmpc_atomic_##bytes(const ident*, int, void* x, void* e, \
                                         any_operation operation)             \
    {                                                                         \
        call(x, e, operation);                                                \
    }

// --- the table -----------------------------------------------------------------------------------

ARTEL_ATOMIC_INTEGER(fixed1, std::int8_t)
ARTEL_ATOMIC_INTEGER(fixed2, std::int16_t)
ARTEL_ATOMIC_INTEGER(fixed4, std::int32_t)
ARTEL_ATOMIC_INTEGER(fixed8, std::int64_t)
ARTEL_ATOMIC_UNSIGNED(fixed1u, std::uint8_t)
ARTEL_ATOMIC_UNSIGNED(fixed2u, std::uint16_t)
ARTEL_ATOMIC_UNSIGNED(fixed4u, std::uint32_t)
ARTEL_ATOMIC_UNSIGNED(fixed8u, std::uint64_t)
ARTEL_ATOMIC_FLOAT(float4, float)
ARTEL_ATOMIC_FLOAT(float8, double)
ARTEL_ATOMIC_FLOAT(float10, long double)
ARTEL_ATOMIC_COMPLEX_OUT(cmplx4, complex4)
ARTEL_ATOMIC_COMPLEX(cmplx8, complex8)
ARTEL_ATOMIC_COMPLEX(cmplx10, complex10)
ARTEL_ATOMIC_MIXED(float4, float, float8, double)
ARTEL_ATOMIC_MIXED(cmplx4, complex4, cmplx8, complex8)
ARTEL_ATOMIC_COMPARE(1, std::int8_t)
ARTEL_ATOMIC_COMPARE(2, std::int16_t)
ARTEL_ATOMIC_COMPARE(4, std::int32_t)
ARTEL_ATOMIC_COMPARE(8, std::int64_t)
ARTEL_ATOMIC_GENERAL(1, general<std::uint8_t>)
ARTEL_ATOMIC_GENERAL(2, general<std::uint16_t>)
ARTEL_ATOMIC_GENERAL(4, general<std::uint32_t>)
ARTEL_ATOMIC_GENERAL(8, general<std::uint64_t>)
ARTEL_ATOMIC_GENERAL(10, general_locked<10>)
ARTEL_ATOMIC_GENERAL(16, general_locked<16>)
ARTEL_ATOMIC_GENERAL(20, general_locked<20>)
ARTEL_ATOMIC_GENERAL(32, general_locked<32>)

}  // namespace kmp
}  // namespace artel::openmp
