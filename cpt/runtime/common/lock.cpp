// critical, the fallback of atomic, and the locks of omp.h: a word that is 0 when free, 1 when
// taken, and 2 when there may be waiters. Waiters are suspended.
#include "interface.hpp"
#include "team.hpp"
#include "wait.hpp"

namespace cp {

namespace {

using word = std::atomic<int>;

bool try_lock(word& w)
{
    int free = 0;
    // acquire: pairs with unlock.
    return w.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
}

void lock(word& w)
{
    if (try_lock(w)) {
        return;
    }
    // relaxed: a hint that may save the exchange. acquire: pairs with unlock.
    wait_until(&w, [&w] {
        return w.load(std::memory_order_relaxed) != 2 &&
               w.exchange(2, std::memory_order_acquire) == 0;
    });
}

void unlock(word& w)
{
    const void* const at = &w;
    // release: publishes what was done under the lock.
    if (w.exchange(0, std::memory_order_release) == 2) {
        wake(at, 1);
    }
}

struct nest_lock {
    word held;
    int count;
    task* owner;
};
static_assert(sizeof(word) <= sizeof(omp_lock_t) && sizeof(nest_lock) <= sizeof(omp_nest_lock_t));

word& word_of(void* memory)
{
    return *static_cast<word*>(memory);
}
nest_lock& nest(void* memory)
{
    return *static_cast<nest_lock*>(memory);
}

word unnamed, atomics, reductions;

int test(thread& me, bool taken)
{
    if (!taken && ++me.looks % 16 == 0) {
        step_aside(me);  // a member that tries again and again waits for another one
    }
    return taken;
}

}  // namespace

}  // namespace cp

using namespace cp;

extern "C" {

void __cp_critical_start(void** name)
{
    lock(name == nullptr ? unnamed : word_of(name));
}
void __cp_critical_end(void** name)
{
    unlock(name == nullptr ? unnamed : word_of(name));
}
void __cp_atomic_start(void)
{
    lock(atomics);
}
void __cp_atomic_end(void)
{
    unlock(atomics);
}
void __cp_reduce_begin(void)
{
    lock(reductions);
}
void __cp_reduce_end(void)
{
    unlock(reductions);
}

void omp_init_lock(omp_lock_t* l)
{
    word_of(l).store(0, std::memory_order_relaxed);  // relaxed: nobody uses it yet
}
void omp_init_lock_with_hint(omp_lock_t* l, omp_sync_hint_t)
{
    omp_init_lock(l);
}
void omp_destroy_lock(omp_lock_t*) {}
void omp_set_lock(omp_lock_t* l)
{
    lock(word_of(l));
}
void omp_unset_lock(omp_lock_t* l)
{
    unlock(word_of(l));
}
int omp_test_lock(omp_lock_t* l)
{
    return test(*current(), try_lock(word_of(l)));
}

void omp_init_nest_lock(omp_nest_lock_t* l)
{
    nest(l).held.store(0, std::memory_order_relaxed);  // relaxed: nobody uses it yet
    nest(l).count = 0;
    nest(l).owner = nullptr;
}
void omp_init_nest_lock_with_hint(omp_nest_lock_t* l, omp_sync_hint_t)
{
    omp_init_nest_lock(l);
}
void omp_destroy_nest_lock(omp_nest_lock_t*) {}
void omp_set_nest_lock(omp_nest_lock_t* l)
{
    nest_lock& n = nest(l);
    task* const me = current()->now;
    if (__atomic_load_n(&n.owner, __ATOMIC_RELAXED) != me) {  // relaxed: only its owner reads
                                                              // itself
        lock(n.held);
        __atomic_store_n(&n.owner, me, __ATOMIC_RELAXED);  // relaxed: as above
    }
    ++n.count;
}
void omp_unset_nest_lock(omp_nest_lock_t* l)
{
    nest_lock& n = nest(l);
    if (--n.count == 0) {
        __atomic_store_n(&n.owner, static_cast<task*>(nullptr), __ATOMIC_RELAXED);  // relaxed: as
                                                                                    // above
        unlock(n.held);
    }
}
int omp_test_nest_lock(omp_nest_lock_t* l)
{
    nest_lock& n = nest(l);
    thread& me = *current();
    if (__atomic_load_n(&n.owner, __ATOMIC_RELAXED) != me.now) {  // relaxed: as above
        if (!test(me, try_lock(n.held))) {
            return 0;
        }
        __atomic_store_n(&n.owner, me.now, __ATOMIC_RELAXED);  // relaxed: as above
    }
    return ++n.count;
}

}  // extern "C"
