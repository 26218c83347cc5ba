// Numbers of tasks, for compilers and tools: unique among existing tasks, and constant for each
// task. They are assigned on demand, by the task's address; a task at the address of an ended one
// gets that one's number.
#include "fiber/call_out.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "kmp.hpp"

#include <new>
#include <unordered_map>

namespace artel::openmp::kmp {

namespace {

foreign::fork_safe_lock numbers_lock;
std::unordered_map<const task*, std::int32_t>* all_numbers = nullptr;  // guarded by the lock

// -1 without memory for another.
std::int32_t number_of(const task& t) noexcept
{
    const fiber::call_out_lock hold(numbers_lock);
    try {
        auto& numbers = foreign::made(all_numbers);
        return numbers.try_emplace(&t, static_cast<std::int32_t>(numbers.size()) + 1).first->second;
    } catch (const std::bad_alloc&) {
        return -1;
    }
}

// The parent task; of an implicit task the one that met the region, which does not end before it.
// nullptr: none, for an initial task.
const task* parent_of(member& m) noexcept
{
    const task& t = lasting_task(m);
    if (!t.is_implicit) {
        return t.parent;
    }
    const team& in = *m.in;
    return in.parent != nullptr ? in.parent->members[in.parent_number].current : nullptr;
}

}  // namespace

ARTEL_KMP std::int32_t __kmpc_get_taskid()
{
    return number_of(lasting_task(this_member()));
}

// 0 when the caller's task has no parent.
ARTEL_KMP std::int32_t __kmpc_get_parent_taskid()
{
    const task* const parent = parent_of(this_member());
    return parent != nullptr ? number_of(*parent) : 0;
}

}  // namespace artel::openmp::kmp
