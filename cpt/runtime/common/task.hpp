// Explicit tasks, and the state of implicit ones. A ready task is in three lists: of its team, of
// its parent and of its group. A member that waits at a barrier takes tasks from the first list;
// one that waits for children or a group takes only those, so that unrelated tasks on its stack do
// not delay it.
#pragma once

#include "icv.hpp"
#include "spinlock.hpp"

#include <atomic>
#include <cstddef>
#include <unordered_map>
#include <vector>

namespace cp {

struct task;
struct thread;
struct team;

struct hook {
    task *before = nullptr, *after = nullptr;
};

template <hook task::* H>
class task_list {
public:
    task* front() const { return first_; }
    task* back() const { return last_; }
    void push_front(task* t) { insert(t, nullptr, first_); }
    void push_back(task* t) { insert(t, last_, nullptr); }
    void insert(task* t, task* before, task* after);
    void remove(task* t);

private:
    task *first_ = nullptr, *last_ = nullptr;
};

struct task_group;
struct dependence_table;

struct task {
    task* parent = nullptr;
    team* of = nullptr;
    task_group* group = nullptr;
    icvs settings;
    bool in_final = false, explicit_task = false;
    bool queued = false;
    int priority = 0;
    std::atomic<unsigned> references{1};
    // Children that have not been completed, and those of them that are ready.
    std::atomic<unsigned> children{0}, ready_children{0};
    // Dependences that are not yet satisfied.
    std::atomic<unsigned> missing{0};
    // For a task with an event: it is complete when its body has ended and the event was fulfilled.
    std::atomic<int> to_come{1};
    void (*body)(void*) = nullptr;
    void* frame = nullptr;
    bool completed = false;
    std::vector<task*> successors;
    dependence_table* dependences = nullptr;  // of its children
    hook in_team, in_parent, in_group;
    task_list<&task::in_parent> ready_list;

    ~task();
};

struct task_group {
    task_group* outer = nullptr;
    std::atomic<unsigned> unfinished{0}, ready{0};
    std::atomic<bool> cancelled{false};
    std::vector<unsigned long*> reductions;  // registered words
    struct shared_reduction* shared = nullptr;
    task_list<&task::in_group> ready_list;
};

// The group that `cancel taskgroup` refers to; groups for the reductions of loops do not count.
inline task_group* cancellable(task_group* g)
{
    return g != nullptr && g->shared != nullptr ? g->outer : g;
}

template <hook task::* H>
void task_list<H>::insert(task* t, task* before, task* after)
{
    (t->*H).before = before;
    (t->*H).after = after;
    (before == nullptr ? first_ : (before->*H).after) = t;
    (after == nullptr ? last_ : (after->*H).before) = t;
}

template <hook task::* H>
void task_list<H>::remove(task* t)
{
    hook& h = t->*H;
    (h.before == nullptr ? first_ : (h.before->*H).after) = h.after;
    (h.after == nullptr ? last_ : (h.after->*H).before) = h.before;
    h.before = h.after = nullptr;
}

// Makes the tasks ready that wait for this one, and drops it.
void complete(task* t);
// Runs a ready task of the team, if there is one. The team's lock is held; it is released while the
// task runs.
bool run_one(thread& me);
void release(task* t);
void forget_dependences(dependence_table* d);

}  // namespace cp
