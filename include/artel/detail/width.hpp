// The places of a width_scope: the thin ABI between its class and libartel.
#pragma once

#include <artel/export.hpp>
#include <atomic>

namespace artel::detail {

// A member of the scope, which outlives every loop and group inside it.
struct width_budget {
    std::atomic<unsigned> free{0};  // free places, besides that of the thread that opened the scope
    unsigned most = 0;              // the smallest limit of this scope and those around it
    width_budget* outer = nullptr;
    bool open = false;
};

// `most`: 0 for no limit of its own. Opens nothing on an OS thread without a place in the crew's
// table, which runs everything by itself.
ARTEL_API void open_width(width_budget& budget, unsigned most) noexcept;
// On the thread or light thread that opened it, the innermost first.
ARTEL_API void close_width(width_budget& budget) noexcept;

}  // namespace artel::detail
