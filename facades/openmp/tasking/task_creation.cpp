// Creation of explicit tasks: records, arguments, and waits for predecessors of undeferred ones.
#include "ompt/events/explicit_task.hpp"
#include "tasks.hpp"
#include "team/task.hpp"
#include "team/task_cancellation.hpp"
#include "team/team.hpp"
#include "undeferred.hpp"

#include <algorithm>
#include <cstring>

namespace artel::openmp {

namespace {

void describe(task& made, const task_options& options) noexcept
{
    made.untied = options.untied;
    if (options.untied) [[unlikely]] {
        made.interrupted = nullptr;
    }
    made.undeferred = !options.deferred || made.final;
    made.final = options.final || made.final;
    made.must_run = options.must_run;
    if (options.priority > 0) [[unlikely]] {
        made.priority = std::min(options.priority, globals().max_task_priority);
    }
}

// Told: a tool is attached, so the task has a record for it.
template <bool Told>
task& prepare(member& m, std::size_t bytes, std::size_t alignment, const task_options& options)
{
    task* const made = m.task_memory.allocate(Told ? ompt::with_record(bytes) : bytes, alignment,
                                              lasting_task(m), *m.in);
    if (made == nullptr) [[unlikely]] {
        no_task_memory();
    }
    describe(*made, options);
    if constexpr (Told) {
        ompt::open_explicit(*made, bytes, options.mergeable);
    }
    return *made;
}

// tell(task) is called when the task has its arguments, before it is queued or run.
template <bool Told, class Tell>
void create(member& m, task_function function, void* data, void (*copy)(void*, void*),
            std::size_t bytes, std::size_t alignment, const task_options& options, Tell tell)
{
    if (is_cancelled(*m.in, m.current->group)) [[unlikely]] {
        return;
    }
    if ((!options.deferred || m.current->final) && !options.dependences.empty()) {
        // Before the arguments are copied, because predecessors may still change their sources.
        task_wait_depend(m, options.dependences);
    }
    task& made = prepare<Told>(m, bytes, alignment, options);
    made.function = function;
    if (options.detach != nullptr) [[unlikely]] {
        // relaxed: not shared yet.
        made.to_end.store(made.undeferred ? 3 : 2, std::memory_order_relaxed);
        *static_cast<void**>(options.detach) = &made;
        if (data != nullptr) {
            // Compilers put the body's copy of the handle first.
            *static_cast<void**>(data) = &made;
        }
    }
    if (copy != nullptr) {
        copy(made.data, data);
    } else if (bytes != 0) {
        std::memcpy(made.data, data, bytes);
    }
    tell(made);
    submit_task(m, made, made.undeferred ? std::span<const dependence>() : options.dependences);
}

}  // namespace

void create_task(member& m, task_function function, void* data, void (*copy)(void*, void*),
                 std::size_t bytes, std::size_t alignment, const task_options& options)
{
    create<false>(m, function, data, copy, bytes, alignment, options, [](task&) {});
}

__attribute__((noinline, cold)) void create_told_task(member& m, task_function function, void* data,
                                                      void (*copy)(void*, void*), std::size_t bytes,
                                                      std::size_t alignment,
                                                      const task_options& options,
                                                      std::span<const ompt::dependence> told,
                                                      ompt::caller who, ompt::chunk part)
{
    create<true>(m, function, data, copy, bytes, alignment, options, [&](task& made) {
        made.tool->part = part;
        ompt::tell_created(m, made, told, who);
    });
}

task& prepare_task(member& m, std::size_t bytes, std::size_t alignment, const task_options& options)
{
    return prepare<false>(m, bytes, alignment, options);
}

__attribute__((noinline, cold)) task& prepare_told_task(member& m, std::size_t bytes,
                                                        std::size_t alignment,
                                                        const task_options& options)
{
    return prepare<true>(m, bytes, alignment, options);
}

void discard_task(member& m, task& made) noexcept
{
    m.task_memory.free(&made);
}

void leave_stack(member& m) noexcept
{
    // All enclosing tasks on the stack move too, because other threads follow the new record's
    // reference to its parent.
    task** refers = &m.current;
    while ((*refers)->on_stack) {
        task* const lasting = m.task_memory.move(**refers, *m.in);
        if (lasting == nullptr) {
            no_task_memory();
        }
        *refers = lasting;
        refers = &lasting->parent;
    }
}

void run_copied_undeferred(member& m, task_function function, void* data,
                           void (*copy)(void*, void*), std::size_t bytes, std::size_t alignment,
                           bool final)
{
    if (is_cancelled(*m.in, m.current->group)) [[unlikely]] {
        return;
    }
    const auto queue = reinterpret_cast<std::uintptr_t>(__builtin_alloca(bytes + alignment - 1));
    auto* const copied = reinterpret_cast<void*>((queue + alignment - 1) & ~(alignment - 1));
    copy(copied, data);
    // The body must run, since it destroys the copied arguments.
    run_on_stack(m, function, copied, final);
}

}  // namespace artel::openmp
