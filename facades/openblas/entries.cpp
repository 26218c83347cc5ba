// Functions that the Python package and tests look up by name (dlsym).
#include "caller.hpp"
#include "callers.hpp"
#include "takeover.hpp"

namespace ob = artel::openblas;

extern "C" {

// Searches for libraries loaded since the last search, for interpreters that load us late; returns
// how many it found. Any thread.
unsigned artel_openblas_look()
{
    return ob::take_over_new();
}

// The number of known libraries.
unsigned artel_openblas_count()
{
    return static_cast<unsigned>(ob::known().size());
}

// The file of one of them, the user's limit and the number of threads that a call would get now;
// nullptr: there is no such library.
const char* artel_openblas_library(unsigned index, int* limit, int* threads)
{
    const auto all = ob::known();
    if (index >= all.size()) {
        return nullptr;
    }
    *limit = ob::limit_of(*all[index]);
    *threads = ob::thread_count(*all[index]);
    return all[index]->path.c_str();
}

// The number of active calls.
unsigned artel_openblas_inside()
{
    return ob::inside();
}

// The calling thread's own limit for the threads of its calls; 0: none. Returns the previous one.
unsigned artel_openblas_limit_here(unsigned threads)
{
    return ob::limit_here(threads);
}
}
