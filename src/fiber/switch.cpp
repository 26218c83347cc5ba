// The start of a fiber.
#include "fiber/switch.hpp"

#include "fiber/sanitizer.hpp"

namespace artel::fiber {
namespace {

ARTEL_NOT_INSTRUMENTED void start(void* data)
{
    fiber& self = *static_cast<detail::departure*>(data)->here->current;
    detail::arrive(data);
    self.entry(self);
    std::abort();  // entry never returns
}

}  // namespace

void prepare(fiber& f, void (*entry)(fiber&)) noexcept
{
    sanitizer_stack_begins(f);
    f.entry = entry;
    f.context = context::make(f.stack.high(), f.stack.size, start);
}

}  // namespace artel::fiber
