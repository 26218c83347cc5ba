// A task on its way to a named worker, which can be taken back while the worker has not begun it:
// the worker may be busy for long, or with something that waits for the sender.
#pragma once

#include "base/work.hpp"

#include <artel/detail/block.hpp>
#include <atomic>
#include <new>

namespace artel::loop {

// What lies in the worker's mail. It may be opened long after its contents were taken back, and all
// that they belong to is gone.
template <class Task>
struct letter : base::work {
    std::atomic<Task*> content{nullptr};
    letter* next_sent = nullptr;          // in the sender's list
    std::atomic<unsigned> references{2};  // the mail's, and the list's

    // nullptr when there is no memory.
    static letter* make(Task& content, void (*open)(void* carrier, base::work& self)) noexcept
    {
        void* memory = nullptr;
        try {
            memory = detail::allocate_block(sizeof(letter));
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
        auto* const made = new (memory) letter;
        made->run = open;
        // relaxed: the mail and the list publish it.
        made->content.store(&content, std::memory_order_relaxed);
        return made;
    }

    // The task, for one of those who ask.
    Task* take() noexcept
    {
        // relaxed: the task was published with the letter, and nobody has changed it since.
        return content.load(std::memory_order_relaxed) != nullptr
                   ? content.exchange(nullptr, std::memory_order_relaxed)
                   : nullptr;
    }

    void drop() noexcept
    {
        // acq_rel: the other's use of it ends before it is freed.
        if (references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            this->~letter();
            detail::free_block(this, sizeof(letter));
        }
    }
};

// Letters that were sent. Any thread adds some; forgotten by the owner alone.
template <class Task>
class letters_sent {
public:
    void add(letter<Task>& l) noexcept
    {
        l.next_sent = first_.load(std::memory_order_relaxed);  // relaxed: the exchange decides
        // release: publishes the letter; pairs with take_back().
        while (!first_.compare_exchange_weak(l.next_sent, &l, std::memory_order_release,
                                             std::memory_order_relaxed)) {
        }
    }

    // The contents of a letter that nobody has opened yet.
    Task* take_back() const noexcept
    {
        // acquire: pairs with add(); each addition continues the release sequence of those before.
        for (letter<Task>* l = first_.load(std::memory_order_acquire); l != nullptr;
             l = l->next_sent) {
            if (Task* const taken = l->take(); taken != nullptr) {
                return taken;
            }
        }
        return nullptr;
    }

    // When nobody adds or takes any more.
    void forget() noexcept
    {
        // acquire: as in take_back().
        for (letter<Task>* l = first_.load(std::memory_order_acquire); l != nullptr;) {
            letter<Task>* const next = l->next_sent;
            l->drop();
            l = next;
        }
        first_.store(nullptr, std::memory_order_relaxed);  // relaxed: nobody else is there
    }

private:
    std::atomic<letter<Task>*> first_{nullptr};
};

}  // namespace artel::loop
