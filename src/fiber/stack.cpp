// Slabs of guarded stacks. A guard made by MADV_GUARD_INSTALL (Linux 6.13) does not split the
// mapping, so that a million stacks do not run into vm.max_map_count; older kernels get mprotect.
#include "fiber/stack.hpp"

#include "fiber/stack_size.hpp"

#include "base/options.hpp"
#include "base/spinlock.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace artel::fiber {
namespace {

constexpr int advice_guard_install = 102;  // MADV_GUARD_INSTALL, missing from Debian 12's headers
constexpr std::size_t slab_stacks = 32;
// Of a limited address space: stacks leave so much to others. Otherwise they take all of it, and
// the next small block, which a program needs to go on with fewer stacks, is not to be had.
constexpr std::size_t left_to_others = std::size_t{4} << 20;

struct free_node {  // lives in the top bytes of a free stack, which are the ones already touched
    free_node* next;
    void* low;
};

struct pool {
    base::spinlock lock;
    free_node* free = nullptr;
    char* uncut = nullptr;  // start of the next stack, with its guard, in the newest slab
    std::size_t uncut_stacks = 0;
    std::size_t usable = 0;  // bytes of each stack, fixed at first use
    std::size_t wanted = 0;  // the minimum asked for by ask_for_stacks
};

pool the_pool;

// relaxed everywhere: a monotonic hint; both methods are correct at any time.
std::atomic<bool> use_guard_install{true};

std::size_t page_size() noexcept
{
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

bool guard(void* at, std::size_t bytes) noexcept
{
    // relaxed: see the declaration.
    if (use_guard_install.load(std::memory_order_relaxed)) {
        if (::madvise(at, bytes, advice_guard_install) == 0) {
            return true;
        }
        use_guard_install.store(false, std::memory_order_relaxed);  // relaxed: see the declaration
    }
    return ::mprotect(at, bytes, PROT_NONE) == 0;
}

// Called with the lock held.
std::size_t usable_in(const pool& p) noexcept
{
    if (p.usable != 0) {
        return p.usable;
    }
    const std::size_t page = page_size();
    return (std::max(base::options().stack_size, p.wanted) + page - 1) / page * page;
}

free_node* node_of(void* low, std::size_t usable) noexcept
{
    return reinterpret_cast<free_node*>(static_cast<char*>(low) + usable - sizeof(free_node));
}

bool address_space_is_limited() noexcept
{
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// Maps room for `count` stacks. Called with the lock held.
bool add_slab(pool& p, std::size_t count) noexcept
{
    const std::size_t bytes = (p.usable + stack_guard_size()) * count;
    const std::size_t left = address_space_is_limited() ? left_to_others : 0;
    void* const slab = ::mmap(nullptr, bytes + left, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (slab == MAP_FAILED) {
        return false;
    }
    if (left != 0) {
        ::munmap(static_cast<char*>(slab) + bytes, left);
    }
    // A huge page would commit 2 MiB for a few touched kilobytes of many stacks.
    ::madvise(slab, bytes, MADV_NOHUGEPAGE);
    p.uncut = static_cast<char*>(slab);
    p.uncut_stacks = count;
    return true;
}

// The next stack of the newest slab. Guards are made one by one: most programs need few stacks, and
// each guard costs a system call and a page table. nullptr when there is no room or no guard: an
// unguarded stack is never handed out. Called with the lock held.
void* cut_stack(pool& p) noexcept
{
    if (p.uncut_stacks == 0 && !add_slab(p, slab_stacks) && !add_slab(p, 1)) {
        return nullptr;
    }
    char* const bottom = p.uncut;
    if (!guard(bottom, stack_guard_size())) {
        return nullptr;
    }
    p.uncut += p.usable + stack_guard_size();
    --p.uncut_stacks;
    return bottom + stack_guard_size();
}

}  // namespace

std::size_t stack_guard_size() noexcept
{
    // larger than most frames, so that one big local array does not jump over it.
    return page_size() * 16;
}

bool ask_for_stacks(std::size_t bytes) noexcept
{
    constexpr std::size_t most = std::size_t{1} << 30;  // as ARTEL_STACK_SIZE
    const std::scoped_lock hold(the_pool.lock);
    if (the_pool.usable == 0 && bytes <= most) {
        the_pool.wanted = std::max(the_pool.wanted, bytes);
        return true;
    }
    return bytes <= usable_in(the_pool);
}

std::size_t stack_size() noexcept
{
    const std::scoped_lock hold(the_pool.lock);
    return usable_in(the_pool);
}

stack allocate_stack() noexcept
{
    const std::scoped_lock hold(the_pool.lock);
    the_pool.usable = usable_in(the_pool);
    free_node* const node = the_pool.free;
    if (node == nullptr) {
        void* const low = cut_stack(the_pool);
        return {low, low == nullptr ? 0 : the_pool.usable};
    }
    the_pool.free = node->next;
    return {node->low, the_pool.usable};
}

void free_stack(stack s) noexcept
{
    const std::scoped_lock hold(the_pool.lock);
    the_pool.free = new (node_of(s.low, s.size)) free_node{the_pool.free, s.low};
}

void reset_stacks_after_fork() noexcept
{
    // The list may be torn; its stacks are abandoned (copy-on-write, never touched again).
    const std::size_t usable = the_pool.usable;
    const std::size_t wanted = the_pool.wanted;
    new (&the_pool) pool;
    the_pool.usable = usable;
    the_pool.wanted = wanted;
}

}  // namespace artel::fiber
