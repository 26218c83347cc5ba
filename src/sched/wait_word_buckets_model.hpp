// wait_word.cpp in models.
#pragma once

#include "sched/wait_word.cpp"

namespace artel::sched {

// The buckets' simulated atomics live as long as an iteration: a member or base of the suite.
struct fresh_buckets {
    fresh_buckets() { reset_wait_words_after_fork(); }
    ~fresh_buckets()
    {
        std::destroy_at(&sleeps_until_deadline);
        for (bucket& b : buckets) {
            b.~bucket();
        }
    }
};

}  // namespace artel::sched
