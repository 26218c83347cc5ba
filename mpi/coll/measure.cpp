#include "coll/measure.hpp"

#include "coll/copy.hpp"
#include "shm/memory.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

namespace artel::coll {
namespace {

using shm::status;

constexpr unsigned most_rounds = 64;
constexpr unsigned atomics = 64;                           // operations in a row
constexpr std::size_t most_copied = std::size_t{1} << 18;  // bytes; more takes longer than it is worth
constexpr double faster_by_handing = 0.95;

// In the last page of each area. `told` is written by rank 0, `answer` by the owner. Only rank 0's is told to all.
struct alignas(shm::line_size) board {
    shm::awaited_word told;
    alignas(shm::line_size) shm::awaited_word answer;
    alignas(shm::line_size) shm::awaited_word told_to_all;
    alignas(shm::line_size) std::atomic<std::uint32_t> shared;
    alignas(shm::line_size) double copy_time;  // of the owner; published by `answer`
    model_times result;
};

double now() noexcept
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class samples {
public:
    void add(double value) noexcept { values_[count_++] = value; }
    double median() noexcept
    {
        std::sort(values_.begin(), values_.begin() + count_);
        return values_[count_ / 2];
    }

private:
    std::array<double, most_rounds> values_{};
    unsigned count_ = 0;
};

class measurement {
public:
    measurement(const measured_segment& s, unsigned rank, unsigned ranks, choice hand_back, const shm::waiter& waiting) noexcept
        : segment_(s), rank_(rank), ranks_(ranks), hand_back_(ranks == 2 ? hand_back : choice::off), waiting_(waiting),
          copied_(std::min(s.tail - shm::page_size(), most_copied)), own_(new(std::nothrow) std::byte[copied_ + 1])
    {
        if (own_ != nullptr) {
            std::memset(own_, 1, copied_ + 1);
        } else {
            copied_ = 0;  // the others' copies still count
        }
    }
    ~measurement() { delete[] own_; }
    measurement(const measurement&) = delete;
    measurement& operator=(const measurement&) = delete;

    status run(unsigned rounds, model_times& times) noexcept
    {
        samples notify, set_wait, atomic, kept, handed;
        status s = status::ok;
        for (unsigned i = 0; i < rounds && s == status::ok; ++i) {
            // The first of everything finds nothing in the caches, and ranks that are not yet there.
            s = round(i == 0 ? nullptr : &notify, &board::told, &measurement::nothing);
            s = s == status::ok ? round(i == 0 ? nullptr : &set_wait, &board::told_to_all, &measurement::nothing) : s;
            s = s == status::ok ? round(i == 0 ? nullptr : &atomic, &board::told_to_all, &measurement::count) : s;
            // What a copy in costs depends on what was done with the copy before it.
            pace first, second;
            s = s == status::ok ? copy(hand_back_ != choice::off, first) : s;
            s = s == status::ok ? copy(false, second) : s;
            if (i > 0) {
                kept.add(std::max(first.in, second.out));
                handed.add(std::max(second.in, first.out));
            }
        }
        if (s != status::ok) {
            return s;
        }
        // There and back; an atomic operation once the way is taken off.
        const bool hand_back = hand_back_ == choice::on ||
                               (hand_back_ == choice::measured && handed.median() < faster_by_handing * kept.median());
        const double copied = (hand_back ? handed : kept).median() / static_cast<double>(std::max<std::size_t>(copied_, 1));
        times = {copied, notify.median() / 2, set_wait.median() / 2, std::max(atomic.median() - set_wait.median(), 1e-9) / atomics,
                 hand_back};
        at(rank_).result = times;  // rank 0's counts
        s = round(nullptr, &board::told, &measurement::read_result);
        times = result_;
        return s == status::ok ? leave() : s;
    }

private:
    board& at(unsigned rank) const noexcept
    {
        return *reinterpret_cast<board*>(segment_.areas + (rank + 1) * segment_.area_bytes - shm::page_size());
    }
    // What is copied lies in rank 0's area, as it would if that were the root.
    std::byte* queue() const noexcept { return segment_.areas + segment_.area_bytes - segment_.tail; }

