// The pool of descriptors: those that have ended, for the next loops. Inline, because each loop
// takes a descriptor and gives it back.
// Inside src/loop only.
#pragma once

#include "fiber/call_out.hpp"
#include "loop/descriptor.hpp"
#include "sched/crew.hpp"

#include <array>
#include <new>
#include <pthread.h>

namespace artel::loop {

struct descriptor_list {
    descriptor* first = nullptr;
    unsigned count = 0;
};

// Per-worker lists of descriptors, each touched only by its worker's OS thread, between two
// switches.
struct descriptor_pool {
    static constexpr unsigned most_kept = 8;

    // untouched pages cost nothing.
    static inline constinit std::array<descriptor_list, sched::max_workers> lists;

    static descriptor* take(unsigned slots) noexcept
    {
        if (const sched::worker* const w = sched::this_worker(); w != nullptr) {
            descriptor_list& l = lists[w->index];
            for (descriptor** at = &l.first; *at != nullptr; at = &(*at)->next_) {
                if (descriptor* const taken = *at; taken->capacity_ >= slots) {
                    --l.count;
                    *at = taken->next_;
                    return taken;
                }
            }
        }
        const fiber::call_out guard;
        void* const memory = ::operator new(bytes(slots), std::align_val_t{alignof(descriptor)},
                                            std::nothrow);
        if (memory == nullptr) {
            return nullptr;
        }
        auto* const made = new (memory) descriptor;
        made->capacity_ = slots;
        made->offer_.to = made;
        for (unsigned i = 0; i < slots; ++i) {
            slot& s = *new (&made->slot_array()[i]) slot;
            s.spread[0].of = made;
            s.spread[1].of = made;
            new (&made->ownerships()[i]) ownership_word;
        }
        return made;
    }

    static std::size_t bytes(unsigned slots) noexcept
    {
        return sizeof(descriptor) + slots * (sizeof(slot) + sizeof(ownership_word));
    }

    static void give(descriptor* d) noexcept
    {
        if (const sched::worker* const w = sched::this_worker(); w != nullptr) {
            descriptor_list& l = lists[w->index];
            d->next_ = l.first;
            l.first = d;
            if (l.count < most_kept) {
                ++l.count;
                return;
            }
            // not the new one: small ones would stay for ever, and wide loops never find a
            // descriptor.
            d = remove_smallest(l);
        }
        d->~descriptor();
        const fiber::call_out guard;
        ::operator delete(d, std::align_val_t{alignof(descriptor)});
    }

    static descriptor* remove_smallest(descriptor_list& l) noexcept
    {
        descriptor** smallest = &l.first;
        for (descriptor** at = &l.first; *at != nullptr; at = &(*at)->next_) {
            if ((*at)->capacity_ < (*smallest)->capacity_) {
                smallest = at;
            }
        }
        descriptor* const removed = *smallest;
        *smallest = removed->next_;
        return removed;
    }

    static void forget_after_fork() noexcept
    {
        for (descriptor_list& l : lists) {
            if (l.first != nullptr) {
                l = {};
            }
        }
    }
    static const int registered;
};

}  // namespace artel::loop
