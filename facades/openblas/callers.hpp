// The active calls of the OpenBLAS libraries in this process, and the number of threads that each
// library is to use.
//
// OpenBLAS reads that number, one word for the process, when a call begins, and again in each step
// of a factorization; so writing it controls the calls. One call, and no other work for the crew:
// all CPUs. Several calls: the CPUs that the others leave, and at least 1. The number is updated as
// calls begin and end, so that a long call gets CPUs that become free. Any value is correct at any
// time: it decides how the work is divided, and each division uses the value that it has read.
//
// For a while after several calls were active at once a single call still counts as several: in a
// pool of threads one is always between two calls, and will soon make the next.
#pragma once

#include "call.hpp"

namespace artel::openblas {

class library;

// The largest limit of a single thread, as many as fit into a call_word.
inline constexpr unsigned largest_limit = 127;

// A call begins or ends; `call`: its word, which says whether it counts as the crew's and has a
// limit. Calls that are not counted have no effect. Any thread; some nanoseconds; may write the
// libraries' numbers under a lock. Never blocks or switches.
void come(call_word call) noexcept;
void go(call_word call) noexcept;

// Called when all places are taken: lets the watching thread look for abandoned calls (caller.hpp)
// soon.
void look_for_left() noexcept;

// All calls get one thread from the call with `true` until as many calls with `false`. Returns
// whether this is the first of these, or the last.
bool one_thread_for_all(bool from_here) noexcept;

// Whether active calls may use their library's threads. False: each has had one thread from its
// beginning.
bool any_has_threads() noexcept;

// Adds a library whose number is controlled from now on. Any thread.
void add(library& added) noexcept;

// The user's limit of threads (openblas_set_num_threads); limit() returns the previous one. Any
// thread.
int limit(library& of, int threads) noexcept;
int limit_of(library& of) noexcept;

// The number of active calls. Only a hint.
unsigned inside() noexcept;

// The number of threads that a call of this library would get now.
int thread_count(library& of) noexcept;

}  // namespace artel::openblas
