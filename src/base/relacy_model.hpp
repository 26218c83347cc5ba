// Relacy, and all standard headers that the modelled code uses, for base/machine_model.hpp.
#pragma once

#define ARTEL_MODEL 1

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <source_location>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <relacy/relacy.hpp>

// relacy.hpp redefines much of the language; the modelled code must be compiled without that.
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef futex
#undef sched_yield
#undef pthread_t
#undef pthread_attr_t
#undef pthread_create
#undef pthread_join
#undef VAR

// Relacy replaces operator new, but only the operators delete without a size.
void operator delete(void* p, std::size_t) noexcept
{
    ::operator delete(p);
}
void operator delete[](void* p, std::size_t) noexcept
{
    ::operator delete[](p);
}
