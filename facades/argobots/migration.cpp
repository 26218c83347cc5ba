// Requests to a unit: cancellation, and migration to another pool.
#include "pool.hpp"
#include "runner.hpp"
#include "runtime.hpp"

namespace artel::argobots {
namespace {

unsigned bit(request r) noexcept
{
    return static_cast<unsigned>(r);
}

}  // namespace

bool honour_requests(thread& t) noexcept
{
    // relaxed: saves the exchange; a request that is missed is honoured next time.
    if (t.requests.load(std::memory_order_relaxed) == 0) {
        return false;
    }
    // acquire: pairs with the release of the request.
    unsigned asked = t.requests.exchange(0, std::memory_order_acquire);
    if (t.in_wait && (asked & bit(request::cancel)) != 0) {
        // relaxed: the same request, for later.
        t.requests.fetch_or(bit(request::cancel), std::memory_order_relaxed);
        asked &= ~bit(request::cancel);
    }
    if ((asked & bit(request::cancel)) != 0) {
        discard_context(t);
        conclude(t);
        return true;
    }
    if ((asked & bit(request::migrate)) == 0) {
        return false;
    }
    thread_extra& e = *extra_of(t);
    pool* const to = e.target.load(std::memory_order_relaxed);  // relaxed: ordered by `requests`
    // relaxed: nobody runs it.
    t.state.store(ABT_THREAD_STATE_READY, std::memory_order_relaxed);
    if (associate(t, *to) != ABT_SUCCESS) {
        return false;
    }
    if (e.attributes.callback != nullptr) {
        e.attributes.callback(handle_of(&t), e.attributes.callback_argument);
    }
    to->push(t, ABT_POOL_CONTEXT_OP_THREAD_MIGRATE);
    return true;
}

int ask_to_migrate(thread& t, pool& to) noexcept
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (t.main_scheduler || t.fixed.load(std::memory_order_relaxed)) {  // relaxed: see fixed
        return ABT_ERR_INV_THREAD;
    }
    if (t.in == &to) {
        return ABT_ERR_MIGRATION_TARGET;
    }
    thread_extra* const e = extra_of(t);
    if (e == nullptr) {
        return ABT_ERR_MEM;
    }
    e->target.store(&to, std::memory_order_relaxed);  // relaxed: ordered by `requests`
    // release: `target`, for honour_requests.
    t.requests.fetch_or(bit(request::migrate), std::memory_order_release);
    return ABT_SUCCESS;
}

}  // namespace artel::argobots
