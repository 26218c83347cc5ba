// Sends each call to the kind of persona that the process has (ARTEL_MEMBERS).
#include "foreign/persona_end.hpp"

#include "fiber/persona.hpp"
#include "foreign/thread_persona.hpp"

#include <utility>

namespace artel::foreign {
namespace {

fiber::persona& persona_of(base::work& persona) noexcept
{
    return static_cast<fiber::persona&>(static_cast<fiber::fiber&>(persona));
}

}  // namespace

void dismiss_persona(base::work& persona) noexcept
{
    if (members_are_threads()) {
        dismiss_thread_persona(persona);
    } else {
        fiber::dismiss_persona(persona_of(persona));
    }
}

bool free_persona(base::work& persona, bool wait) noexcept
{
    return members_are_threads() ? free_thread_persona(persona, wait)
                                 : fiber::free_persona(persona_of(persona), wait);
}

void end_personas(base::work* personas) noexcept
{
    // All are dismissed first, so that they end at the same time.
    for (base::work* next = personas; next != nullptr;) {
        base::work& persona = *std::exchange(next, next->next);
        dismiss_persona(persona);
    }
    while (personas != nullptr) {
        base::work& persona = *std::exchange(personas, personas->next);
        free_persona(persona, true);
    }
}

}  // namespace artel::foreign
