// The switch itself: saves and restores through Boost.Context, hands the thread pointer over when the next fiber has another one, and
// tells the sanitizers. Nothing here may be instrumented or touch TLS between the change of thread pointer and the jump.
#include "fiber/fiber.hpp"
#include "fiber/sanitizer.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>

namespace artel::fiber {

namespace context = boost::context::detail;

namespace {

// Lies on the stack of the fiber that switches away; copied by the arriving side before anybody can resume that fiber.
struct departure {
    carrier* here;
    fiber* from;
    after_switch after;
    void* argument;
};

tls_block& block_of(const fiber& f, const carrier& here) noexcept
{
    return f.tls != nullptr ? *f.tls : *here.own_tls;
}

base::os::thread_pointer pointer_of(const fiber& f, const carrier& here) noexcept
{
    return f.thread_pointer != 0 ? f.thread_pointer : here.own_thread_pointer;
}

ARTEL_NOT_INSTRUMENTED void arrive(context::transfer_t transfer) noexcept
{
    const departure d = *static_cast<departure*>(transfer.data);
    d.from->context = transfer.fctx;
    sanitizer_arrived(*d.here, *d.here->current);
    if (d.after != nullptr) {
        d.after(*d.here, *d.from, d.argument);
    }
}

ARTEL_NOT_INSTRUMENTED context::transfer_t depart(departure& d, fiber& to) noexcept
{
    carrier& here = *d.here;
    fiber& from = *d.from;
    tls_block& old_block = block_of(from, here);
    tls_block& new_block = block_of(to, here);
    from.local = old_block.local;
    from.last = &here;
    if (from.thread_pointer == 0) {
        from.exceptions = *here.own_exceptions;
    }
    if (to.thread_pointer == 0) {
        *here.own_exceptions = to.exceptions;
    }
    here.current = &to;
    // relaxed (both): a counter with one writer; its reader only compares two values.
    here.switches.store(here.switches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    new_block.current_carrier = &here;
    new_block.local = to.local;
    sanitizer_release(to);
    const base::os::thread_pointer new_pointer = pointer_of(to, here);
    if (new_pointer != pointer_of(from, here)) {
        base::os::write_thread_pointer(new_pointer);
    }
    sanitizer_departing(here, to);
    return context::jump_fcontext(to.context, &d);
}

ARTEL_NOT_INSTRUMENTED void trampoline(context::transfer_t transfer)
{
    fiber& self = *static_cast<departure*>(transfer.data)->here->current;
    arrive(transfer);
    self.entry(self);
    std::abort();  // entry never returns
}

}  // namespace

void prepare(fiber& f, void (*entry)(fiber&)) noexcept
{
    f.entry = entry;
    f.context = context::make_fcontext(f.stack.high(), f.stack.size, trampoline);
}

ARTEL_NOT_INSTRUMENTED void switch_to(carrier& here, fiber& to, after_switch after, void* argument) noexcept
{
    departure d{&here, here.current, after, argument};
    arrive(depart(d, to));
}

ARTEL_NOT_INSTRUMENTED void exit_to(carrier& here, fiber& to, after_switch after, void* argument) noexcept
{
    departure d{&here, here.current, after, argument};
    depart(d, to);
    std::abort();
}

}  // namespace artel::fiber
