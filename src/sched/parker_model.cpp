// parker.hpp under all interleavings: no wake-up is lost. A lost one leaves the owner asleep for
// ever, which relacy reports as a deadlock. The kernel's futex is simulated
// (base/machine_model.hpp).
#include "base/machine_model.hpp"

#include "sched/parker.hpp"

#include "base/run_model.hpp"

namespace artel::base::os {

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept
{
    model::futex_wait(word, expected);
}
// the time is up at once.
void futex_wait_for(std::atomic<std::uint32_t>&, std::uint32_t, std::uint64_t) noexcept {}
void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept
{
    model::futex_wake(word, count);
}

}  // namespace artel::base::os

namespace {

using namespace artel;

// What an owner checks: a flag set relaxed, as the emptiness of an inbox is, and contents that are
// read after waking.
struct post {
    std::atomic<int> flag{0};
    model::plain<int> contents;
};

struct sleeper {
    sched::parker bed_;

    // The waker that leaves visible work.
    void leave_and_wake(post& p)
    {
        p.flag.store(1, std::memory_order_relaxed);
        base::full_fence();
        bed_.wake_if_parked();
    }
    // The owner's side, as in crew_wakeup::idle.
    template <class Look>
    void sleep_until(Look look)
    {
        while (!look()) {
            if (bed_.prepare()) {
                if (!model::broken("no look after prepare") && look()) {
                    bed_.cancel();
                } else {
                    bed_.commit();
                }
            }
        }
    }
    static bool arrived(const post& p) { return p.flag.load(std::memory_order_relaxed) != 0; }
};

// Two posts by two threads: the owner sleeps as often as it likes but sees both.
struct two_posts : rl::test_suite<two_posts, 3>, sleeper {
    post posts_[2];
    void thread(unsigned number)
    {
        if (number == 0) {
            sleep_until([&] { return arrived(posts_[0]); });
            sleep_until([&] { return arrived(posts_[1]); });
        } else {
            leave_and_wake(posts_[number - 1]);
        }
    }
};

// A waker that leaves only its token, twice, with a handshake between: each sleep ends, and the
// owner sees what was done before the unpark.
struct tokens : rl::test_suite<tokens, 2>, sleeper {
    post first_;
    std::atomic<int> again_{0};
    void thread(unsigned number)
    {
        if (number == 0) {
            sleep_once();
            model::check(first_.contents.get() == 1, "the cause of the token is not seen");
            again_.store(1, std::memory_order_release);
            sleep_once();
            model::check(first_.contents.get() == 2, "the cause of the second token is not seen");
        } else {
            first_.contents.set(1);
            bed_.unpark();
            while (again_.load(std::memory_order_acquire) == 0) {
                model::yield();
            }
            first_.contents.set(2);
            bed_.unpark();
        }
    }
    // Ends with a token consumed, never without.
    void sleep_once()
    {
        if (bed_.prepare()) {
            bed_.commit();
        }
    }
};

// Both kinds of wakers and an owner that also spins with try_consume: the token's cause and the
// post are both seen.
struct both : rl::test_suite<both, 3>, sleeper {
    post token_;
    post post_;
    void thread(unsigned number)
    {
        if (number == 1) {
            leave_and_wake(post_);
        } else if (number == 2) {
            token_.contents.set(1);
            token_.flag.store(1, std::memory_order_relaxed);
            bed_.unpark();
        } else {
            if (bed_.try_consume()) {
                model::check(arrived(token_) && token_.contents.get() == 1,
                             "the cause of the token is not seen");
            }
            sleep_until([&] { return arrived(post_) && arrived(token_); });
        }
    }
};

// A token that comes while a nap ends is not lost: either the nap reports it or the sleep after it
// ends.
struct nap : rl::test_suite<nap, 2>, sleeper {
    post cause_;
    void thread(unsigned number)
    {
        if (number == 0) {
            const bool woken = !bed_.prepare() || bed_.commit_for(1);
            if (!woken && bed_.prepare()) {
                bed_.commit();
            }
            model::check(cause_.contents.get() == 1, "the cause of the token is not seen");
        } else {
            cause_.contents.set(1);
            bed_.unpark();
        }
    }
};

// commit() alone orders: what was written before the wake is read after it.
struct contents : rl::test_suite<contents, 2>, sleeper {
    post post_;
    std::atomic<int> asleep_{0};
    void thread(unsigned number)
    {
        if (number == 0) {
            if (bed_.prepare()) {
                asleep_.store(1, std::memory_order_relaxed);
                bed_.commit();
                model::check(post_.contents.get() == 1, "contents not seen");
            }
        } else {
            while (asleep_.load(std::memory_order_relaxed) == 0) {
                model::yield();
            }
            post_.contents.set(1);
            while (!bed_.wake_if_parked()) {
                model::yield();
            }
        }
    }
};

// An owner that is sent away while somebody wakes it: it continues by itself, or the waker has
// another thread started for it, which sees what the owner left.
template <bool token>
struct sent_away : rl::test_suite<sent_away<token>, 4>, sleeper {
    post post_;
    model::plain<int> left_;
    std::atomic<int> started_{0};
    std::atomic<int> stayed_{0};
    static inline sent_away* suite = nullptr;

