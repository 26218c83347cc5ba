// __kmpc_atomic_*: one function per type, operation and form, which Intel's compilers call (clang
// and flang generate instructions). The table at the end of this file names them all.
#include "atomic_update.hpp"

namespace artel::openmp::kmp {

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
ARTEL_ATOMIC_GENERAL(10, general_locked)
ARTEL_ATOMIC_GENERAL(16, general_locked)
ARTEL_ATOMIC_GENERAL(20, general_locked)
ARTEL_ATOMIC_GENERAL(32, general_locked)

}  // namespace artel::openmp::kmp
