// Computes by other means what Alloc must compute: blocks are numbers in vectors and links are
// indices, so that it cannot have the same faults of allocator or pointers. Only the checksum over
// freed blocks is compared: it covers every write and every link that led to them.
#include "lab/alloc_ring.hpp"

#include <vector>

namespace artel::lab {

std::uint64_t alloc_oracle(unsigned task, std::uint64_t count)
{
    constexpr std::uint32_t nobody = ~0u;
    struct entry {
        std::uint32_t next, previous;
        std::uint64_t value;
        std::uint32_t bytes;
    };
    std::vector<entry> blocks;
    std::vector<std::uint32_t> unused;
    std::uint32_t begin = nobody;
    std::uint64_t made = 0, checksum = 0;

    for_each_alloc_step(task, count, [&](std::uint64_t, const alloc_step& step) {
        const auto amount = std::uint64_t{1} << step.exponent;
        if (step.operation == alloc_step::grow) {
            std::uint32_t fresh = static_cast<std::uint32_t>(blocks.size());
            if (unused.empty()) {
                blocks.emplace_back();
            } else {
                fresh = unused.back();
                unused.pop_back();
            }
            if (begin == nobody)
                begin = blocks[fresh].previous = fresh;
            const auto last = blocks[begin].previous;
            blocks[fresh] = {begin, last, ++made, static_cast<std::uint32_t>(64 * amount)};
            blocks[last].next = fresh;
            blocks[begin].previous = fresh;
        } else if (begin != nobody) {
            auto at = begin;
            for (auto left = amount; left > 0; --left) {
                if (step.operation == alloc_step::walk)
                    blocks[at].value += left;
                at = blocks[at].next;
            }
            if (step.operation == alloc_step::walk) {
                begin = at;
            } else {
                const auto gone = blocks[at];
                checksum = mix(checksum + gone.value + gone.bytes);
                begin = gone.next == at ? nobody : gone.next;
                blocks[gone.previous].next = gone.next;
                blocks[gone.next].previous = gone.previous;
                unused.push_back(at);
            }
        }
        return true;
    });
    return checksum;
}

}  // namespace artel::lab
