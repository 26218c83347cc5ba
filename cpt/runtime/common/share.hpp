// A worksharing construct with state for all members of a team. Members encounter the constructs in
// the same order. So the states form a list: the first member to arrive appends one, and it is
// freed when the last member has moved on.
#pragma once

#include <atomic>

namespace cp {

struct thread;

// For a doacross loop: how many inner iterations of each outermost iteration are done. The first
// member makes it, zeroed.
struct alignas(std::atomic<unsigned long long>) doacross {
    bool has_inner;
    // They follow this object in memory.
    std::atomic<unsigned long long>& done(unsigned long long iteration)
    {
        return reinterpret_cast<std::atomic<unsigned long long>*>(this + 1)[iteration];
    }
};

struct share {
    explicit share(unsigned members) : left(members) {}
    ~share();

    std::atomic<share*> next{nullptr};
    std::atomic<unsigned> left;  // members that have not moved on
    std::atomic<bool> claimed{false};
    std::atomic<bool> cancelled{false};
    std::atomic<unsigned long long> at{0};    // the next iteration, or section, to be taken
    std::atomic<unsigned long long> turn{0};  // ordered: the iteration whose turn it is
    std::atomic<void**> list{nullptr};        // copyprivate
    std::atomic<doacross*> waves{nullptr};
    std::atomic<struct shared_reduction*> reduction{nullptr};
};

// Moves on to the team's next construct; true if the caller is the first to reach it.
bool enter_share(thread& me);
// At the end of the region.
void leave_shares(thread& me);

}  // namespace cp
