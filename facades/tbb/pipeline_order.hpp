// The order in which tokens pass the serial filters of a pipeline. Any thread.
#pragma once

#include "abi.hpp"
#include "base/spinlock.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace artel::onetbb {

using abi::d1::base_filter;

inline constexpr std::uint64_t no_number = ~std::uint64_t{0};

struct token {
    void* item = nullptr;
    std::uint64_t number = no_number;  // its place in the order of serial_in_order filters
};

// A ring of tokens that came to a filter before their turn, indexed by their numbers.
class early_tokens {
public:
    // `turn`: of the next token that passes; no smaller number is kept.
    void keep(const token& t, std::uint64_t turn)
    {
        if (t.number - turn >= kept_.size()) {
            make_room(t.number - turn + 1);
        }
        at(t.number) = t;
    }
    bool take(std::uint64_t number, token& t)
    {
        if (kept_.empty() || at(number).number != number) {
            return false;
        }
        t = std::exchange(at(number), {});
        return true;
    }
    const std::vector<token>& all() const noexcept { return kept_; }

private:
    token& at(std::uint64_t number) { return kept_[number & (kept_.size() - 1)]; }
    void make_room(std::uint64_t numbers)
    {
        const std::vector<token> before = std::exchange(
            kept_, std::vector<token>(std::bit_ceil(std::max<std::uint64_t>(numbers, 16))));
        for (const token& t : before) {
            if (t.number != no_number) {
                at(t.number) = t;
            }
        }
    }

    std::vector<token> kept_;  // a power of two of places; a place without a number is free
};

// Which tokens may pass one filter, and those that wait for that.
class filter_order {
public:
    // Whether the token may pass the filter now; if not, it is queued here.
    bool enter(const base_filter& f, token& t, std::uint64_t& next_number)
    {
        const std::scoped_lock hold(lock_);
        if ((f.mode & base_filter::out_of_order) != 0) {
            if (!busy_) {
                busy_ = true;
                return true;
            }
            unordered_.push_back(t);
            return false;
        }
        if (t.number == no_number) {
            t.number = next_number++;
        }
        if (t.number == turn_) {
            return true;
        }
        ordered_.keep(t, turn_);
        return false;
    }
    // To be called when a token has passed: whether another one, `next`, may pass now.
    bool leave(const base_filter& f, token& next)
    {
        const std::scoped_lock hold(lock_);
        if ((f.mode & base_filter::out_of_order) != 0) {
            if (unordered_.empty()) {
                busy_ = false;
                return false;
            }
            next = unordered_.front();
            unordered_.pop_front();
            return true;
        }
        return ordered_.take(++turn_, next);
    }
    void finalize_all(base_filter& f)
    {
        for (const token& t : unordered_) {
            if (t.item != nullptr) {
                f.finalize(t.item);
            }
        }
        for (const token& t : ordered_.all()) {
            if (t.item != nullptr) {
                f.finalize(t.item);
            }
        }
    }

private:
    base::spinlock lock_;
    bool busy_ = false;
    std::deque<token> unordered_;
    std::uint64_t turn_ = 0;
    early_tokens ordered_;
};

}  // namespace artel::onetbb
