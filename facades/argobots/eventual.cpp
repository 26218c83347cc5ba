// ABT_eventual_*: entry points that check their arguments and call eventual.hpp.
#include "eventual.hpp"

#include "deadline.hpp"
#include "runtime.hpp"

#include <cstdlib>

namespace artel::argobots {

static_assert(sizeof(eventual) <= sizeof(ABT_eventual_memory));

namespace {

int checked(const eventual* e) noexcept
{
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    const thread* const t = self();
    return t != nullptr && t->tasklet ? ABT_ERR_EVENTUAL : ABT_SUCCESS;
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_eventual_create(int bytes, ABT_eventual* made)
{
    if (bytes < 0) {
        return ABT_ERR_INV_ARG;
    }
    auto* const e = make<eventual>();
    if (e == nullptr) {
        return ABT_ERR_MEM;
    }
    e->size = bytes;
    if (bytes > 0) {
        e->value = std::malloc(static_cast<std::size_t>(bytes));
        if (e->value == nullptr) {
            drop(e);
            return ABT_ERR_MEM;
        }
    }
    *made = reinterpret_cast<ABT_eventual>(e);
    return ABT_SUCCESS;
}
int ABT_eventual_free(ABT_eventual* handle)
{
    auto* const e = object<eventual>(*handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    // The setter may still hold the lock.
    wait_for_setter(*e);
    std::free(e->value);
    drop(e);
    *handle = ABT_EVENTUAL_NULL;
    return ABT_SUCCESS;
}
int ABT_eventual_wait(ABT_eventual handle, void** value)
{
    auto* const e = object<eventual>(handle);
    if (const int error = checked(e); error != ABT_SUCCESS) {
        return error;
    }
    wait(*e);
    if (value != nullptr) {
        *value = e->value;
    }
    return ABT_SUCCESS;
}
int ABT_eventual_timedwait(ABT_eventual handle, void** value, const struct timespec* until)
{
    auto* const e = object<eventual>(handle);
    if (const int error = checked(e); error != ABT_SUCCESS) {
        return error;
    }
    if (!wait_until(*e, monotonic(*until))) {
        return ABT_ERR_COND_TIMEDOUT;
    }
    if (value != nullptr) {
        *value = e->value;
    }
    return ABT_SUCCESS;
}
int ABT_eventual_test(ABT_eventual handle, void** value, ABT_bool* ready)
{
    auto* const e = object<eventual>(handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    *ready = is_set(*e) ? ABT_TRUE : ABT_FALSE;
    if (*ready == ABT_TRUE && value != nullptr) {
        *value = e->value;
    }
    return ABT_SUCCESS;
}
int ABT_eventual_set(ABT_eventual handle, void* value, int bytes)
{
    auto* const e = object<eventual>(handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    if (bytes < 0) {
        return ABT_ERR_INV_ARG;
    }
    if (bytes > e->size) {
        return ABT_ERR_INV_EVENTUAL;
    }
    return set(*e, value, static_cast<std::size_t>(bytes)) ? ABT_SUCCESS : ABT_ERR_EVENTUAL;
}
int ABT_eventual_reset(ABT_eventual handle)
{
    auto* const e = object<eventual>(handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    reset(*e);
    return ABT_SUCCESS;
}
}
