// A task on its way to a named worker, which can be taken back until the worker has started it: the
// worker may be busy for long, or with something that waits for the sender.
#pragma once

#include "base/work.hpp"

#include <artel/detail/block.hpp>
#include <atomic>
#include <new>

namespace artel::loop {

// Lies in the worker's mail. It may be opened long after its content was taken back, when
// everything that the content belongs to is gone.
template <class Task>
struct task_proxy : base::work {
    std::atomic<Task*> content{nullptr};
    task_proxy* next_sent = nullptr;      // in the sender's list
    std::atomic<unsigned> references{2};  // the mail's, and the list's

    // nullptr when there is no memory.
    static task_proxy* make(Task& content, void (*open)(void* carrier, base::work& self)) noexcept
    {
        void* memory = nullptr;
        try {
            memory = detail::allocate_block(sizeof(task_proxy));
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
        auto* const made = new (memory) task_proxy;
        made->run = open;
        // relaxed: the mail and the list publish it.
        made->content.store(&content, std::memory_order_relaxed);
        return made;
    }

    // The task, for the first of the threads that ask.
    Task* take() noexcept
    {
        // relaxed: the task was published with the task_proxy, and has not changed since.
        return content.load(std::memory_order_relaxed) != nullptr
                   ? content.exchange(nullptr, std::memory_order_relaxed)
                   : nullptr;
    }

    void drop() noexcept
    {
        // acq_rel: the other's use of it ends before it is freed.
        if (references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            this->~task_proxy();
            detail::free_block(this, sizeof(task_proxy));
        }
    }
};

// Proxies that were sent. Any thread may add; only the owner calls forget().
template <class Task>
class proxies_sent {
public:
    void add(task_proxy<Task>& l) noexcept
    {
        l.next_sent = first_.load(std::memory_order_relaxed);  // relaxed: the exchange decides
        // release: publishes the task_proxy; pairs with take_back().
        while (!first_.compare_exchange_weak(l.next_sent, &l, std::memory_order_release,
                                             std::memory_order_relaxed)) {
        }
    }

    // The task of a proxy that nobody has opened yet.
    Task* take_back() const noexcept
    {
        // acquire: pairs with add(); each addition continues the release sequence of those before.
        for (task_proxy<Task>* l = first_.load(std::memory_order_acquire); l != nullptr;
             l = l->next_sent) {
            if (Task* const taken = l->take(); taken != nullptr) {
                return taken;
            }
        }
        return nullptr;
    }

    // Called when nobody adds or takes any more.
    void forget() noexcept
    {
        // acquire: as in take_back().
        for (task_proxy<Task>* l = first_.load(std::memory_order_acquire); l != nullptr;) {
            task_proxy<Task>* const next = l->next_sent;
            l->drop();
            l = next;
        }
        first_.store(nullptr, std::memory_order_relaxed);  // relaxed: nobody else is there
    }

private:
    std::atomic<task_proxy<Task>*> first_{nullptr};
};

}  // namespace artel::loop
