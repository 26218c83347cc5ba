// Shepherds by their distance: all distances are 0, and the order is that of their numbers.
#include "foreign/fork_safe_lock.hpp"
#include "runtime.hpp"
#include "task.hpp"

#include <mutex>
#include <vector>

namespace artel::qthreads {
namespace {

foreign::fork_safe_lock making;

// For each shepherd the others, beginning with its successor, and itself as the last. Made once for
// each number of shepherds, and kept.
const unsigned short* others_of(unsigned shepherd, unsigned shepherds)
{
    static std::vector<std::vector<unsigned short>*>* kept = nullptr;
    const std::scoped_lock hold(making);
    auto& lists = foreign::made(kept);
    for (const auto* l : lists) {
        if (l->size() == std::size_t{shepherds} * shepherds) {
            return l->data() + std::size_t{shepherd} * shepherds;
        }
    }
    auto* const made = new std::vector<unsigned short>;
    for (unsigned s = 0; s < shepherds; ++s) {
        for (unsigned i = 1; i <= shepherds; ++i) {
            made->push_back(static_cast<unsigned short>((s + i) % shepherds));
        }
    }
    lists.push_back(made);
    return made->data() + std::size_t{shepherd} * shepherds;
}

void step(unsigned short* shepherd, unsigned by)
{
    const runtime& r = needed("qthread_shep_next");
    *shepherd = static_cast<unsigned short>((*shepherd + by) % r.shepherds);
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

int qthread_distance(unsigned short from, unsigned short to)
{
    const runtime& r = needed("qthread_distance");
    return from < r.shepherds && to < r.shepherds ? 0 : -1;  // QTHREAD_BADARGS
}
const unsigned short* qthread_sorted_sheps_remote(unsigned short from)
{
    const runtime& r = needed("qthread_sorted_sheps_remote");
    return from < r.shepherds ? others_of(from, r.shepherds) : nullptr;
}
const unsigned short* qthread_sorted_sheps(void)
{
    const artel::sched::stream* const s = artel::qthreads::own_stream();
    return s != nullptr
               ? qthread_sorted_sheps_remote(static_cast<unsigned short>(s->source->number))
               : nullptr;
}
void qthread_shep_next(unsigned short* shepherd)
{
    step(shepherd, 1);
}
void qthread_shep_prev(unsigned short* shepherd)
{
    step(shepherd, needed("qthread_shep_prev").shepherds - 1);
}
void qthread_shep_next_local(unsigned short* shepherd)
{
    step(shepherd, 1);
}
void qthread_shep_prev_local(unsigned short* shepherd)
{
    step(shepherd, needed("qthread_shep_prev_local").shepherds - 1);
}
}
