// Teams and their members. A member is a light thread (or the OS thread that began the program)
// while it executes a region; its `thread` says which. All of a team's lists of tasks are under its
// one lock.
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
    thread* const outer;  // the member that met the construct; null for an OS thread's own team
    unsigned level = 0, active_level = 0;
    unsigned teams = 1, team_number = 0;  // of the league
    bool in_league = false;               // the initial thread of a teams region
    bool shows_affinity = false;          // OMP_DISPLAY_AFFINITY: each member says where it is
    share first;                          // stands before the first worksharing construct

    spinlock lock;
    // Under the lock; read without it by who looks whether to wait on.
    std::atomic<unsigned> ready{0};    // tasks in ready_tasks
    std::atomic<unsigned> pending{0};  // tasks that have been made and have not been completed
    std::atomic<unsigned> arrived{0};  // at the barrier
    std::atomic<unsigned> generation{0};
    std::atomic<unsigned> inside{0};  // members that may touch the team
    std::atomic<bool> cancelled{false};
    unsigned asleep = 0;         // members who wait at the barrier
    bool first_asleep = false;   // the first member waits at the end of the region
    std::vector<unsigned> gone;  // members who have left at its end, for want of tasks
    task_list<&task::in_team> ready_tasks;

    void (*body)(void*) = nullptr;
    void* frame = nullptr;
    std::unique_ptr<thread[]> threads;
    void* part = nullptr;                   // of the streams, that its members run in
    std::atomic<unsigned>* busy = nullptr;  // threads of the contention group
};

// Where a member is in the loop that it shares.
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
    // Its copies of threadprivate variables: its own, or those of the thread that it goes on for.
    private_table* privates = nullptr;
    std::vector<private_table*>* privates_of_members = nullptr;
    cp_caller hints{};
    std::pair<unsigned, unsigned> told;  // for OMP_DISPLAY_AFFINITY: of a team's size and level
    task implicit;
};

// Light threads that have begun and not ended, those of OS threads that entered among them.
extern std::atomic<unsigned> light_threads;

thread* first_of_os_thread();

// A new light thread, in the team's part of the streams if it has one.
void spawn(const team& of, void (*f)(void*), void* argument, unsigned index);

// A task has become ready while the team's lock is held: it enters the lists. What `news` says has
// to be announced when the lock has been released.
struct news {
    const void* parent = nullptr;
    const void* group = nullptr;
    const void* at_barrier = nullptr;
    const void* at_end = nullptr;
    thread* helper = nullptr;
    void announce() const;
};
void make_ready(task* t, news& n);

// The end of a region for one of its members.
void finish(thread& me);

// All members meet, having executed the team's tasks. True: the region was cancelled, and `may`
// says that the caller can deal with that.
bool barrier(thread& me, bool may);

}  // namespace cp
