// A thread that enters another arena for a while, and the floating-point settings that it gets
// there.
#pragma once

#include "arena.hpp"
#include "context.hpp"

namespace artel::onetbb {

// Moves the thread, as an external thread, to another arena for the length of a block. Throws what
// an observer of the arena throws; then the thread is where it was.
class visit {
public:
    visit(thread& me, arena& a) : visit(me, a, [] {}) {}
    // Calls entered(), which must not throw, when the thread has its slot, before observers are
    // told.
    template <class Entered>
    visit(thread& me, arena& a, Entered entered)
        : me_(me), in_(me.in), at_(me.at), index_(me.index), serves_(me.serves), counts_(me.counts),
          stands_in_(me.stands_in), seen_(me.observers_seen), outer_(me.now),
          inside_(a.enter(me, false))
    {
        if (!inside_) {
            return;
        }
        entered();
        // It is not one of the workers of this arena.
        me.counts = false;
        me.stands_in = false;
        data_.me = &me;
        data_.original_slot = static_cast<abi::d1::slot_id>(me.index);
        me.now = &data_;
        try {
            me.in->observers.tell_entry(me);
        } catch (...) {
            leave();
            throw;
        }
    }
    ~visit()
    {
        if (inside_) {
            leave();
        }
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    explicit operator bool() const noexcept { return inside_; }

private:
    void leave() noexcept
    {
        me_.in->observers.tell_exit(me_);
        me_.in->leave(me_);
        me_.in = in_;
        me_.at = at_;
        me_.index = index_;
        me_.serves = serves_;
        me_.counts = counts_;
        me_.stands_in = stands_in_;
        me_.observers_seen = seen_;
        me_.now = outer_;
        if (in_ != nullptr) {
            in_->note_use();  // a child of a fork may have come back to it
        }
    }

    thread& me_;
    arena* const in_;
    slot* const at_;
    const unsigned index_;
    const bool serves_;
    const bool counts_;
    const bool stands_in_;
    const std::uint64_t seen_;
    execution* const outer_;
    execution data_;
    const bool inside_;
};

// The floating-point settings of an arena for the length of a block.
class arena_settings {
public:
    explicit arena_settings(const arena& a) noexcept
        : before_(read_fp_settings()), now_(a.fp_settings())
    {
        if (now_ != before_) {
            write_fp_settings(now_);
        }
    }
    ~arena_settings()
    {
        if (now_ != before_) {
            write_fp_settings(before_);
        }
    }
    arena_settings(const arena_settings&) = delete;
    arena_settings& operator=(const arena_settings&) = delete;

private:
    const std::uint64_t before_;
    const std::uint64_t now_;
};

}  // namespace artel::onetbb
