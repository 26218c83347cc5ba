// Suspends the caller until an event that the program knows of: the end of an asynchronous
// operation, a message, a callback.
#pragma once

#include <artel/detail/latch.hpp>
#include <utility>

namespace artel {

// The right to resume one suspended caller, once. A small value, which may be copied to the code
// that will signal the event.
class suspend_point {
public:
    suspend_point() noexcept = default;
    explicit operator bool() const noexcept { return latch_ != nullptr; }

private:
    template <class F>
    friend void suspend(F&&);
    friend void resume(suspend_point) noexcept;
    explicit suspend_point(sched::latch& latch) noexcept : latch_(&latch) {}
    sched::latch* latch_ = nullptr;
};

// Calls arrange(suspend_point) and suspends the caller until resume() is called with that point,
// which may happen from any thread, also before `arrange` has returned. The caller's worker does
// other work meanwhile. If `arrange` throws, the caller is not suspended, and the point must not be
// used.
template <class F>
void suspend(F&& arrange)
{
    sched::latch resumed;
    std::forward<F>(arrange)(suspend_point(resumed));
    resumed.wait();
}

// Exactly once per point. Any thread, also one that is unknown to the crew; never waits or
// switches.
inline void resume(suspend_point point) noexcept
{
    point.latch_->set();
}

}  // namespace artel
