/* Every type with every operation of MPI's own. */
#include "reductions.h"

#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum kind { whole, real, complexes, pairs, bytes_only, truth };

#define FILLER(name, type, expression)                                          \
    static void name(void* to, int count, int of, int round)                    \
    {                                                                           \
        for (int i = 0; i < count; ++i) {                                       \
            const type value = (type)(expression);                              \
            memcpy((char*)to + (size_t)i * sizeof value, &value, sizeof value); \
        }                                                                       \
    }
FILLER(fill_i8, int8_t, number(of, i, round))
FILLER(fill_i16, int16_t, number(of, i, round) - 2)
FILLER(fill_u16, uint16_t, number(of, i, round))
FILLER(fill_i32, int32_t, number(of, i, round) - 2)
FILLER(fill_u32, uint32_t, number(of, i, round))
FILLER(fill_i64, int64_t, number(of, i, round) - 2)
FILLER(fill_u64, uint64_t, number(of, i, round))
FILLER(fill_float, float, number(of, i, round) - 1)
FILLER(fill_double, double, number(of, i, round) - 1)
FILLER(fill_long_double, long double, number(of, i, round) - 1)
FILLER(fill_complex, double complex, number(of, i, round) + (number(of, i + 1, round) - 1) * I)
FILLER(fill_bool, _Bool, number(of, i, round) > 1)

#define PAIR_FILLER(name, type)                              \
    static void name(void* to, int count, int of, int round) \
    {                                                        \
        struct {                                             \
            type value;                                      \
            int place;                                       \
        }* const at = to;                                    \
        for (int i = 0; i < count; ++i) {                    \
            at[i].value = (type)number(of, i, round);        \
            at[i].place = (of * 7 + i) % 11;                 \
        }                                                    \
    }
PAIR_FILLER(fill_2int, int)
PAIR_FILLER(fill_float_int, float)
PAIR_FILLER(fill_double_int, double)
PAIR_FILLER(fill_long_int, long)
PAIR_FILLER(fill_short_int, short)

void case_types(MPI_Comm comm)
{
    const struct {
        const char* name;
        MPI_Datatype type;
        size_t extent;
        enum kind kind;
        filler fill;
    } types[] = {
        {"MPI_DOUBLE", MPI_DOUBLE, 8, real, fill_double},
        {"MPI_INT", MPI_INT, 4, whole, fill_i32},
        {"MPI_FLOAT", MPI_FLOAT, 4, real, fill_float},
        {"MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, 1, whole, fill_i8},
        {"MPI_UINT8_T", MPI_UINT8_T, 1, whole, fill_i8},
        {"MPI_SHORT", MPI_SHORT, 2, whole, fill_i16},
        {"MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, 2, whole, fill_u16},
        {"MPI_UNSIGNED", MPI_UNSIGNED, 4, whole, fill_u32},
        {"MPI_LONG", MPI_LONG, 8, whole, fill_i64},
        {"MPI_UINT64_T", MPI_UINT64_T, 8, whole, fill_u64},
        {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, sizeof(long double), real, fill_long_double},
        {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, 16, complexes, fill_complex},
        {"MPI_C_BOOL", MPI_C_BOOL, 1, truth, fill_bool},
        {"MPI_BYTE", MPI_BYTE, 1, bytes_only, fill_i8},
        {"MPI_2INT", MPI_2INT, 8, pairs, fill_2int},
        {"MPI_FLOAT_INT", MPI_FLOAT_INT, 8, pairs, fill_float_int},
        {"MPI_DOUBLE_INT", MPI_DOUBLE_INT, 16, pairs, fill_double_int},
        {"MPI_LONG_INT", MPI_LONG_INT, 16, pairs, fill_long_int},
        {"MPI_SHORT_INT", MPI_SHORT_INT, 8, pairs, fill_short_int},
    };
    const struct {
        const char* name;
        MPI_Op op;
        unsigned kinds;
    } ops[] = {
        {"MPI_SUM", MPI_SUM, 1 << whole | 1 << real | 1 << complexes},
        {"MPI_PROD", MPI_PROD, 1 << whole | 1 << real},
        {"MPI_MAX", MPI_MAX, 1 << whole | 1 << real},
        {"MPI_MIN", MPI_MIN, 1 << whole | 1 << real},
        {"MPI_BAND", MPI_BAND, 1 << whole | 1 << bytes_only},
        {"MPI_BOR", MPI_BOR, 1 << whole | 1 << bytes_only},
        {"MPI_BXOR", MPI_BXOR, 1 << whole | 1 << bytes_only},
        {"MPI_LAND", MPI_LAND, 1 << whole | 1 << truth},
        {"MPI_LOR", MPI_LOR, 1 << whole | 1 << truth},
        {"MPI_LXOR", MPI_LXOR, 1 << whole | 1 << truth},
        {"MPI_MINLOC", MPI_MINLOC, 1 << pairs},
        {"MPI_MAXLOC", MPI_MAXLOC, 1 << pairs},
    };
    int round = 0;
    char name[100];
    for (unsigned t = 0; t < sizeof types / sizeof *types; ++t) {
        for (unsigned o = 0; o < sizeof ops / sizeof *ops; ++o) {
            for (int c = 0; (ops[o].kinds & 1U << types[t].kind) != 0 && c < count_kinds; ++c) {
                /* All sizes for the first types, else some of them. */
                if (t < 2 || (c + (int)(t + o)) % 4 == 0) {
                    snprintf(name, sizeof name, "%s of %d %s", ops[o].name, counts[c],
                             types[t].name);
                    doing = name;
                    /* A product of many small numbers is exact as long as there are few ranks. */
                    reduce(comm, types[t].type, types[t].extent, ops[o].op, types[t].fill,
                           counts[c], round++, 1);
                }
            }
        }
    }
}
