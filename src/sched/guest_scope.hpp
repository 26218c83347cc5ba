// The time during which an external thread takes part in the crew's work: from the outermost call
// that may wait or spawn to its return. Makes the thread a guest, and has it counted as one of the
// busy threads, so that only as many own threads are woken as fit beside it. On the crew's own
// threads, and on light threads anywhere, a scope is two predictable branches.
#pragma once

#include "sched/crew.hpp"

namespace artel::sched {

// Whether the code that runs on `w` now is an external thread's own, outside of every scope.
inline bool outside_scope(const worker& w) noexcept
{
    return w.inside == 0 && w.kind == role::guest && w.current == &w.base;
}

// Updates fiber::spawns_apart; called after each change of what it depends on.
inline void note_how_to_spawn(worker& w) noexcept
{
    w.current->spawns_apart = w.current->width != nullptr || outside_scope(w);
}

// The two halves of guest_scope, for callers that cannot keep an object. enter_scope: the caller's
// worker, nullptr when the table of workers is full (then nothing began). `outermost`: leave_scope
// must be called, on the same OS thread, which is always so on a guest's own stack.
// enter_scope_uncounted: enter_scope, but the guest is not counted as busy yet; if outermost, the
// caller soon calls w->own_crew.guest_begins(*w).
inline worker* enter_scope_uncounted(bool& outermost) noexcept
{
    worker* w = this_worker();
    outermost = false;
    if (w == nullptr) [[unlikely]] {
        w = crew::get().enter();
        if (w == nullptr) {
            return nullptr;
        }
    }
    if (w->current->spawns_apart && outside_scope(*w)) {
        w->inside = 1;
        w->met_others = false;
        note_how_to_spawn(*w);
        outermost = true;
    }
    return w;
}

inline worker* enter_scope(bool& outermost) noexcept
{
    worker* const w = enter_scope_uncounted(outermost);
    if (outermost) {
        w->own_crew.guest_begins(*w);
    }
    return w;
}

inline void leave_scope() noexcept
{
    worker& w = *this_worker();
    w.inside = 0;
    note_how_to_spawn(w);
    w.own_crew.guest_ends(w);
}

class guest_scope {
public:
    guest_scope() noexcept : first_worker_(enter_scope(outermost_)) {}
    ~guest_scope()
    {
        if (outermost_) {
            leave_scope();
        }
    }
    guest_scope(const guest_scope&) = delete;
    guest_scope& operator=(const guest_scope&) = delete;

    // Whether there is a worker at all; without one nothing can be suspended or spawned.
    explicit operator bool() const noexcept { return first_worker_ != nullptr; }

    // Whether this is an external thread's, outside of all others.
    bool is_outermost() const noexcept { return outermost_; }

private:
    bool outermost_ = false;
    // only compared with nullptr: after a switch the caller may be on another worker.
    worker* first_worker_;
};

// guest_scope for callers that start something before the guest is counted.
class late_guest_scope {
public:
    late_guest_scope() noexcept : worker_(enter_scope_uncounted(outermost_)) {}
    ~late_guest_scope()
    {
        if (outermost_) {
            // A guest's own stack, so still the same worker.
            worker_->inside = 0;
            note_how_to_spawn(*worker_);
            if (counted_) {
                worker_->own_crew.guest_ends(*worker_);
            }
        }
    }
    late_guest_scope(const late_guest_scope&) = delete;
    late_guest_scope& operator=(const late_guest_scope&) = delete;

    // The worker at the time of construction; nullptr without one. Not to be used after a switch.
    worker* here() const noexcept { return worker_; }

    // Called before anything that may wait.
    void count() noexcept
    {
        if (outermost_ && !counted_) {
            counted_ = true;
            worker_->own_crew.guest_begins(*worker_);
        }
    }

private:
    bool outermost_ = false;
    bool counted_ = false;
    worker* worker_;
};

// While it exists, the OS thread of `w` is blocked or sleeps in the kernel and is not counted as
// active, which leaves its CPU to another worker. Does nothing for nullptr. Constructed and
// destroyed on that OS thread.
class inactive_scope {
public:
    explicit inactive_scope(worker* w) noexcept : worker_(w)
    {
        if (worker_ != nullptr) {
            worker_->own_crew.guest_ends(*worker_);
        }
    }
    ~inactive_scope()
    {
        if (worker_ != nullptr) {
            worker_->own_crew.guest_begins(*worker_);
        }
    }
    inactive_scope(const inactive_scope&) = delete;
    inactive_scope& operator=(const inactive_scope&) = delete;

private:
    worker* const worker_;
};

}  // namespace artel::sched
