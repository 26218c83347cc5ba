// Chains of free blocks that threads hand each other. A thread that runs tasks which others make
// frees what those allocate; without a place to hand it back, the makers would ask malloc for every
// task and the others would give every task back to it. A simple form of Bonwick and Adams,
// "Magazines and Vmem", USENIX 2001.
#pragma once

#include "base/spinlock.hpp"

#include <atomic>
#include <cstdlib>

namespace artel::openmp {

// Blocks come from malloc and have the members `next`, of the same chain, and `next_chain`, which
// is the free_list_pool's.
template <class Block>
class free_list_pool {
public:
    static constexpr int chain_length = 32;  // about: so seldom is the lock taken
    static constexpr unsigned most_chains = 128;

    free_list_pool() noexcept = default;
    free_list_pool(const free_list_pool&) = delete;
    free_list_pool& operator=(const free_list_pool&) = delete;
    ~free_list_pool()
    {
        while (first_ != nullptr) {
            Block* const chain = first_;
            first_ = chain->next_chain;
            free_chain(chain);
        }
    }

    static void free_chain(Block* chain) noexcept
    {
        while (chain != nullptr) {
            Block* const b = chain;
            chain = b->next;
            std::free(b);
        }
    }

    // Any thread. Both give up where they would have to wait: malloc is there, and so is a child of
    // a fork that found the lock taken. A chain, or nullptr.
    Block* take() noexcept
    {
        // relaxed: a look; the lock decides.
        if (chains_.load(std::memory_order_relaxed) == 0 || !lock_.try_lock()) {
            return nullptr;
        }
        Block* const chain = first_;
        if (chain != nullptr) {
            first_ = chain->next_chain;
            chains_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
        }
        lock_.unlock();
        return chain;
    }
    // Whether it has kept the chain.
    bool put(Block* chain) noexcept
    {
        // relaxed: a few too many do no harm.
        if (chains_.load(std::memory_order_relaxed) >= most_chains || !lock_.try_lock()) {
            return false;
        }
        chain->next_chain = first_;
        first_ = chain;
        chains_.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
        lock_.unlock();
        return true;
    }

private:
    base::spinlock lock_;
    std::atomic<unsigned> chains_{0};
    Block* first_ = nullptr;
};

}  // namespace artel::openmp
