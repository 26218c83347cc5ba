// Enabling and disabling of shepherds and workers.
#include "runtime.hpp"

namespace artel::qthreads {
namespace {

// The number of the stream for a worker as qthread_disable_worker numbers workers.
unsigned stream_number(const runtime& r, unsigned worker) noexcept
{
    return worker % r.shepherds * r.workers_per_shepherd + worker / r.shepherds;
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

int qthread_disable_shepherd(unsigned short shepherd)
{
    runtime& r = needed("qthread_disable_shepherd");
    if (shepherd >= r.shepherds) {
        return -1;  // QTHREAD_BADARGS
    }
    if (shepherd == 0) {
        return -3;  // QTHREAD_NOT_ALLOWED
    }
    // release: pairs with is_on().
    r.shepherd_on[shepherd].store(false, std::memory_order_release);
    for (unsigned i = 0; i < r.workers_per_shepherd; ++i) {
        r.group->enable(r.group->stream_at(shepherd * r.workers_per_shepherd + i), false);
    }
    r.pool_of(shepherd).redirect(&r.pool_of(r.instead_of(shepherd)));
    return 0;
}
void qthread_enable_shepherd(unsigned short shepherd)
{
    runtime& r = needed("qthread_enable_shepherd");
    if (shepherd >= r.shepherds) {
        return;
    }
    r.pool_of(shepherd).redirect(nullptr);
    for (unsigned i = 0; i < r.workers_per_shepherd; ++i) {
        const unsigned n = shepherd * r.workers_per_shepherd + i;
        // relaxed: as workers_on.
        r.group->enable(r.group->stream_at(n), r.worker_on[n].load(std::memory_order_relaxed));
    }
    // release: pairs with is_on().
    r.shepherd_on[shepherd].store(true, std::memory_order_release);
}
// Workers are numbered in turn: the first worker of each shepherd, then the second of each.
// Disabling the first worker of a shepherd disables the shepherd.
int qthread_disable_worker(unsigned short worker)
{
    runtime& r = needed("qthread_disable_worker");
    if (worker >= r.worker_on.size()) {
        return -1;  // QTHREAD_BADARGS
    }
    if (worker == 0) {
        return -3;  // QTHREAD_NOT_ALLOWED
    }
    const unsigned n = stream_number(r, worker);
    r.worker_on[n].store(false, std::memory_order_relaxed);  // relaxed: as workers_on
    r.group->enable(r.group->stream_at(n), false);
    return worker < r.shepherds ? qthread_disable_shepherd(worker) : 0;
}
void qthread_enable_worker(unsigned short worker)
{
    runtime& r = needed("qthread_enable_worker");
    if (worker >= r.worker_on.size()) {
        return;
    }
    const unsigned n = stream_number(r, worker);
    r.worker_on[n].store(true, std::memory_order_relaxed);  // relaxed: as workers_on
    if (worker < r.shepherds) {
        qthread_enable_shepherd(worker);
    } else {
        r.group->enable(r.group->stream_at(n), r.is_on(worker % r.shepherds));
    }
}
}
