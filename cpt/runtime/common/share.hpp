// A worksharing construct that has state for all members of a team. Members meet a team's
// constructs in the same order; each lies behind the one before it in a chain, made by the first
// who comes, and goes when the last member has moved on.
#pragma once

#include <atomic>

namespace cp {

struct thread;

// Of a doacross loop: per outermost iteration, how many of its inner ones are done. Made by the
// first member, zeroed.
struct alignas(std::atomic<unsigned long long>) doacross {
    bool has_inner;
    // Behind it in memory.
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
    std::atomic<unsigned long long> at{0};    // the first iteration, or section, that nobody has
    std::atomic<unsigned long long> turn{0};  // ordered: whose iterations come next
    std::atomic<void**> list{nullptr};        // copyprivate
    std::atomic<doacross*> waves{nullptr};
    std::atomic<struct shared_reduction*> reduction{nullptr};
};

// Moves on to the team's next construct; true: the caller is the first there.
bool enter_share(thread& me);
// At the end of the region.
void leave_shares(thread& me);

}  // namespace cp
