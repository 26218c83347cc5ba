// Adds to the pool of foreign/persona_pool.hpp what OpenMP demands: the stack size of
// OMP_STACKSIZE, and libgomp's message where there are no more threads.
#include "member_personas.hpp"

#include "foreign/thread_persona.hpp"
#include "linking/messages.hpp"
#include "sched/crew.hpp"
#include "settings/icv.hpp"

#include <atomic>
#include <cstring>

namespace artel::openmp {
namespace {

// There is no fallback: members that shared thread-local data would compute wrong results.
[[noreturn]] void no_threads(int error) noexcept
{
    give_up("Thread creation failed: {}", std::strerror(error));
}

void crew_is_full() noexcept
{
    give_up("Thread creation failed: more than {} threads use the crew at a time",
            sched::max_workers);
}

std::atomic<std::size_t> stack_size{0};  // relaxed, all: a number by itself

// Runs when the library is loaded.
[[maybe_unused]] const bool registered = (foreign::call_when_crew_is_full(crew_is_full), true);

}  // namespace

void set_member_stack(std::size_t bytes) noexcept
{
    stack_size.store(bytes, std::memory_order_relaxed);  // relaxed: see there
}

std::size_t member_stack() noexcept
{
    const std::size_t set = stack_size.load(std::memory_order_relaxed);  // relaxed: see there
    return set != 0 ? set : globals().stack_size;
}

base::work* acquire_personas(unsigned count, const foreign::assignment& meanwhile) noexcept
{
    int error = 0;
    base::work* const personas = foreign::acquire_personas(count, member_stack(), meanwhile, error);
    if (error != 0) {
        no_threads(error);
    }
    return personas;
}

fiber::fiber& acquire_persona(const foreign::assignment& a) noexcept
{
    int error = 0;
    fiber::fiber* const persona = foreign::acquire_persona(a, member_stack(), error);
    if (persona == nullptr) {
        no_threads(error);
    }
    return *persona;
}

}  // namespace artel::openmp
