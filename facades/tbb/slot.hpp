// A slot of an arena: one thread at a time runs tasks in it, those that it spawns there and those
// that affinity sends to it.
#pragma once

#include "affinity.hpp"
#include "base/cpu.hpp"
#include "task_pool.hpp"

#include <atomic>

namespace artel::onetbb {

struct alignas(base::cache_line) slot {
    task_pool pool;
    alignas(base::cache_line) mailbox mail;
    std::atomic<bool> occupied{false};
    // Its occupant searches for tasks, so it will take what is in the mail. relaxed: a hint.
    std::atomic<bool> looks{false};
    // A slot for workers that an external thread took when its task was resumed. Written by the
    // occupant only.
    bool lent = false;
    // A worker has left tasks here; a worker comes for them whatever the limits. Written by the
    // occupant only, before it leaves. relaxed: read after a fence or as a guess.
    std::atomic<bool> owed{false};
};

}  // namespace artel::onetbb
