// Who is inside of an OpenBLAS of this process, and how many threads each of those libraries is
// told that it has.
//
// OpenBLAS reads that number, one word for the process, when a call begins, and again in each step
// of a factorization; so writing it is how a call is told. One thread inside, nothing else to do
// for the crew: all CPUs. Several: what the others leave, and at least 1. It follows who comes and
// goes, so that a long call gets the CPUs that have become free. Any number is right at any time:
// it decides how the work is cut, and each piece of work keeps to what it has read.
//
// After a moment in which several were inside, one who is alone counts as several for a while: in a
// pool of threads somebody is always between two calls, and will be back.
#pragma once

#include "call.hpp"

namespace artel::openblas {

class library;

// Limits of a thread alone are no larger.
inline constexpr unsigned largest_limit = 64;

// A call begins or ends; `call`: what it notes, in the crew and limited or not. Those that are not
// counted have no effect. Any thread; some nanoseconds; may write the libraries' numbers under a
// lock. Never blocks, nor switches.
void come(call_word call) noexcept;
void go(call_word call) noexcept;

// There are many calls under way; have some been left (caller.hpp)? Soon somebody looks.
void look_for_left() noexcept;

// All are told one thread from here on, until as often `false` is said. Is it the first, or last?
bool one_thread_for_all(bool from_here) noexcept;

// From now on it is told. Any thread.
void add(library& added) noexcept;

// What the user wants: at most so many threads (openblas_set_num_threads), and what was wanted
// before. Any thread.
int limit(library& of, int threads) noexcept;
int limit_of(library& of) noexcept;

// How many calls are under way. A guess.
unsigned inside() noexcept;

// What a call of this library that begins now is told, as long as nobody comes or goes.
int told(library& of) noexcept;

}  // namespace artel::openblas