    // What is in a tail is its owner's again afterwards: rank 0 has seen all answers, and the others read nothing of rank 0's after theirs.
    status leave() noexcept
    {
        ++told_;
        if (rank_ != 0) {
            return waiting_.wait(at(rank_).told, told_);
        }
        for (unsigned r = 1; r < ranks_; ++r) {
            // release: pairs with the acquire of the wait. Not publish(), whose look for sleepers comes after the store, when the word may be the owner's
            // again; who sleeps wakes up by himself after a fraction of a millisecond.
            at(r).told.value.store(told_, std::memory_order_release);
        }
        return status::ok;
    }

    void nothing() noexcept {}
    void read_result() noexcept { result_ = at(0).result; }
    void count() noexcept
    {
        for (unsigned i = 0; i < atomics; ++i) {
            at(0).shared.fetch_add(1, std::memory_order_acq_rel);  // acq_rel: what the paper's counters cost is measured
        }
    }

    // Rank 0 tells all, all do something, all answer. Adds what that took in rank 0.
    status round(samples* to, shm::awaited_word board::* word, void (measurement::*work)()) noexcept
    {
        ++number_;
        const bool own_words = word == &board::told;
        if (rank_ != 0) {
            const status s = waiting_.wait(at(own_words ? rank_ : 0).*word, own_words ? ++told_ : ++told_to_all_);
            (this->*work)();
            at(rank_).answer.publish(number_);
            return s;
        }
        const double begin = now();
        own_words ? ++told_ : ++told_to_all_;
        for (unsigned r = own_words ? 1 : 0; r < (own_words ? ranks_ : 1); ++r) {
            (at(r).*word).publish(own_words ? told_ : told_to_all_);
        }
        (this->*work)();
        const status s = all_answered();
        if (to != nullptr) {
            to->add(now() - begin);
        }
        return s;
    }

    status all_answered() noexcept
    {
        status s = status::ok;
        for (unsigned r = 1; r < ranks_ && s == status::ok; ++r) {
            s = waiting_.wait(at(r).answer, number_);
        }
        return s;
    }

    // Rank 0 copies in, then all others out at the same time; a pipeline goes at the pace of the slower of the two.
    struct pace {
        double in = 0, out = 0;  // seconds; in rank 0
    };
    status copy(bool hand_back, pace& spent) noexcept
    {
        if (rank_ == 0) {
            const double begin = now();
            std::memcpy(queue(), own_, copied_);
            spent.in = now() - begin;
        }
        const status s = round(nullptr, &board::told, hand_back ? &measurement::copy_out_and_hand_back : &measurement::copy_out);
        for (unsigned r = 1; r < ranks_ && rank_ == 0; ++r) {
            spent.out = std::max(spent.out, at(r).copy_time);
        }
        return s;
    }
    void copy_out() noexcept { take(false); }
    void copy_out_and_hand_back() noexcept { take(true); }
    void take(bool handing) noexcept
    {
        if (rank_ != 0) {
            const double begin = now();
            std::memcpy(own_, queue(), copied_);
            if (handing) {
                hand_back(queue(), copied_);
            }
            at(rank_).copy_time = now() - begin;
        }
    }

    const measured_segment& segment_;
    unsigned rank_, ranks_;
    choice hand_back_;
    const shm::waiter& waiting_;
    std::size_t copied_;
    std::byte* own_;
    model_times result_{};
    std::uint32_t number_ = 0, told_ = 0, told_to_all_ = 0;
};

// Set-ups of different communicators may run in several threads.
std::mutex known_mutex;
std::map<unsigned, model_times>& known()
{
    static std::map<unsigned, model_times> by_ranks;
    return by_ranks;
}

}  // namespace

status measure_times(const measured_segment& s, unsigned rank, unsigned ranks, unsigned rounds, choice hand_back,
                     const shm::waiter& waiting, model_times& times) noexcept
{
    times = assumed_times;
    if (s.tail <= shm::page_size() || rounds < 2) {
        return status::ok;
    }
    return measurement(s, rank, ranks, hand_back, waiting).run(std::min(rounds, most_rounds), times);
}

bool find_times(unsigned ranks, model_times& times)
{
    const std::lock_guard<std::mutex> lock(known_mutex);
    const auto found = known().find(ranks);
    if (found != known().end()) {
        times = found->second;
    }
    return found != known().end();
}

void keep_times(unsigned ranks, const model_times& times)
{
    const std::lock_guard<std::mutex> lock(known_mutex);
    known()[ranks] = times;
}

}  // namespace artel::coll
