// The fiber of a ULT with a stack of its own lies on the heap: the user may look at all of the
// stack. With ABT_STACK_OVERFLOW_CHECK=mprotect or mprotect_strict the lowest whole page of the
// stack, as the user sees it, is read-only while the ULT is there.
#include "stack.hpp"

#include "base/log.hpp"
#include "base/spinlock.hpp"
#include "fiber/sanitizer.hpp"
#include "fiber/stack_size.hpp"
#include "runtime.hpp"

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace artel::argobots {
namespace {

constexpr std::size_t room_for_fiber = 4096;  // on a pooled stack, besides the ULT's part

// Set by ABT_init, before there are ULTs.
std::size_t pooled = 0;    // bytes of a pooled stack
bool default_own = false;  // pooled stacks are too small for the default
bool all_own = false;      // a guard is wanted

const auto page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

std::size_t up(std::size_t bytes) noexcept
{
    return (bytes + page_size - 1) / page_size * page_size;
}

// Room for a stack, with a guard below it.
char* map_room(std::size_t size) noexcept
{
    constexpr std::size_t most = std::size_t{1} << 56;  // far below an overflow in up()
    if (size > most) {
        return nullptr;
    }
    void* const low = ::mmap(nullptr, up(size) + page_size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (low == MAP_FAILED) {
        return nullptr;
    }
    ::mprotect(low, page_size, PROT_NONE);
    return static_cast<char*>(low) + page_size;
}

constexpr std::size_t top_of_root = (sizeof(fiber::fiber) + 63) / 64 * 64;

// Stacks of roots that have ended, kept because programs create and join streams again and again.
// The record lies in the top bytes of the stack, which are touched already.
struct kept_stack {
    kept_stack* next;
    char* low;
    std::size_t size;
};
base::spinlock keeping;
kept_stack* kept = nullptr;

char* take_kept(std::size_t size) noexcept
{
    const std::scoped_lock hold(keeping);
    if (kept == nullptr || kept->size != size) {
        return nullptr;
    }
    return std::exchange(kept, kept->next)->low;
}

bool guard(thread_extra& e) noexcept
{
    const runtime* const r = current();
    const int check = r != nullptr ? r->in_force.overflow_check : 0;
    if (check < 2) {
        return true;
    }
    void* const at = reinterpret_cast<void*>(up(reinterpret_cast<std::uintptr_t>(e.own_stack)));
    if (::mprotect(at, page_size, PROT_READ) == 0) {
        e.guarded = at;
    } else if (check == 3) {
        base::warn("the guard of a stack cannot be set");
        return false;
    }
    return true;
}

}  // namespace

void choose_stacks(const settings& s) noexcept
{
    const bool fits = s.thread_stack_size <= SIZE_MAX - room_for_fiber &&
                      fiber::ask_for_stacks(s.thread_stack_size + room_for_fiber);
    pooled = fiber::stack_size();
    default_own = !fits;
    all_own = s.overflow_check >= 2;
}

bool needs_own_stack(std::size_t bytes) noexcept
{
    return all_own ||
           (bytes == 0 ? default_own : pooled < room_for_fiber || bytes > pooled - room_for_fiber);
}

bool make_own_stack(thread& t) noexcept
{
    thread_extra* const e = extra_of(t);
    if (e == nullptr) {
        return false;
    }
    if (e->attributes.stack != nullptr) {
        e->own_stack = e->attributes.stack;
        e->own_size = e->attributes.stack_size;
        return true;
    }
    const std::size_t size = e->attributes.stack_size != 0 ? e->attributes.stack_size
                                                           : current()->in_force.thread_stack_size;
    char* const low = map_room(size);
    if (low == nullptr) {
        return false;
    }
    e->mapped = up(size) + page_size;
    e->own_stack = low;
    e->own_size = size & ~std::size_t{15};
    return true;
}

void free_own_stack(thread_extra& e) noexcept
{
    if (e.mapped != 0) {
        ::munmap(static_cast<char*>(e.own_stack) - page_size, e.mapped);
    }
}

fiber::fiber* make_own_context(thread& t, void (*entry)(fiber::fiber&)) noexcept
{
    auto* const f = make<fiber::fiber>();
    if (f == nullptr) {
        return nullptr;
    }
    // relaxed: made with the unit.
    thread_extra& e = *t.extra.load(std::memory_order_relaxed);
    f->stack = {e.own_stack, e.own_size};
    f->id = fiber::new_fiber_id();
    if (!guard(e)) {
        drop(f);
        return nullptr;
    }
    fiber::sanitizer_created(*f);
    fiber::prepare(*f, entry);
    return f;
}

fiber::fiber* make_root_context(void (*entry)(fiber::fiber&)) noexcept
{
    const std::size_t size = up(current()->in_force.scheduler_stack_size);
    if (size <= pooled) {
        return fiber::create_plain(entry);
    }
    char* low = take_kept(size);
    if (low == nullptr) {
        low = map_room(size);
    }
    if (low == nullptr) {
        return nullptr;
    }
    auto* const f = new (low + size - top_of_root) fiber::fiber;
    f->stack = {low, size - top_of_root};
    f->id = fiber::new_fiber_id();
    fiber::sanitizer_created(*f);
    fiber::prepare(*f, entry);
    return f;
}

void free_root_context(fiber::fiber& f) noexcept
{
    const std::size_t size = f.stack.size + top_of_root;
    if (size <= pooled) {
        fiber::destroy_plain(f);
        return;
    }
    fiber::sanitizer_destroyed(f);
    char* const low = static_cast<char*>(f.stack.low);
    const std::scoped_lock hold(keeping);
    kept = new (low + size - sizeof(kept_stack)) kept_stack{kept, low, size};
}

void forget_kept_stacks_after_fork() noexcept
{
    new (&keeping) base::spinlock;
    kept = nullptr;
}

void free_own_context(thread& t) noexcept
{
    // relaxed: the unit is the caller's alone.
    thread_extra& e = *t.extra.load(std::memory_order_relaxed);
    fiber::sanitizer_destroyed(*t.on);
    drop(t.on);
    t.on = nullptr;
    if (e.guarded != nullptr) {
        ::mprotect(e.guarded, page_size, PROT_READ | PROT_WRITE);
        e.guarded = nullptr;
    }
}

}  // namespace artel::argobots
