// Rank 0 notifies the others and waits for their answers: through words of their own, through one
// shared word, and with atomic additions before the answers. The model's times are halves and
// differences of these. Copies are timed in rank 0 and in the slowest reader, with and without
// handing back.
#include "coll/measure.hpp"

#include "coll/copy.hpp"
#include "shm/memory.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <new>

namespace artel::coll {
namespace {

using shm::status;

constexpr unsigned most_rounds = 64;
constexpr unsigned atomics = 64;  // operations in a row
// bytes of a copy; larger copies take more time than they are worth.
constexpr std::size_t most_copied = std::size_t{1} << 18;
constexpr double faster_by_handing = 0.95;

// In the last page of each area. `told` is written by rank 0, `answer` by the owner. All ranks read
// rank 0's `told`.
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
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
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
    measurement(const measured_segment& s, unsigned rank, unsigned ranks,
                const measured_message& message, const shm::waiter& waiting) noexcept
        : segment_(s), rank_(rank), ranks_(ranks),
          hand_back_(ranks == 2 ? message.hand_back : choice::off), waiting_(waiting),
          copied_(std::min(s.tail - shm::page_size(), most_copied))
    {
        if (message.bytes != 0) {
            copied_ = std::min<std::size_t>(copied_, message.bytes);
            parts_ = message.bytes / copied_;
            queue_parts_ = std::min((s.tail - shm::page_size()) / copied_, parts_);
        }
        own_ = new (std::nothrow) std::byte[parts_ * copied_ + 1];
        if (own_ != nullptr) {
            std::memset(own_, 1, parts_ * copied_ + 1);
        } else {
            copied_ = 0;  // this rank copies nothing, and the others' times count
        }
    }
    ~measurement() { delete[] own_; }
    measurement(const measurement&) = delete;
    measurement& operator=(const measurement&) = delete;

    status run(unsigned rounds, model_times& times) noexcept
    {
        samples notify, hop, set_wait, atomic;
        std::array<samples, 2> kept, handed;  // the slower copy, the quicker
        status s = status::ok;
        for (unsigned i = 0; i < rounds && s == status::ok; ++i) {
            // The first round is not counted: caches are cold, and some ranks have not arrived yet.
            s = round(i == 0 ? nullptr : &notify, &board::told, &measurement::nothing);
            s = s == status::ok ? round(i == 0 ? nullptr : &set_wait, &board::told_to_all,
                                        &measurement::nothing)
                                : s;
            s = s == status::ok ? round(i == 0 ? nullptr : &hop, &board::told,
                                        &measurement::nothing, clocked::one)
                                : s;
            s = s == status::ok
                    ? round(i == 0 ? nullptr : &atomic, &board::told_to_all, &measurement::count)
                    : s;
            // The cost of a copy in depends on what was done with the copy before it.
            pace first, second;
            s = s == status::ok ? copy(hand_back_ != choice::off, first) : s;
            s = s == status::ok ? copy(false, second) : s;
            if (i > 0) {
                kept[0].add(std::max(first.in, second.out));
                kept[1].add(std::min(first.in, second.out));
                handed[0].add(std::max(second.in, first.out));
                handed[1].add(std::min(second.in, first.out));
            }
        }
        if (s != status::ok) {
            return s;
        }
        // A notification takes half of a round trip. The atomic operations take what remains after
        // subtracting a round trip.
        const bool hand_back = hand_back_ == choice::on ||
                               (hand_back_ == choice::measured &&
                                handed[0].median() < faster_by_handing * kept[0].median());
        std::array<samples, 2>& copies = hand_back ? handed : kept;
        const double bytes = static_cast<double>(std::max<std::size_t>(copied_, 1));
        times = {copies[0].median() / bytes,
                 notify.median() / 2,
                 set_wait.median() / 2,
                 std::max(atomic.median() - set_wait.median(), 1e-9) / atomics,
                 copies[1].median() / bytes,
                 hand_back,
                 hop.median() / 2};
        at(rank_).result = times;  // rank 0's counts
        s = round(nullptr, &board::told, &measurement::read_result);
        times = result_;
        return s == status::ok ? leave() : s;
    }

private:
    board& at(unsigned rank) const noexcept
    {
        return *reinterpret_cast<board*>(segment_.areas + (rank + 1) * segment_.area_bytes -
                                         shm::page_size());
    }
    // The source is in rank 0's area, as if rank 0 were the root.
    std::byte* queue() const noexcept
    {
        return segment_.areas + segment_.area_bytes - segment_.tail +
               turn_ % queue_parts_ * copied_;
    }
    std::byte* own() const noexcept { return own_ + turn_ % parts_ * copied_; }

