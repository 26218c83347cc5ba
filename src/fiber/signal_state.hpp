// What fiber/signals.hpp keeps of a persona, and of each OS thread of the crew.
#pragma once

#include "base/cpu.hpp"
#include "base/os/signals.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::fiber {

struct fiber;

struct signal_state {
    // Who gets the signals: a persona or a bound fiber.
    const fiber* self = nullptr;
    // What it blocks. Its carrier's, while it runs.
    base::os::signal_set blocked = 0;
    // In the midst of sigwait and its kin: what it waits for. And what was sent on to the kernel
    // thread, though that blocks it. Its carrier's, also in signal handlers. relaxed: read by the
    // same thread.
    std::atomic<base::os::signal_set> awaited{0};
    std::atomic<base::os::signal_set> sent_on{0};
    // Sent to it and not yet taken. Set by senders, cleared by its carrier.
    std::atomic<base::os::signal_set> pending{0};
    // For each of them whether it came by pthread_sigqueue, and with what value. relaxed:
    // published with `pending`.
    std::atomic<base::os::signal_set> queued{0};
    std::array<std::atomic<std::uintptr_t>, base::modelled ? 2 : base::os::highest_signal> values{};
};

}  // namespace artel::fiber
