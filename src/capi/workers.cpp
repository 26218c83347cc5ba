// Numbers and indices of workers: <artel/workers.hpp>, and the same in C.
#include <artel/workers.hpp>

#include "sched/crew.hpp"

#include <artel.h>

namespace artel {

namespace {

// Shared by OS threads that find the table full.
constexpr unsigned without_slot = sched::max_workers;

}  // namespace

unsigned num_threads() noexcept
{
    return sched::crew::get().width();
}

unsigned worker_index_bound() noexcept
{
    return without_slot + 1;
}

unsigned worker_index() noexcept
{
    const sched::worker* w = sched::this_worker();
    if (w == nullptr) [[unlikely]] {
        w = sched::crew::get().enter();
        if (w == nullptr) {
            return without_slot;
        }
    }
    return w->index;
}

unsigned worker_index_end() noexcept
{
    const unsigned slots = sched::crew::get().table_size();
    return slots == without_slot ? slots + 1 : slots;
}

}  // namespace artel

extern "C" unsigned artel_num_threads(void)
{
    return artel::num_threads();
}

extern "C" unsigned artel_worker_index(void)
{
    return artel::worker_index();
}

extern "C" unsigned artel_worker_index_bound(void)
{
    return artel::worker_index_bound();
}

extern "C" unsigned artel_worker_index_end(void)
{
    return artel::worker_index_end();
}
