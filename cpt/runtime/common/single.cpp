// sections, single and single with copyprivate.
#include "interface.hpp"
#include "team.hpp"
#include "wait.hpp"

using namespace cp;

extern "C" {

unsigned __cp_sections_start(unsigned n)
{
    thread& me = *current();
    enter_share(me);
    me.loop = loop_part{};
    me.loop.n = n;
    return __cp_sections_next();
}

unsigned __cp_sections_next(void)
{
    thread& me = *current();
    // relaxed: a counter of sections only; the construct's end publishes what they do.
    if (me.at->cancelled.load(std::memory_order_relaxed)) {
        return 0;
    }
    const __cp_ull mine = me.at->at.fetch_add(1, std::memory_order_relaxed);
    return mine < me.loop.n ? static_cast<unsigned>(mine) + 1 : 0;
}

void __cp_sections_end(void)
{
    __cp_barrier();
}

void __cp_sections_end_nowait(void) {}

int __cp_sections_end_cancel(void)
{
    return __cp_barrier_cancel();
}

int __cp_single_start(void)
{
    return enter_share(*current());
}

void** __cp_single_copy_start(void)
{
    thread& me = *current();
    if (enter_share(me)) {
        return nullptr;
    }
    share& s = *me.at;
    // acquire: pairs with __cp_single_copy_end.
    wait_until(&s.list, [&s] { return s.list.load(std::memory_order_acquire) != nullptr; });
    return s.list.load(std::memory_order_acquire);
}

void __cp_single_copy_end(void** list)
{
    share& s = *current()->at;
    const void* const at = &s.list;
    s.list.store(list, std::memory_order_release);  // release: publishes the values that it points
                                                    // to
    wake(at);
}

}  // extern "C"
