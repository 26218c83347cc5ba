// Teams and their members. A `thread` is a member of a team; a light thread (or the program's first
// OS thread) carries it while it executes a region. One lock guards all lists of tasks of a team.
#pragma once

#include "current.hpp"
#include "settings.hpp"
#include "share.hpp"
#include "task.hpp"

#include "../regions/regions.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace cp {

struct private_table;

struct team {
    explicit team(unsigned size, thread* made_by) : n(size), outer(made_by), first(size) {}

    const unsigned n;
    thread* const outer;  // the encountering member; null for an OS thread's own team
    unsigned level = 0, active_level = 0;
    unsigned teams = 1, team_number = 0;  // of the league
    bool in_league = false;               // the initial thread of a teams region
    bool shows_affinity = false;          // OMP_DISPLAY_AFFINITY: each member prints its affinity
    share first;                          // precedes the first worksharing construct

    spinlock lock;
    // Written under the lock; read without it by members that check whether to go on waiting.
    std::atomic<unsigned> ready{0};    // tasks in ready_tasks
    std::atomic<unsigned> pending{0};  // tasks that were created and are not complete
    std::atomic<unsigned> arrived{0};  // at the barrier
    std::atomic<unsigned> generation{0};
    std::atomic<unsigned> inside{0};  // members that may touch the team
    std::atomic<bool> cancelled{false};
    unsigned asleep = 0;         // members that sleep at the barrier
    bool first_asleep = false;   // the first member waits at the end of the region
    std::vector<unsigned> gone;  // members that have left at the region's end, because there were
                                 // no tasks
    task_list<&task::in_team> ready_tasks;

    void (*body)(void*) = nullptr;
    void* frame = nullptr;
    std::unique_ptr<thread[]> threads;
    void* part = nullptr;                   // the part of the streams in which its members run
    std::atomic<unsigned>* busy = nullptr;  // threads of the contention group
};

// The state of a member in a worksharing loop.
struct loop_part {
    unsigned long long n = 0, chunk = 0, piece = 0, lo = 0, hi = 0;
    int schedule = 0;
    bool done = false;
};

struct thread {
    team* group = nullptr;
    unsigned number = 0;
    bool light = false;    // may be suspended by the library of light threads
    bool initial = false;  // the program's first thread, whatever team it is in
    task* now = nullptr;
    share* at = nullptr;
    loop_part loop;
    unsigned looks = 0;  // how often it has flushed or tried a lock in vain
    // Its copies of threadprivate variables, or those of the thread in whose place it runs.
    private_table* privates = nullptr;
    std::vector<private_table*>* privates_of_members = nullptr;
    cp_caller hints{};
    // for OMP_DISPLAY_AFFINITY: size and level of the team last displayed.
    std::pair<unsigned, unsigned> displayed;
    task implicit;
};

// The number of light threads that have begun and not ended, including those of OS threads that
// entered.
extern std::atomic<unsigned> light_threads;

thread* first_of_os_thread();

// Starts a light thread, in the team's part of the streams if it has one.
void spawn(const team& of, void (*f)(void*), void* argument, unsigned index);

// Who is to be woken, or started, because a task has become ready.
struct wakeups {
    const void* parent = nullptr;
    const void* group = nullptr;
    const void* at_barrier = nullptr;
    const void* at_end = nullptr;
    thread* helper = nullptr;
    void announce() const;
};
// Puts a ready task into the lists; the team's lock is held. After releasing it the caller calls
// n.announce().
void make_ready(task* t, wakeups& n);

// Ends the region for one of its members.
void finish(thread& me);

// A barrier, at which members execute the team's tasks. True if the region was cancelled; only with
// `may`, which says that the caller can handle that.
bool barrier(thread& me, bool may);

}  // namespace cp
