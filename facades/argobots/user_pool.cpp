// User-defined pools: calls of their functions, in the older form (ABT_pool_def) and in the newer.
// No lock of the library is held while they run.
#include "base/os/yield.hpp"
#include "pool.hpp"
#include "runtime.hpp"

namespace artel::argobots {

thread* pool::pop_user(ABT_pool_context why) noexcept
{
    if (user->older) {
        return thread_of(user->def.p_pop(handle_of(this)));
    }
    why &= ~from_secondary_stream;
    return object_of(user->pop(handle_of(this), why));
}

thread* pool::pop_wait_user(double seconds, ABT_pool_context why) noexcept
{
    if (!can_wait()) {
        return pop_user(why);
    }
    return user->older
               ? thread_of(user->def.p_pop_timedwait(handle_of(this), ABT_get_wtime() + seconds))
               : object_of(user->pop_wait(handle_of(this), seconds, why));
}

bool pool::can_wait() const noexcept
{
    return ours() ||
           (user->older ? user->def.p_pop_timedwait != nullptr : user->pop_wait != nullptr);
}

void pool::push_user(thread& t, ABT_pool_context why) noexcept
{
    const ABT_unit u = unit_of(t);
    if (user->older) {
        user->def.p_push(handle_of(this), u);
    } else {
        user->push(handle_of(this), u, why);
    }
}

bool pool::remove_user(thread& t) noexcept
{
    // The user's function may rely on being called only for units that are in the pool.
    return user->older && user->def.p_remove != nullptr &&
           (user->def.u_is_in_pool == nullptr || user->def.u_is_in_pool(unit_of(t)) != ABT_FALSE) &&
           user->def.p_remove(handle_of(this), unit_of(t)) == ABT_SUCCESS;
}

bool pool::can_remove() const noexcept
{
    return ours() || (user->older && user->def.p_remove != nullptr);
}

bool pool::has_size() const noexcept
{
    return ours() || (user->older ? user->def.p_get_size != nullptr : user->get_size != nullptr);
}

bool pool::empty_user() noexcept
{
    return user->older ? user->def.p_get_size(handle_of(this)) == 0
                       : user->is_empty(handle_of(this)) != ABT_FALSE;
}

std::size_t pool::size_user() noexcept
{
    if (user->older) {
        return user->def.p_get_size(handle_of(this));
    }
    if (user->get_size != nullptr) {
        return user->get_size(handle_of(this));
    }
    return user->is_empty(handle_of(this)) != ABT_FALSE ? 0 : 1;
}

namespace {

struct printing {
    void* argument;
    void (*print)(void*, ABT_thread);
};

void print_thread_of_unit(void* argument, ABT_unit u)
{
    const printing& p = *static_cast<printing*>(argument);
    p.print(p.argument, handle_of(thread_of(u)));
}

void print_unit_of_thread(void* argument, ABT_thread t)
{
    const printing& p = *static_cast<printing*>(argument);
    p.print(p.argument, reinterpret_cast<ABT_thread>(unit_of(*object_of(t))));
}

}  // namespace

bool pool::print_all_user(void* argument, void (*print)(void*, ABT_thread), bool units) noexcept
{
    printing p{argument, print};
    if (user->older) {
        if (user->def.p_print_all == nullptr) {
            return false;
        }
        // With `units`, the caller's function takes units in the place of threads.
        return (units ? user->def.p_print_all(handle_of(this), argument,
                                              reinterpret_cast<void (*)(void*, ABT_unit)>(print))
                      : user->def.p_print_all(handle_of(this), &p, print_thread_of_unit)) ==
               ABT_SUCCESS;
    }
    if (user->print_all == nullptr) {
        return false;
    }
    if (units) {
        user->print_all(handle_of(this), &p, print_unit_of_thread);
    } else {
        user->print_all(handle_of(this), argument, print);
    }
    return true;
}

void pool::wait_for_pushers() noexcept
{
    // acquire: pairs with the release in push_unblocked.
    while (pushing_.load(std::memory_order_acquire) != 0) {
        base::os::yield();
    }
}

void free_user_parts(pool& p) noexcept
{
    if (p.user == nullptr) {
        return;
    }
    if (p.user->older) {
        if (p.user->def.p_free != nullptr) {
            p.user->def.p_free(handle_of(&p));
        }
    } else if (p.user->free != nullptr) {
        p.user->free(handle_of(&p));
    }
    drop(p.user);
}

}  // namespace artel::argobots
