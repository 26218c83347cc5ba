// How the loops of the C interface call the library: with the address of the program's function as
// the call site to which their costs belong. All bodies of one kind are called through one function
// here, whose address would be the same for all. Inside src/capi only.
#pragma once

#include "capi/c_limit.hpp"
#include "loop/loop.hpp"

#include <artel/c/loop.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace artel::capi {

struct how {
    std::int64_t grain = 0;
    unsigned partitioner = ARTEL_AUTOMATIC;  // from C: it may have a value that is no enumerator
    limit limits;
};

// May throw std::bad_alloc. nullptr: the defaults.
inline how how_of(const artel_loop_options* options)
{
    how h;
    if (options != nullptr) {
        h.grain = options->grain > 0 ? options->grain : 0;
        // Read as a number, because other values of the enumeration must not be read as one.
        static_assert(sizeof h.partitioner == sizeof options->partitioner);
        std::memcpy(&h.partitioner, &options->partitioner, sizeof h.partitioner);
        h.limits = limit_of(options->limit);
    }
    return h;
}

// The call site to which the costs of a loop belong: the program's function.
template <class Function>
loop::site_key key_of(Function* f) noexcept
{
    return reinterpret_cast<loop::site_key>(f);
}

// A body of the program's over ranges, in the form that the library's loops call. An exception of
// it ends the program.
struct range_call {
    void (*body)(void*, std::int64_t, std::int64_t);
    void* context;
};
inline void call_range(void* given, std::int64_t begin, std::int64_t end, unsigned) noexcept
{
    const range_call& asked = *static_cast<const range_call*>(given);
    asked.body(asked.context, begin, end);
}

inline bool exists(unsigned partitioner) noexcept
{
    return partitioner < loop::algorithms().size();
}

// Runs body(context, b, e, participant) over [begin, end); rethrows its exceptions.
void run_loop(const how& h, std::int64_t begin, std::int64_t end, loop::range_body body,
              void* context, loop::site_key from);

// Calls what() and turns its exceptions into error numbers. ECANCELED if a stop was requested, or,
// if what() tells, if it says that it was stopped.
template <class What>
int answer(const artel_loop_options* options, What&& what) noexcept
{
    try {
        const how h = how_of(options);
        if (!exists(h.partitioner)) {
            return EINVAL;
        }
        if constexpr (std::is_void_v<std::invoke_result_t<What&, const how&>>) {
            what(h);
            return h.limits.stop.stop_requested() ? ECANCELED : 0;
        } else {
            return what(h) ? ECANCELED : 0;
        }
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    } catch (const std::length_error&) {
        return EOVERFLOW;
    }
}

}  // namespace artel::capi
