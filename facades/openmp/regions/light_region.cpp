// The caller, a light thread, is suspended for the region; the persona, on another stack, opens it,
// runs member 0, and makes the caller ready at the end.
#include "light_region.hpp"

#include "base/fp_control.hpp"
#include "fiber/signals.hpp"
#include "foreign/thread_persona.hpp"
#include "member_personas.hpp"
#include "sched/suspend.hpp"

namespace artel::openmp {
namespace {

// See caller_of_light_region. initial-exec: one instruction reaches it.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint64_t caller_id = 0;

// On the light thread's stack.
struct light_region {
    const icv_set& icvs;
    void (*open)(void*);
    void* argument;
    std::uint64_t fp_control = base::fp_control();         // the light thread's
    std::uint64_t id = sched::this_worker()->current->id;  // of its fiber
    base::os::signal_set blocked = fiber::blocked_by(*sched::this_worker());
    fiber::fiber* caller = nullptr;
};

// The persona's assignment. Once the caller is ready its light_region is gone.
void run(void* of)
{
    auto& r = *static_cast<light_region*>(of);
    base::set_fp_control(r.fp_control);
    if (!foreign::members_are_threads()) {
        fiber::begin_with_mask(*sched::this_worker(), r.blocked);
    }
    caller_id = r.id;
    call_as_initial_thread(r.icvs, r.open, r.argument);
    caller_id = 0;
    r.fp_control = base::fp_control();
    sched::make_ready(*r.caller);
}

}  // namespace

std::uint64_t caller_of_light_region() noexcept
{
    return caller_id;
}

void call_by_persona(const member& m, void (*open)(void*), void* argument)
{
    light_region r{m.current->icvs, open, argument};
    const foreign::assignment work{run, &r};
    foreign::leave_to_persona(acquire_persona(work), r.caller);
    base::set_fp_control(r.fp_control);
}

}  // namespace artel::openmp
