// Chains of free blocks that threads pass to each other. A thread that runs tasks made by others
// frees their blocks; without a way back, the makers would ask malloc for every task and the others
// would return every task to it. A simple form of Bonwick and Adams, "Magazines and Vmem", USENIX
// 2001.
#pragma once

#include "base/spinlock.hpp"

#include <atomic>
#include <cstdlib>

namespace artel::openmp {

// Blocks come from malloc and have a member `next`, for the chain, and `next_chain`, for the pool.
template <class Block>
class free_list_pool {
public:
    static constexpr int chain_length = 32;  // about: one lock operation for that many blocks
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

    // A chain, or nullptr. Any thread. take() and put() give up rather than wait for the lock: the
    // caller can use malloc, and the lock may be taken for ever in the child of a fork.
    Block* take() noexcept
    {
        // relaxed: a hint; the lock decides.
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
    // Returns whether the pool has taken the chain.
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
