// The operating system below shm::waiter, in the models of the protocols; included once, by the
// model, after base/machine_model.hpp.
#pragma once

#include "base/machine_model.hpp"
#include "shm/os.hpp"

namespace artel::shm {

void futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t) noexcept
{
    model::futex_wait(word, expected);
}
void futex_wake(std::atomic<std::uint32_t>& word) noexcept
{
    model::futex_wake(word, 64);
}
void heavy_fence() noexcept
{
    base::full_fence();
}
// The heavy fence of the sleeper makes the writer's half as strong as this.
void light_fence() noexcept
{
    base::full_fence();
}

}  // namespace artel::shm
