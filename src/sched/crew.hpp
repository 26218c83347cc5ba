// The crew: the process's single set of workers. Made at first use, never destroyed (its threads
// end with the process, or while nobody needs them: end_threads()); the child of a fork makes a new
// one. Worker threads are created when there is first work for them.
//
// Its parts build on each other, each in a header of its own: slots (crew_table), how busy it is
// (crew_load), CPUs (crew_placement), the monitor's thread (crew_monitor), who belongs to it
// (crew_workers), who is woken for what (crew_wakeup).
#pragma once

#include "sched/crew_wakeup.hpp"

namespace artel::sched {

class crew : public crew_wakeup {
public:
    // The process's crew. Any thread; the first call reads options and topology (about 0.1 ms).
    static crew& get() noexcept;

    // Ends the crew's OS threads, if nobody uses it, and returns when the kernel has forgotten
    // them: a program may then do what the kernel grants to a process of one thread only. They come
    // back with the next use. False when some are in use; those have stayed, and the others have
    // ended. For a thread that the crew does not carry. Blocks, for the time for which idle workers
    // spin and some tenths of a second at most. See departure.cpp.
    static bool end_threads() noexcept;

    // Whether no thread takes part, all workers are idle, and nothing is queued. A moment's view.
    static bool has_nothing_to_do() noexcept;

    // Makes setuid() and its kin work while OS threads carry light threads with other thread
    // pointers (base/os/setxid.hpp). Called before the first of these runs, when its pthread
    // exists.
    static bool guard_setxid() noexcept;

    // Called after a signal was left to a persona or a bound fiber (fiber::leave_signal): its
    // current carrier sends the signal on. False when it has none; it gets the signal when it is
    // next carried. Also in signal handlers.
    static bool nudge_carrier_of(const fiber::fiber& f) noexcept;

private:
    template <unsigned workers, unsigned width>
    friend struct model_crew;  // crew_model.hpp
    friend class monitor;
    crew() noexcept;
    static worker* on_thread(int thread) noexcept;
    static void before_fork() noexcept;
    static void after_fork_in_parent() noexcept;
    static void after_fork_in_child() noexcept;
    static const int fork_handlers;
};

}  // namespace artel::sched
