// Where the standard leaves the choice, shares differ by at most one iteration, and the larger ones
// come first.
#include "task_loop.hpp"

#include "ompt/entries/sync.hpp"
#include "ompt/entries/work.hpp"
#include "ompt/events/explicit_task.hpp"
#include "tasking/task_reduction.hpp"
#include "team/team.hpp"

#include <algorithm>
#include <cstring>

namespace artel::openmp {
namespace {

struct loop_share {
    std::uint64_t first;
    std::uint64_t end;
};

// The copy function for create_task, with the compiler's own inside.
struct share_copy {
    void (*copy)(void*, void*);
    void* data;
    std::size_t bytes;
    loop_share share;
};

void copy_share(void* to, void* from)
{
    const auto& c = *static_cast<const share_copy*>(from);
    if (c.copy != nullptr) {
        c.copy(to, c.data);
    } else {
        std::memcpy(to, c.data, c.bytes);
    }
    std::memcpy(to, &c.share, sizeof c.share);
}

}  // namespace

task_shares cut_task_loop(const member& m, std::uint64_t count,
                          const task_loop_options& options) noexcept
{
    if (options.grainsize && options.strict) {
        const std::uint64_t size = std::max<std::uint64_t>(options.amount, 1);
        return {count / size + (count % size != 0 ? 1 : 0), size, 0};
    }
    std::uint64_t tasks = options.amount;
    if (options.grainsize) {
        tasks = std::max<std::uint64_t>(count / std::max<std::uint64_t>(options.amount, 1), 1);
    } else if (tasks == 0) {
        tasks = m.in->size;
    }
    tasks = std::min(tasks, count);
    return {tasks, count / tasks, count % tasks};
}

void task_loop(member& m, task_function function, void* data, void (*copy)(void*, void*),
               std::size_t bytes, std::size_t alignment, std::uint64_t first, std::uint64_t end,
               std::uint64_t step, std::uint64_t count, const task_loop_options& options)
{
    auto** const reductions = reinterpret_cast<std::uintptr_t**>(data) + 2;
    if (count == 0) {
        if (options.reductions && options.group) {
            // tells the compiler's code after the construct that there is nothing to combine.
            (*reductions)[2] = 0;
        }
        return;
    }
    const auto [tasks, size, larger] = cut_task_loop(m, count, options);
    const ompt::caller* const who = options.told_to;
    if (options.group) {
        if (who != nullptr) [[unlikely]] {
            ompt::tell_taskgroup_begin(*who);
        } else {
            taskgroup_begin(m);
        }
        if (options.reductions) {
            register_reductions(m, *reductions);
        }
    }
    if (who != nullptr) [[unlikely]] {
        ompt::tell_work_begin(*who, ompt::work_kind::taskloop, count);
    }
    share_copy arguments{copy, data, bytes, {}};
    std::uint64_t done = 0;
    for (std::uint64_t i = 0; i < tasks; ++i) {
        const std::uint64_t n = std::min(size + (i < larger ? 1 : 0), count - done);
        arguments.share.first = first + done * step;
        done += n;
        // after the last iteration the sum could wrap around.
        arguments.share.end = done == count ? end : first + done * step;
        if (who != nullptr) [[unlikely]] {
            create_told_task(m, function, &arguments, copy_share, bytes, alignment, options.each,
                             {}, *who, {arguments.share.first, n});
        } else {
            create_task(m, function, &arguments, copy_share, bytes, alignment, options.each);
        }
    }
    if (who != nullptr) [[unlikely]] {
        ompt::tell_work_end(*who, count);
    }
    if (options.group && who != nullptr) {
        ompt::end_told_taskgroup(m, *who, taskgroup_end);
    } else if (options.group) {
        taskgroup_end(m);
    }
}

}  // namespace artel::openmp
