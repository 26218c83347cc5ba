// What a call of a construct does with its children, and what it checks of them.
#pragma once

#include "tree.hpp"

#include <pthread.h>

#include <atomic>
#include <string>

namespace mixture {

// Callers that may go on on another OS thread after a wait: light threads of ours, whose OpenMP
// regions and calls of oneTBB are made by personas, and units of streams.
enum mobility { settled, light, unit_of_stream };

number run(number seed, int depth, mobility moves);

// The children of one call: who ran, and the sum of what they gave.
class family {
public:
    family(const node& n, mobility moves) : node_(n), moves_(moves)
    {
        for (auto& each : ran_) {
            each.store(0, std::memory_order_relaxed);
        }
    }
    // `moves`: what calls the child.
    void child(int i, mobility moves)
    {
        if (ran_[i].fetch_add(1) != 0) {
            fail(node_, "a child ran twice");
        }
        sum_.fetch_add(run(child_seed(node_, i), node_.depth - 1, moves));
        done_.fetch_add(1);
    }
    // By a light thread or the body of a loop of ours.
    void light_child(int i) { child(i, moves_ == unit_of_stream ? unit_of_stream : light); }
    // As child(); the caller stays on its OS thread.
    void bound_child(int i)
    {
        // OpenMP's tasks outside of a region are run at once by the caller, and move as it does.
        const bool region = node_.kind == omp_region || node_.kind == omp_for ||
                            node_.kind == omp_sections || node_.kind == omp_team_loops;
        const bool stays = node_.kind > omp_dependences || (region && moves_ == light);
        bound_child(i, stays ? settled : moves_);
    }
    void bound_child(int i, mobility moves)
    {
        if (moves != settled) {
            child(i, moves);
            return;
        }
        static thread_local int here;
        int* const before = address(here);
        const pthread_t self = pthread_self();
        child(i, settled);
        if (address(here) != before || pthread_equal(self, pthread_self()) == 0) {
            fail(node_, "the thread is another one after a nested call");
        }
    }
    number finish()
    {
        if (done_.load() != node_.children) {
            fail(node_, ("only " + std::to_string(done_.load()) + " children had ended").c_str());
        }
        return sum_.load() + 1;
    }
    mobility moves() const { return moves_; }

private:
    // Not inlined: a compiler may keep a thread-local address across calls.
    [[gnu::noinline, gnu::noipa]] static int* address(int& of) { return &of; }

    node node_;
    mobility moves_;
    std::atomic<int> ran_[9];
    std::atomic<int> done_{0};
    std::atomic<number> sum_{0};
};

// Each runs the children of a call with the interface's constructs.
void run_omp(const node& n, family& f);
void run_tbb(const node& n, family& f);
void run_artel(const node& n, family& f);
void run_abt(const node& n, family& f);
void run_qt(const node& n, family& f);

}  // namespace mixture
