// The signal state of a persona, and of each OS thread of the crew (fiber/signals.hpp).
#pragma once

#include "base/cpu.hpp"
#include "base/os/signals.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::fiber {

struct fiber;

struct signal_state {
    // The receiver of the signals: a persona or a bound fiber.
    const fiber* self = nullptr;
    // Its signal mask. Only its carrier touches it, while it runs.
    base::os::signal_set blocked = 0;
    // awaited: the set that it waits for, during sigwait and its kin. sent_on: signals that were
    // sent on to the kernel thread although that blocks them. Only its carrier touches these, also
    // in signal handlers. relaxed: read by the same thread.
    std::atomic<base::os::signal_set> awaited{0};
    std::atomic<base::os::signal_set> sent_on{0};
    // Signals sent to it and not yet taken. Set by senders, cleared by its carrier.
    std::atomic<base::os::signal_set> pending{0};
    // For each pending signal: whether it came by pthread_sigqueue, and with what value. relaxed:
    // published with `pending`.
    std::atomic<base::os::signal_set> queued{0};
    std::array<std::atomic<std::uintptr_t>, base::modelled ? 2 : base::os::highest_signal> values{};
};

}  // namespace artel::fiber
