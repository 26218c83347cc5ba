// taskloop: creates tasks for equal pieces of the iterations.
#include "interface.hpp"
#include "team.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace cp;

extern "C" {

void __cp_taskloop(void (*body)(void*), void* frame, unsigned long bytes, unsigned long alignment,
                   __cp_ull n, int deferred, unsigned flags, unsigned long amount, int priority)
{
    thread& me = *current();
    if (n == 0) {
        return;
    }
    const bool grain = (flags & 16) != 0, strict = (flags & 64) != 0;
    __cp_ull tasks = amount == 0 ? me.group->n : amount, size = 0;
    if (grain) {
        const __cp_ull least = std::max<__cp_ull>(amount, 1);
        tasks = std::max<__cp_ull>(n / least, 1);
        if (strict) {
            size = least;
            tasks = n / least + (n % least != 0 ? 1 : 0);
        }
    }
    // strict with num_tasks needs nothing more: pieces differ by one iteration at most.
    tasks = std::min(tasks, n);
    const bool grouped = (flags & 32) == 0;
    if (grouped) {
        __cp_taskgroup_start();
    }
    // The frame has the alignment of its type, and begins with the piece. A task that is executed
    // at once works on this memory, and firstprivate variables lie in it: so each gets it anew.
    std::vector<char> memory(bytes + alignment);
    const auto place = reinterpret_cast<unsigned long>(memory.data());
    char* const copy = memory.data() + (alignment - place % alignment) % alignment;
    const __cp_ull share = n / tasks, more = n % tasks;
    __cp_ull at = 0;
    for (__cp_ull i = 0; i < tasks && at < n; ++i) {
        const __cp_ull length = size != 0 ? std::min(size, n - at) : share + (i < more ? 1 : 0);
        const __cp_ull piece[2] = {at, at + length};
        std::memcpy(copy, frame, bytes);
        std::memcpy(copy, piece, sizeof piece);
        at += length;
        __cp_task(body, copy, bytes, alignment, deferred, flags & 7, nullptr, 0, priority, nullptr);
    }
    if (grouped) {
        __cp_taskgroup_end();
    }
}

}  // extern "C"
