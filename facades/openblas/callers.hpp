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

#include "base/cpu.hpp"

#include <atomic>
#include <cstdint>

namespace artel::openblas {

class library;

// Of the calling thread.
struct caller {
    unsigned depth = 0;           // calls under way: OpenBLAS may call the program back
    bool in_crew = false;         // the outermost one came from where the crew counts it as busy
    unsigned most = 0;            // threads that its calls may have; 0: as the library's limit says
    unsigned counted_most = 0;    // that of the outermost call
    const void* frame = nullptr;  // of the outermost one
};

// Around each call, by the same thread. `frame`: an address in the caller's frame, by which it is
// seen that a call before has been left by longjmp(). Some nanoseconds; may write the libraries'
// numbers under a lock. Never blocks, nor switches.
void enter(const void* frame) noexcept;
void leave() noexcept;

// From now on it is told. Any thread.
void add(library& added) noexcept;

// What the user wants: at most so many threads (openblas_set_num_threads), and what was wanted
// before. Any thread.
int limit(library& of, int threads) noexcept;
int limit_of(library& of) noexcept;

// At most so many threads for calls that the calling thread begins from now on; 0: as the library's
// limit says. What it was before. While such a call is under way others are told no more either,
// since there is one number.
unsigned limit_here(unsigned threads) noexcept;

// How many calls are under way. A guess.
unsigned inside() noexcept;

// What a call of this library that begins now is told, as long as nobody comes or goes.
int told(library& of) noexcept;

}  // namespace artel::openblas
