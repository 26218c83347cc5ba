// ABT_unit: a pool's handle of a thread. In built-in pools it is the thread's address with a bit
// set that handles of user-defined pools never have set, since they are aligned to four bytes. A
// table maps the handles of user-defined pools to threads.
#include "base/spinlock.hpp"
#include "pool.hpp"
#include "runtime.hpp"

#include <array>
#include <cstdlib>
#include <mutex>
#include <new>

namespace artel::argobots {
namespace {

constexpr std::uintptr_t ours_bit = 2;

struct entry {
    ABT_unit unit;
    thread* of;
    entry* next;
};

struct bucket {
    base::spinlock lock;
    entry* first = nullptr;
};

constinit std::array<bucket, 256> table;

bucket& bucket_of(ABT_unit u) noexcept
{
    const std::uint64_t key = reinterpret_cast<std::uintptr_t>(u) >> 2;
    return table[key * 0x9E3779B97F4A7C15u >> 56];
}

}  // namespace

ABT_unit unit_of(thread& t) noexcept
{
    return t.user_unit != nullptr
               ? t.user_unit
               : reinterpret_cast<ABT_unit>(reinterpret_cast<std::uintptr_t>(&t) | ours_bit);
}

thread* thread_of(ABT_unit u) noexcept
{
    const auto value = reinterpret_cast<std::uintptr_t>(u);
    if (is_null(u)) {
        return nullptr;
    }
    if ((value & ours_bit) != 0) {
        return reinterpret_cast<thread*>(value & ~ours_bit);
    }
    bucket& b = bucket_of(u);
    const std::scoped_lock hold(b.lock);
    for (const entry* e = b.first; e != nullptr; e = e->next) {
        if (e->unit == u) {
            return e->of;
        }
    }
    return nullptr;
}

int enter_unit(ABT_unit u, thread& t) noexcept
{
    auto* const e = static_cast<entry*>(std::malloc(sizeof(entry)));
    if (e == nullptr) {
        return ABT_ERR_MEM;
    }
    bucket& b = bucket_of(u);
    const std::scoped_lock hold(b.lock);
    *e = {u, &t, b.first};
    b.first = e;
    return ABT_SUCCESS;
}

void forget_unit(ABT_unit u) noexcept
{
    bucket& b = bucket_of(u);
    const std::scoped_lock hold(b.lock);
    for (entry** at = &b.first; *at != nullptr; at = &(*at)->next) {
        if ((*at)->unit == u) {
            entry* const found = *at;
            *at = found->next;
            std::free(found);
            return;
        }
    }
}

void forget_units_after_fork() noexcept
{
    for (bucket& b : table) {
        new (&b) bucket;
    }
}

void drop_user_unit(thread& t) noexcept
{
    ABT_unit u = t.user_unit;
    pool& p = *t.in;
    t.user_unit = nullptr;
    forget_unit(u);
    if (p.user->older) {
        p.user->def.u_free(&u);
    } else {
        p.user->free_unit(handle_of(&p), u);
    }
}

int associate(thread& t, pool& with) noexcept
{
    if (t.in == &with && (with.ours() || t.user_unit != nullptr)) {
        return ABT_SUCCESS;
    }
    ABT_unit made = nullptr;
    if (!with.ours()) {
        made = with.user->older ? with.user->def.u_create_from_thread(handle_of(&t))
                                : with.user->create_unit(handle_of(&with), handle_of(&t));
        if (is_null(made)) {
            return ABT_ERR_OTHER;
        }
        if (const int error = enter_unit(made, t); error != ABT_SUCCESS) {
            if (with.user->older) {
                with.user->def.u_free(&made);
            } else {
                with.user->free_unit(handle_of(&with), made);
            }
            return error;
        }
    }
    if (t.user_unit != nullptr) {
        drop_user_unit(t);
    }
    // relaxed: the caller knows whether the unit is blocked.
    if (t.in != nullptr && t.in != &with && !t.main_scheduler &&
        t.state.load(std::memory_order_relaxed) == ABT_THREAD_STATE_BLOCKED) {
        with.add_blocked(1);
        t.in->add_blocked(-1);
    }
    t.user_unit = made;
    t.in = &with;
    return ABT_SUCCESS;
}

}  // namespace artel::argobots
