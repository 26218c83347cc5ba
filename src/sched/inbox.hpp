// Work posted to a named worker: any thread posts, one thread at a time takes everything. Usually
// that is the worker itself; a thief may empty the inbox of a busy worker. A Treiber stack whose
// only removal takes everything, so there is no ABA problem.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"

#include <atomic>

namespace artel::sched {

class inbox {
public:
    // Posts a chain first -> ... -> last (linked by `next`), oldest first. Returns whether the
    // inbox was empty before.
    bool post(base::work& first, base::work& last) noexcept
    {
        // The stack is reversed by take_all, so a chain goes in back to front to keep its order.
        base::work* reversed = nullptr;
        for (base::work* w = &first;;) {
            base::work* const after = w->next;
            w->next = reversed;
            reversed = w;
            if (w == &last) {
                break;
            }
            w = after;
        }
        base::work* head = head_.load(std::memory_order_relaxed);  // relaxed: the CAS decides
        do {
            first.next = head;
            // release: pairs with the acquire in take_all: the work's contents. relaxed on failure:
            // tried again.
        } while (!head_.compare_exchange_weak(head, reversed, std::memory_order_release,
                                              std::memory_order_relaxed));
        return head == nullptr;
    }
    bool post(base::work& w) noexcept { return post(w, w); }

    // Everything posted, oldest first, linked by `next`; nullptr when empty.
    base::work* take_all() noexcept
    {
        // relaxed: a check that saves the exchange; code that must not miss a post checks again
        // after a fence.
        if (head_.load(std::memory_order_relaxed) == nullptr) {
            return nullptr;
        }
        // acquire: pairs with the release in post.
        base::work* w = head_.exchange(nullptr, std::memory_order_acquire);
        base::work* in_order = nullptr;
        while (w != nullptr) {
            base::work* const older = w->next;
            w->next = in_order;
            in_order = w;
            w = older;
        }
        return in_order;
    }

    // An estimate.
    bool empty() const noexcept
    {
        // relaxed: see take_all.
        return head_.load(std::memory_order_relaxed) == nullptr;
    }

private:
    alignas(base::cache_line) std::atomic<base::work*> head_{nullptr};
};

}  // namespace artel::sched
