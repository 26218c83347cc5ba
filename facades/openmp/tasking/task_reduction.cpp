// The arrays that the compiler writes are linked from the inner group to the outer, so that a task
// finds its variable by a walk outwards (find).
#include "task_reduction.hpp"

#include "base/log.hpp"
#include "tasks.hpp"
#include "team/task.hpp"
#include "team/team.hpp"
#include "worksharing/construct.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace artel::openmp {
namespace {

enum word : std::size_t {
    variables,
    block_bytes,
    memory,
    allocator,
    next_array,
    first_of_construct,
    memory_end,
    first_variable
};
constexpr std::size_t words_per_variable = 3;

std::uintptr_t* next_of(const std::uintptr_t* array) noexcept
{
    return reinterpret_cast<std::uintptr_t*>(array[next_array]);
}

// Links the construct's arrays to the enclosing ones, and calls f(array), which sets its memory.
template <class F>
void enter(std::uintptr_t* array, std::uintptr_t* outer, F&& f)
{
    for (std::uintptr_t* a = array;; a = next_of(a)) {
        f(a);
        a[first_of_construct] = a == array ? 1 : 0;
        if (a[next_array] == 0) {
            a[next_array] = reinterpret_cast<std::uintptr_t>(outer);
            return;
        }
    }
}

// Finds the array that describes the variable or copy at `address`, and its offset in the block;
// nullptr when none does.
const std::uintptr_t* find(const std::uintptr_t* arrays, std::uintptr_t address,
                           std::uintptr_t& offset) noexcept
{
    for (const std::uintptr_t* a = arrays; a != nullptr; a = next_of(a)) {
        for (std::size_t i = 0; i < a[variables]; ++i) {
            const std::uintptr_t* const v = a + first_variable + i * words_per_variable;
            if (v[0] == address) {
                offset = v[1];
                return a;
            }
        }
    }
    for (const std::uintptr_t* a = arrays; a != nullptr; a = next_of(a)) {
        if (address >= a[memory] && address < a[memory_end]) {
            offset = (address - a[memory]) % a[block_bytes];
            return a;
        }
    }
    return nullptr;
}

}  // namespace

void allocate_reductions(std::uintptr_t* array, std::uintptr_t* outer, unsigned members)
{
    enter(array, outer, [&](std::uintptr_t* a) {
        const std::size_t bytes = a[block_bytes] * members;
        const std::size_t alignment = std::max<std::size_t>(a[memory], 16);
        void* const block = std::aligned_alloc(
            alignment, (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
        if (block == nullptr) {
            base::fatal("libgomp: Out of memory allocating {} bytes for reductions", bytes);
        }
        std::memset(block, 0, bytes);
        a[memory] = reinterpret_cast<std::uintptr_t>(block);
        a[memory_end] = a[memory] + bytes;
    });
}

void register_reductions(member& m, std::uintptr_t* array, const std::uintptr_t* of_first)
{
    taskgroup& group = *m.current->group;
    if (of_first == nullptr) {
        allocate_reductions(array, group.reductions, m.in->size);
    } else {
        enter(array, group.reductions, [&](std::uintptr_t* a) {
            a[memory] = of_first[memory];
            a[memory_end] = of_first[memory_end];
            of_first = next_of(of_first);
        });
    }
    group.reductions = array;
}

void start_workshare_reductions(member& m, std::uintptr_t* array)
{
    taskgroup_begin(m, true);
    if (m.in->size == 1) {
        register_reductions(m, array);
        return;
    }
    // The members meet in a separate construct, so that the construct with the reductions needs no
    // code for them.
    const bool first = meet(m, [&](workshare_slot& slot) {
        register_reductions(m, array);
        slot.reductions = array;
    });
    if (!first) {
        register_reductions(m, array, m.position.current->reductions);
    }
    leave(m);
}

namespace {

// Calls f with the memory of each of the construct's arrays.
template <class F>
void each_memory(const std::uintptr_t* array, F&& f)
{
    const std::uintptr_t* a = array;
    do {
        f(reinterpret_cast<void*>(a[memory]));
        a = next_of(a);
    } while (a != nullptr && a[first_of_construct] == 0);
}

}  // namespace

void free_reductions(std::uintptr_t* array) noexcept
{
    each_memory(array, [](void* block) { std::free(block); });
}

void leave_reductions(member& m, std::uintptr_t* array)
{
    try {
        each_memory(array, [&](void* block) { m.in->worksharing.left_behind.push_back(block); });
    } catch (const std::bad_alloc&) {
        base::fatal("libgomp: Out of memory ending a cancelled reduction");
    }
}

void remap_reductions(member& m, std::size_t count, std::size_t originals, void** addresses)
{
    const taskgroup* const group = m.current->group;
    for (std::size_t i = 0; i < count; ++i) {
        std::uintptr_t offset = 0;
        const auto address = reinterpret_cast<std::uintptr_t>(addresses[i]);
        const std::uintptr_t* const a = group != nullptr ? find(group->reductions, address, offset)
                                                         : nullptr;
        if (a == nullptr) {
            base::fatal(
                "libgomp: couldn't find matching task_reduction or reduction with task modifier "
                "for {}",
                addresses[i]);
        }
        addresses[i] = reinterpret_cast<void*>(a[memory] + m.number * a[block_bytes] + offset);
        if (i >= originals) {
            continue;
        }
        for (std::size_t v = 0; v < a[variables]; ++v) {
            const std::uintptr_t* const described = a + first_variable + v * words_per_variable;
            if (described[1] == offset) {
                addresses[count + i] = reinterpret_cast<void*>(described[0]);
                break;
            }
        }
    }
}

}  // namespace artel::openmp
