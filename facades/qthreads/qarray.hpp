// qarray: an array in segments of whole pages, each of which belongs to a shepherd. The layout of
// the public part is fixed by the binary interface, because programs compute the addresses of
// elements themselves. The owners of the segments are in a private table beside it, for all
// distributions.
#pragma once

#include "runtime.hpp"

#include <atomic>
#include <cstddef>
#include <vector>

namespace artel::qthreads {

// With the numbers of the binary interface.
enum class distribution : int {
    fixed_hash,
    fixed_fields,
    // this and `dist`: the kind of a made array whose distribution is not fixed. Wished for: as
    // all_local
    all_same,
    dist,  // wished for: as dist_rand
    dist_stripes,
    dist_fields,
    dist_rand,
    dist_least,
    all_local,
    all_rand,
    all_least
};

struct qarray {
    std::size_t unit_size = 0;
    std::size_t count = 0;
    std::size_t segment_size = 0;   // in units
    std::size_t segment_bytes = 0;  // including the unused rest behind the units
    char* base = nullptr;
    distribution kind = distribution::fixed_hash;
    union {
        shepherd_id shepherd;  // of all_same
        struct {
            std::size_t segments_each;
            std::size_t extras;
        } fields;  // of fixed_fields
    } specific = {};

    void* at(std::size_t i) const noexcept
    {
        const std::size_t segment = i / segment_size;
        return base + segment * segment_bytes + (i - segment * segment_size) * unit_size;
    }
};
static_assert(sizeof(qarray) == 64);

struct owned_qarray : qarray {
    // relaxed: programs order a change of ownership before its uses.
    std::vector<std::atomic<shepherd_id>> owners;  // by segment
    std::size_t mapped = 0;                        // bytes at base
};

inline const owned_qarray& with_owners(const qarray& a) noexcept
{
    return static_cast<const owned_qarray&>(a);
}

// The owner of the segment, as shepherds are numbered now.
unsigned owner_of(const qarray& a, std::size_t segment, const runtime& r) noexcept;

// Calls body(context, part, from, to) for ranges that together are [start, stop) and lie in one
// segment each, on the segments' shepherds: as many qthreads as a shepherd has workers share its
// segments. `part` is less than parts_of(r), and no two qthreads have the same. Returns when all
// have returned. Switches. May throw std::bad_alloc.
using range_body = void (*)(void* context, std::size_t part, std::size_t from, std::size_t to);
void on_owners(const qarray& a, std::size_t start, std::size_t stop, range_body body,
               void* context);
std::size_t parts_of(const runtime& r) noexcept;

}  // namespace artel::qthreads
