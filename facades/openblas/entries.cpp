// What the Python package and tests call, found by name (dlsym).
#include "caller.hpp"
#include "callers.hpp"
#include "takeover.hpp"

namespace ob = artel::openblas;

extern "C" {

// Looks for libraries that have been loaded since, for interpreters into which we are loaded late;
// returns how many there were. Any thread.
unsigned artel_openblas_look()
{
    return ob::take_over_new();
}

// How many libraries are known.
unsigned artel_openblas_count()
{
    return static_cast<unsigned>(ob::known().size());
}

// The file of one of them, what the user allows and what a call is told now; nullptr: no such.
const char* artel_openblas_library(unsigned index, int* limit, int* told)
{
    const auto all = ob::known();
    if (index >= all.size()) {
        return nullptr;
    }
    *limit = ob::limit_of(*all[index]);
    *told = ob::told(*all[index]);
    return all[index]->path.c_str();
}

// How many calls are under way.
unsigned artel_openblas_inside()
{
    return ob::inside();
}

// Of the calling thread: at most so many threads for its calls; 0: no limit of its own. Returns
// what it was before.
unsigned artel_openblas_limit_here(unsigned threads)
{
    return ob::limit_here(threads);
}
}
