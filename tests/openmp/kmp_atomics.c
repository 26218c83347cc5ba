/* The __kmpc_atomic_ functions: each is called with values for which the result is known, then some
   from many members at once. clang never calls them, so they are declared here as Intel's compilers
   expect them. */
#include "check.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef int8_t fixed1;
typedef int16_t fixed2;
typedef int32_t fixed4;
typedef int64_t fixed8;
typedef uint8_t fixed1u;
typedef uint16_t fixed2u;
typedef uint32_t fixed4u;
typedef uint64_t fixed8u;
typedef float float4;
typedef double float8;
typedef long double float10;
typedef float _Complex cmplx4;
typedef double _Complex cmplx8;
typedef long double _Complex cmplx10;

#define ONE(type, name, x, e, wanted)                                       \
    do {                                                                    \
        extern void __kmpc_atomic_##type##_##name(void*, int, type*, type); \
        type v = (type)(x);                                                 \
        __kmpc_atomic_##type##_##name(NULL, 0, &v, (type)(e));              \
        CHECK(v == (type)(wanted));                                         \
    } while (0)

#define CAPTURE(type, name, x, e, wanted)                                                  \
    do {                                                                                   \
        extern type __kmpc_atomic_##type##_##name(void*, int, type*, type, int);           \
        type v = (type)(x);                                                                \
        CHECK(__kmpc_atomic_##type##_##name(NULL, 0, &v, (type)(e), 0) == (type)(x));      \
        CHECK(v == (type)(wanted));                                                        \
        v = (type)(x);                                                                     \
        CHECK(__kmpc_atomic_##type##_##name(NULL, 0, &v, (type)(e), 1) == (type)(wanted)); \
        CHECK(v == (type)(wanted));                                                        \
    } while (0)

#define CAPTURE_OUT(type, name, x, e, wanted)                                           \
    do {                                                                                \
        extern void __kmpc_atomic_##type##_##name(void*, int, type*, type, type*, int); \
        type v = (type)(x), got = 0;                                                    \
        __kmpc_atomic_##type##_##name(NULL, 0, &v, (type)(e), &got, 0);                 \
        CHECK(v == (type)(wanted) && got == (type)(x));                                 \
        v = (type)(x);                                                                  \
        __kmpc_atomic_##type##_##name(NULL, 0, &v, (type)(e), &got, 1);                 \
        CHECK(v == (type)(wanted) && got == (type)(wanted));                            \
    } while (0)

#define BOTH(type, name, x, e, wanted) \
    ONE(type, name, x, e, wanted);     \
    CAPTURE(type, name##_cpt, x, e, wanted)

#define REVERSIBLE(type, name, x, e, wanted, reversed) \
    BOTH(type, name, x, e, wanted);                    \
    ONE(type, name##_rev, x, e, reversed);             \
    CAPTURE(type, name##_cpt_rev, x, e, reversed)

#define ACCESS(type, x, e)                                          \
    do {                                                            \
        extern type __kmpc_atomic_##type##_rd(void*, int, type*);   \
        type v = (type)(x);                                         \
        CHECK(__kmpc_atomic_##type##_rd(NULL, 0, &v) == (type)(x)); \
        ONE(type, wr, x, e, e);                                     \
    } while (0)

#define SWAP(type, x, e)                                                        \
    do {                                                                        \
        extern type __kmpc_atomic_##type##_swp(void*, int, type*, type);        \
        type v = (type)(x);                                                     \
        CHECK(__kmpc_atomic_##type##_swp(NULL, 0, &v, (type)(e)) == (type)(x)); \
        CHECK(v == (type)(e));                                                  \
    } while (0)

#define MIXED(type, name, operand, x, e, wanted)                               \
    do {                                                                       \
        extern void __kmpc_atomic_##type##_##name(void*, int, type*, operand); \
        type v = (type)(x);                                                    \
        __kmpc_atomic_##type##_##name(NULL, 0, &v, (operand)(e));              \
        CHECK(v == (type)(wanted));                                            \
    } while (0)

#define INTEGERS(type)                             \
    BOTH(type, add, 100, 27, 127);                 \
    BOTH(type, mul, 7, -9, -63);                   \
    BOTH(type, andb, 0x6c, 0x35, 0x24);            \
    BOTH(type, orb, 0x2c, 0x15, 0x3d);             \
    BOTH(type, xor, 0x2c, 0x15, 0x39);             \
    BOTH(type, neqv, 0x2c, 0x15, 0x39);            \
    BOTH(type, eqv, 0x2c, 0x15, ~0x39);            \
    BOTH(type, andl, 6, 8, 1);                     \
    BOTH(type, andl, 6, 0, 0);                     \
    BOTH(type, orl, 0, 8, 1);                      \
    BOTH(type, orl, 0, 0, 0);                      \
    BOTH(type, max, -5, 3, 3);                     \
    BOTH(type, max, 5, -3, 5);                     \
    BOTH(type, min, -5, 3, -5);                    \
    BOTH(type, min, 5, -3, -3);                    \
    REVERSIBLE(type, sub, 10, 30, -20, 20);        \
    REVERSIBLE(type, div, 7, 100, 0, 14);          \
    REVERSIBLE(type, div, -100, 7, -14, 0);        \
    REVERSIBLE(type, shl, 3, 4, 48, 32);           \
    REVERSIBLE(type, shr, 2, 100, 0, 25);          \
    MIXED(type, mul_float8, double, 10, 2.57, 25); \
    MIXED(type, div_float8, double, 10, 0.4, 25);  \
    ACCESS(type, 17, -3);                          \
    SWAP(type, 17, -3)

#define UNSIGNED(type)                    \
    REVERSIBLE(type, div, 200, 7, 28, 0); \
    REVERSIBLE(type, shr, 200, 3, 25, 0)

#define FLOATS(type)                               \
    BOTH(type, add, 1.5, 2.25, 3.75);              \
    BOTH(type, mul, 1.5, 2.25, 3.375);             \
    BOTH(type, max, -1.5, 2.25, 2.25);             \
    BOTH(type, min, -1.5, 2.25, -1.5);             \
    REVERSIBLE(type, sub, 1.5, 2.25, -0.75, 0.75); \
    REVERSIBLE(type, div, 2, 8, 0.25, 4);          \
    ACCESS(type, 1.25, -3);                        \
    SWAP(type, 1.25, -3)

#define COMPLEX(type)                                           \
    BOTH(type, add, 1 + 2 * I, 3 - I, 4 + I);                   \
    BOTH(type, mul, 1 + 2 * I, 3 - I, 5 + 5 * I);               \
    REVERSIBLE(type, sub, 1 + I, 3 - I, -2 + 2 * I, 2 - 2 * I); \
    REVERSIBLE(type, div, 2 + 2 * I, 4 + 4 * I, 0.5, 2);        \
    ACCESS(type, 1 + I, 3 - I);                                 \
    SWAP(type, 1 + I, 3 - I)

#define COMPARE(bytes, type)                                                                    \
    do {                                                                                        \
        extern bool __kmpc_atomic_bool_##bytes##_cas(void*, int, type*, type, type);            \
        extern type __kmpc_atomic_val_##bytes##_cas(void*, int, type*, type, type);             \
        extern bool __kmpc_atomic_bool_##bytes##_cas_cpt(void*, int, type*, type, type, type*); \
        extern type __kmpc_atomic_val_##bytes##_cas_cpt(void*, int, type*, type, type, type*);  \
        type v = 5, seen = 99;                                                                  \
        CHECK(!__kmpc_atomic_bool_##bytes##_cas(NULL, 0, &v, 4, 7) && v == 5);                  \
        CHECK(__kmpc_atomic_bool_##bytes##_cas(NULL, 0, &v, 5, 7) && v == 7);                   \
        CHECK(__kmpc_atomic_val_##bytes##_cas(NULL, 0, &v, 7, -8) == 7 && v == -8);             \
        CHECK(__kmpc_atomic_val_##bytes##_cas(NULL, 0, &v, 7, 1) == -8 && v == -8);             \
        CHECK(!__kmpc_atomic_bool_##bytes##_cas_cpt(NULL, 0, &v, 1, 2, &seen) && seen == -8);   \
        seen = 99;                                                                              \
        CHECK(__kmpc_atomic_bool_##bytes##_cas_cpt(NULL, 0, &v, -8, 2, &seen) && seen == 99 &&  \
              v == 2);                                                                          \
        __kmpc_atomic_val_##bytes##_cas_cpt(NULL, 0, &v, 2, 3, &seen);                          \
        CHECK(v == 3 && seen == 3);                                                             \
    } while (0)

static void add_cmplx10(void* out, void* x, void* e)
{
    *(cmplx10*)out = *(cmplx10*)x + *(cmplx10*)e;
}

static void add_long_double(void* out, void* x, void* e)
{
    *(long double*)out = *(long double*)x + *(long double*)e;
}

static void add_int(void* out, void* x, void* e)
{
    *(int*)out = *(int*)x + *(int*)e;
}

int main(void)
{
    INTEGERS(fixed1);
    INTEGERS(fixed2);
    INTEGERS(fixed4);
    INTEGERS(fixed8);
    UNSIGNED(fixed1u);
    UNSIGNED(fixed2u);
    UNSIGNED(fixed4u);
    UNSIGNED(fixed8u);
    FLOATS(float4);
    FLOATS(float8);
    FLOATS(float10);
    COMPLEX(cmplx8);
    COMPLEX(cmplx10);
    ONE(cmplx4, add, 1 + 2 * I, 3 - I, 4 + I);
    CAPTURE_OUT(cmplx4, mul_cpt, 1 + 2 * I, 3 - I, 5 + 5 * I);
    CAPTURE_OUT(cmplx4, sub_cpt_rev, 1 + I, 3 - I, 2 - 2 * I);
    MIXED(cmplx4, add_cmplx8, cmplx8, 1 + I, 2 + I, 3 + 2 * I);
    MIXED(float4, sub_float8, double, 1, 0.75, 0.25);
    COMPARE(1, char);
    COMPARE(2, short);
    COMPARE(4, int32_t);
    COMPARE(8, int64_t);

    extern void __kmpc_atomic_fixed1_add(void*, int, fixed1*, fixed1);
    extern void __kmpc_atomic_cmplx8_add(void*, int, cmplx8*, cmplx8);
    extern void __kmpc_atomic_4(void*, int, void*, void*, void (*)(void*, void*, void*));
    extern void __kmpc_atomic_16(void*, int, void*, void*, void (*)(void*, void*, void*));
    extern void __kmpc_atomic_20(void*, int, void*, void*, void (*)(void*, void*, void*));
    extern int __kmpc_global_thread_num(void*);
    cmplx10 wide_pair = 1 + 2 * I, other_pair = 10 + 20 * I;
    __kmpc_atomic_20(NULL, __kmpc_global_thread_num(NULL), &wide_pair, &other_pair, add_cmplx10);
    CHECK(wide_pair == 11 + 22 * I);
    int whole = 0, members = 0;
    fixed1 small = 0;
    long double wide = 0;
    cmplx8 pair = 0;
#pragma omp parallel num_threads(4)
    {
        const int thread = __kmpc_global_thread_num(NULL);  // libomp's locks queue threads by it
        for (int i = 0; i < 2000; ++i) {
            int one = 1;
            long double one_wide = 1;
            __kmpc_atomic_4(NULL, thread, &whole, &one, add_int);
            __kmpc_atomic_16(NULL, thread, &wide, &one_wide, add_long_double);
            __kmpc_atomic_fixed1_add(NULL, thread, &small, 1);
            __kmpc_atomic_cmplx8_add(NULL, thread, &pair, 1 - I);
        }
#pragma omp atomic
        ++members;
    }
    CHECK(members == 4 && whole == 8000 && wide == 8000 && small == (fixed1)8000 &&
          pair == 8000 - 8000 * I);
    return finish("kmp_atomics");
}