    // Afterwards each rank may reuse its tail: rank 0 has seen all answers, and the others read
    // nothing of rank 0's after their answer.
    status leave() noexcept
    {
        ++told_;
        if (rank_ != 0) {
            return waiting_.wait(at(rank_).told, told_);
        }
        for (unsigned r = 1; r < ranks_; ++r) {
            // release: pairs with the acquire of the wait. Not publish(), which checks for sleepers
            // after the store, when the owner may already reuse the word; a sleeper wakes up by
            // itself after a fraction of a millisecond.
            at(r).told.value.store(told_, std::memory_order_release);
        }
        return status::ok;
    }

    void nothing() noexcept {}
    void read_result() noexcept { result_ = at(0).result; }
    void count() noexcept
    {
        for (unsigned i = 0; i < atomics; ++i) {
            // acq_rel: as the paper's counters, whose cost is measured.
            at(0).shared.fetch_add(1, std::memory_order_acq_rel);
        }
    }

    // Rank 0 notifies all, all do something, all answer. Adds the time that this took in rank 0;
    // or, with `one`, the time until the first of the others has answered, which is notified before
    // the rest.
    enum class clocked { all, one };
    status round(samples* to, shm::awaited_word board::* word, void (measurement::*work)(),
                 clocked whom = clocked::all) noexcept
    {
        ++number_;
        const bool own_words = word == &board::told;
        if (rank_ != 0) {
            const status s = waiting_.wait(at(own_words ? rank_ : 0).*word,
                                           own_words ? ++told_ : ++told_to_all_);
            (this->*work)();
            at(rank_).answer.publish(number_);
            return s;
        }
        const double begin = now();
        double end = begin;
        own_words ? ++told_ : ++told_to_all_;
        status s = status::ok;
        for (unsigned r = own_words ? 1 : 0; r < (own_words ? ranks_ : 1); ++r) {
            (at(r).*word).publish(own_words ? told_ : told_to_all_);
            if (whom == clocked::one && r == 1) {
                s = waiting_.wait(at(r).answer, number_);
                end = now();
            }
        }
        (this->*work)();
        s = s == status::ok ? all_answered() : s;
        if (to != nullptr) {
            to->add((whom == clocked::one ? end : now()) - begin);
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

    // Rank 0 copies in, then all others copy out at the same time; the slower of the two decides
    // the speed of a pipeline.
    struct pace {
        double in = 0, out = 0;  // seconds; in rank 0
    };
    status copy(bool hand_back, pace& spent) noexcept
    {
        if (parts_ > 1) {
            // As programs do with a message before it is sent, and with the last one received.
            std::memset(own(), static_cast<int>(turn_), copied_);
        }
        if (rank_ == 0) {
            const double begin = now();
            std::memcpy(queue(), own(), copied_);
            spent.in = now() - begin;
        }
        const status s = round(
            nullptr, &board::told,
            hand_back ? &measurement::copy_out_and_hand_back : &measurement::copy_out);
        for (unsigned r = 1; r < ranks_ && rank_ == 0; ++r) {
            spent.out = std::max(spent.out, at(r).copy_time);
        }
        ++turn_;
        return s;
    }
    void copy_out() noexcept { take(false); }
    void copy_out_and_hand_back() noexcept { take(true); }
    void take(bool handing) noexcept
    {
        if (rank_ != 0) {
            const double begin = now();
            std::memcpy(own(), queue(), copied_);
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
    std::size_t copied_;  // at a time
    std::size_t parts_ = 1, queue_parts_ = 1;
    std::size_t turn_ = 0;  // the next part to use: the same in all ranks
    std::byte* own_;        // parts_ times copied_ bytes
    model_times result_{};
    std::uint32_t number_ = 0, told_ = 0, told_to_all_ = 0;
};

}  // namespace

status measure_times(const measured_segment& s, unsigned rank, unsigned ranks, unsigned rounds,
                     const measured_message& message, const shm::waiter& waiting,
                     model_times& times) noexcept
{
    times = assumed_times;
    if (s.tail <= shm::page_size() || rounds < 2) {
        return status::ok;
    }
    return measurement(s, rank, ranks, message, waiting).run(std::min(rounds, most_rounds), times);
}

}  // namespace artel::coll
