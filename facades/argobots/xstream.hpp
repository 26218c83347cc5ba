// An execution stream: a scheduled stream with a main scheduler. The primary stream belongs to the
// thread that called ABT_init, and only that carries it; any worker of the crew may carry the
// others.
#pragma once

#include "sched/scheduled_stream.hpp"
#include "scheduler.hpp"
#include "thread.hpp"

#include <atomic>

namespace artel::argobots {

struct xstream : sched::scheduled_stream {
    std::atomic<int> rank{0};  // relaxed: the owner of the stream orders its change
    bool primary = false;
    scheduler* main = nullptr;
    scheduler* next_main = nullptr;  // replaces the main scheduler when that stops
    // a unit that a switch has popped, but only the scheduler can run
    thread* handed = nullptr;
    fiber::fiber* root = nullptr;  // the context on which main schedulers run
    // direct switches left before the scheduler has to run; used by its holder only
    unsigned turns_left = 0;
    unsigned calls = 0;  // calls of ULTs by schedulers; used by its holder only
    // There is a request. relaxed: ordered by poke()
    std::atomic<bool> asked{false};
    std::atomic<bool> running{false};
    // Finish and exit of scheduler_request, for the main scheduler, whichever it is. release and
    // acquire: publish what the requester did before.
    std::atomic<unsigned> requests{0};
    std::atomic<waiter*> joiner{nullptr};
    fiber::fiber* spare = nullptr;  // runners without a unit, linked by `next`; used by its holder
                                    // only
    unsigned spare_count = 0;
    thread* spare_threads = nullptr;  // linked by older; used by its holder only
    unsigned spare_thread_count = 0;
    std::uint64_t next_id = 0;  // of units; used by its holder only
    unsigned ids_left = 0;
    xstream* next = nullptr;  // in the list of all
};

xstream* this_xstream() noexcept;

xstream* make_xstream(scheduler& main, int rank, bool primary, int& error) noexcept;
bool start(xstream& x) noexcept;
void join(xstream& x) noexcept;
void free_xstream(xstream& x) noexcept;
// False when another stream has that rank.
bool change_rank(xstream& x, int rank) noexcept;
// Wakes it so that it sees the request.
void poke(xstream& x) noexcept;
// Asks its main scheduler, which may be replaced at any time, to stop.
void ask(xstream& x, scheduler_request what) noexcept;
// For a stream that does not run, or for the stream of the calling ULT. Returns an error code.
int set_main(xstream& x, scheduler& s) noexcept;

}  // namespace artel::argobots
