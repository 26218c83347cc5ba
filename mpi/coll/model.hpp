// The analytic model of the paper (section 5): how long a broadcast through queues takes, and which
// fragment size and queue length are best. Pure functions of their arguments; any thread. Times in
// seconds, sizes in bytes.
#pragma once

#include <cstddef>

namespace artel::coll {

struct model_times {
    double per_byte;     // t: copying one byte in or out, whichever is slower
    double notify;       // t_W: from writing a control line until all ranks have seen it
    double set_wait;     // t_WO: from opening a set until all have seen it
    double atomic;       // t_A: one atomic operation on a shared line
    double quicker = 0;  // copying one byte the other way; 0: takes as long
    // copying is faster when the reader hands the cache lines back (copy.hpp), and t is the time
    // with that.
    bool hand_back = false;
    double hop = 0;  // from writing one control line until its reader has seen it; 0: unknown
};

struct queue_shape {
    std::size_t fragment;                                             // f
    std::size_t length;                                               // s, in fragments
    std::size_t sets;                                                 // q
    std::size_t bytes() const noexcept { return fragment * length; }  // b
};

// t(m, s) = q ceil(m/b) (t_WO + t_A) + d t_C + ceil(m/f) t_W + m t, with t_C = t f. (Here t_C is
// the time of the faster of the two copies; the slower ones are all in m t.) The pipeline is filled
// d times: with one set, as often as the queue is used, because the root waits until the others
// have emptied it before it copies in again; with several sets, once. (The paper has d = 1 in this
// formula, and d = ceil(m/b) in its derivation of f*.)
double broadcast_time(const model_times& times, const queue_shape& queue, std::size_t message);

// f* = sqrt(m t_W / (ceil(m/b) t)), not rounded.
double best_fragment(const model_times& times, std::size_t queue_bytes, std::size_t message);

// f* rounded up to whole pages and to what the queue can hold in each of its sets.
std::size_t best_fragment_in_pages(const model_times& times, std::size_t queue_bytes,
                                   std::size_t sets, std::size_t message, std::size_t page);

// If only the size of the message is known: f = sqrt(m) in whole pages, s = m / f.
queue_shape shape_for_message(std::size_t message, std::size_t page);

}  // namespace artel::coll
