// Tasks with an affinity for a slot, as affinity_partitioner makes them to run a piece of a loop
// where it ran last time. A proxy of the task is put into the mail of that slot and into the pool
// of the spawner. The first thread to take the proxy gets the task; the second one frees the proxy.
#pragma once

#include "small_objects.hpp"
#include "task_pool.hpp"

#include <mutex>

namespace artel::onetbb {

class proxy final : public task {
public:
    static proxy& make(small_pool& memory, task& real, unsigned to)
    {
        auto* const p = new (memory.allocate(sizeof(proxy))) proxy;
        p->traits = is_proxy;
        p->context = real.context;
        p->isolation = real.isolation;
        p->slots = to;
        p->memory_ = &memory;
        p->real_.store(&real, std::memory_order_relaxed);  // relaxed: nobody else knows it
        return *p;
    }
    task* execute(abi::d1::execution_data&) override { return nullptr; }
    task* cancel(abi::d1::execution_data&) override { return nullptr; }

    // The task, for the first of the two callers; nullptr for the second, which frees the proxy.
    // `own`: the caller's memory pool.
    task* take(small_pool& own) noexcept
    {
        // acq_rel: pairs with the other of the two calls: the proxy is freed after its last use.
        task* const t = real_.exchange(nullptr, std::memory_order_acq_rel);
        if (t == nullptr) {
            small_pool& p = *memory_;
            if (&p == &own) {
                p.give_back(this, sizeof(proxy));
            } else {
                p.return_from_outside(this, sizeof(proxy));
            }
        }
        return t;
    }
    // Frees a proxy that is in no pool any more.
    void end_in_mail() noexcept { memory_->return_from_outside(this, sizeof(proxy)); }
    unsigned to() const noexcept { return static_cast<unsigned>(slots); }

    proxy* next_mail = nullptr;

private:
    small_pool* memory_ = nullptr;
    std::atomic<task*> real_{nullptr};
};
static_assert(sizeof(proxy) <= small_pool::largest);

class mailbox {
public:
    // relaxed: a guess, or after a fence.
    bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

    // Any thread.
    void put(proxy& p) noexcept
    {
        const std::scoped_lock hold(lock_);
        *end_ = &p;
        end_ = &p.next_mail;
        count_.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
    }
    // The oldest proxy of a task that may run; nullptr without one.
    proxy* get(std::intptr_t isolation) noexcept
    {
        if (empty()) {
            return nullptr;
        }
        const std::scoped_lock hold(lock_);
        for (proxy** at = &first_; *at != nullptr; at = &(*at)->next_mail) {
            proxy* const p = *at;
            if (may_run(*p, isolation)) {
                *at = p->next_mail;
                if (end_ == &p->next_mail) {
                    end_ = at;
                }
                p->next_mail = nullptr;
                count_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
                return p;
            }
        }
        return nullptr;
    }
    void forget_lock() noexcept { new (&lock_) base::spinlock; }

private:
    base::spinlock lock_;
    proxy* first_ = nullptr;
    proxy** end_ = &first_;
    std::atomic<unsigned> count_{0};
};

}  // namespace artel::onetbb
