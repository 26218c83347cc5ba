// taskloop: copies of a pattern task, each with its own bounds, which are among the private
// variables.
#include "abi/task_loop.hpp"
#include "ompt/entries/sync.hpp"
#include "ompt/entries/work.hpp"
#include "ompt/events/explicit_task.hpp"
#include "task.hpp"
#include "task_groups.hpp"

namespace artel::openmp::kmp {
namespace {

// Completes a copy that was made bytewise, and marks the last task.
using duplicator = void (*)(task* made, task* pattern, std::int32_t last);

enum amount_kind : std::int32_t { not_given = 0, grainsize = 1, num_tasks = 2 };

std::uint64_t count_of(std::uint64_t lower, std::uint64_t upper, std::int64_t step) noexcept
{
    if (step == 1) {
        return upper - lower + 1;
    }
    return step > 0 ? (upper - lower) / static_cast<std::uint64_t>(step) + 1
                    : (lower - upper) / (0 - static_cast<std::uint64_t>(step)) + 1;
}

// The same variable in another task's block.
std::uint64_t& in_copy(const task& pattern, task& copy, const std::uint64_t* variable) noexcept
{
    const auto offset = reinterpret_cast<const char*>(variable) -
                        reinterpret_cast<const char*>(&pattern);
    return *reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(&copy) + offset);
}

void loop(task& pattern, bool deferred, const std::uint64_t* lower, const std::uint64_t* upper,
          std::int64_t step, bool group, std::int32_t kind, std::uint64_t amount, bool strict,
          duplicator duplicate, const ompt::caller* who = nullptr)
{
    member& m = this_member();
    task_loop_options options;
    options.grainsize = kind == grainsize;
    options.strict = strict;
    options.amount = kind == not_given ? 0 : amount;
    const std::uint64_t count = count_of(*lower, *upper, step);
    if (group && who != nullptr) {
        ompt::tell_taskgroup_begin(*who);
    } else if (group) {
        taskgroup_begin(m);
    }
    if (who != nullptr) [[unlikely]] {
        ompt::tell_work_begin(*who, ompt::work_kind::taskloop, count);
    }
    if (count != 0) {
        const task_shares shares = cut_task_loop(m, count, options);
        std::uint64_t done = 0;
        for (std::uint64_t i = 0; i < shares.tasks; ++i) {
            const std::uint64_t n = std::min(shares.size + (i < shares.larger ? 1 : 0),
                                             count - done);
            task& made = copy_task(m, pattern);
            openmp::task& of = ours(made);
            of.undeferred = of.undeferred || !deferred;
            in_copy(pattern, made, lower) = *lower + done * static_cast<std::uint64_t>(step);
            done += n;
            in_copy(pattern, made, upper) = *lower + (done - 1) * static_cast<std::uint64_t>(step);
            if (duplicate != nullptr) {
                duplicate(&made, &pattern, done == count);
            }
            frame_of(made).submitted = true;
            take_priority(made);
            if (who != nullptr) [[unlikely]] {
                of.tool->part = {in_copy(pattern, made, lower), n};
                ompt::tell_created(m, of, {}, *who);
            }
            submit_task(m, of, {});
        }
    }
    drop_task(m, pattern);
    if (who != nullptr) [[unlikely]] {
        ompt::tell_work_end(*who, count);
    }
    if (group && who != nullptr) {
        ompt::end_told_taskgroup(m, *who, taskgroup_end);
    } else if (group) {
        taskgroup_end(m);
    }
}

// The same with a tool attached.
template <class... Arguments>
void tell_loop(ompt::caller who, task& pattern, Arguments... arguments)
{
    const ompt::in_runtime here(*this_member().current, who);
    loop(pattern, arguments..., &who);
}

}  // namespace

ARTEL_KMP void __kmpc_taskloop(const ident*, std::int32_t, task* pattern, std::int32_t deferred,
                               std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                               std::int32_t nogroup, std::int32_t kind, std::uint64_t amount,
                               duplicator duplicate)
{
    ARTEL_OMPT_EITHER(tell_loop(who, *pattern, deferred != 0, lower, upper, step, nogroup == 0,
                                kind, amount, false, duplicate),
                      loop(*pattern, deferred != 0, lower, upper, step, nogroup == 0, kind, amount,
                           false, duplicate));
}

ARTEL_KMP void __kmpc_taskloop_5(const ident*, std::int32_t, task* pattern, std::int32_t deferred,
                                 std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                                 std::int32_t nogroup, std::int32_t kind, std::uint64_t amount,
                                 std::int32_t strict, duplicator duplicate)
{
    ARTEL_OMPT_EITHER(tell_loop(who, *pattern, deferred != 0, lower, upper, step, nogroup == 0,
                                kind, amount, strict != 0, duplicate),
                      loop(*pattern, deferred != 0, lower, upper, step, nogroup == 0, kind, amount,
                           strict != 0, duplicate));
}

}  // namespace artel::openmp::kmp