    void before()
    {
        suite = this;
        sched::parker::restart = [](sched::parker&) noexcept {
            suite->started_.store(1, std::memory_order_release);
        };
    }
    void thread(unsigned number)
    {
        if (number == 0) {
            if (!sleep_or_leave()) {
                stayed_.store(1, std::memory_order_relaxed);
            }
        } else if (number == 1 && token) {
            post_.flag.store(1, std::memory_order_relaxed);
            bed_.unpark();
        } else if (number == 1) {
            leave_and_wake(post_);
        } else if (number == 2) {
            bed_.send_away();
        } else {
            while (started_.load(std::memory_order_acquire) == 0 &&
                   stayed_.load(std::memory_order_relaxed) == 0) {
                model::yield();
            }
            if (started_.load(std::memory_order_acquire) != 0) {
                model::check(left_.get() == 1, "what the owner left is not seen");
            }
        }
    }
    // Whether it has left before the post came.
    bool sleep_or_leave()
    {
        while (!arrived(post_)) {
            if (!bed_.prepare()) {
                continue;
            }
            if (arrived(post_)) {
                bed_.cancel();
            } else if (!bed_.commit()) {
                left_.set(1);
                if (bed_.go_away()) {
                    return true;
                }
                left_.set(0);
            }
        }
        return false;
    }
};

const std::vector<model::scenario> scenarios{
    {"two posts", rl::simulate<two_posts>, 300000},
    {"two posts, all interleavings of 2 preemptions", rl::simulate<two_posts>, 0, 0,
     rl::sched_bound, 2},
    {"tokens", rl::simulate<tokens>, 200000},
    {"a post and a token", rl::simulate<both>, 300000},
    {"contents", rl::simulate<contents>, 100000},
    {"a nap", rl::simulate<nap>, 100000},
    {"sent away, a post", rl::simulate<sent_away<false>>, 300000},
    {"sent away, a token", rl::simulate<sent_away<true>>, 300000},
};

const std::vector<model::breakage> breakages{
    {"no fence in prepare", 0, model::damage::no_fence, "parker.hpp", "::prepare("},
    {"no fence in the waker", 0, model::damage::no_fence, "parker_model.cpp", "leave_and_wake"},
    {"no look after prepare", 0, model::damage::custom},
    {"unpark relaxed", 2, model::damage::relaxed, "parker.hpp", "::unpark("},
    {"prepare and the token relaxed", 2, model::damage::relaxed, "parker.hpp", "::prepare("},
    {"try_consume relaxed", 3, model::damage::relaxed, "parker.hpp", "::try_consume("},
    {"wake_if_parked relaxed", 4, model::damage::relaxed, "parker.hpp", "::wake_if_parked("},
    {"commit relaxed", 4, model::damage::relaxed, "parker.hpp", "::commit("},
    {"commit_for relaxed", 5, model::damage::relaxed, "parker.hpp", "::commit_for("},
    {"go_away relaxed", 6, model::damage::relaxed, "parker.hpp", "::go_away("},
    {"a relaxed waker of one that is away", 6, model::damage::relaxed, "parker.hpp",
     "::wake_if_parked("},
    {"a relaxed token for one that is away", 7, model::damage::relaxed, "parker.hpp", "::unpark("},
    {"the token is not left", 2, model::damage::no_write, "parker.hpp", "::unpark("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
