// Tasks before they are submitted: memory, and the functions that run their bodies.
#include "helpers.hpp"
#include "ompt/events/explicit_task.hpp"
#include "task.hpp"
#include "tasking/tasks.hpp"
#include "tasking/undeferred.hpp"
#include "team/task_cancellation.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace artel::openmp::kmp {
namespace {

constexpr std::size_t round_up(std::size_t bytes) noexcept
{
    return (bytes + 15) & ~std::size_t{15};
}

// Runs the next part of an untied task. The private variables stay while there is more to do.
[[gnu::always_inline]] inline void run_one_part(task& t)
{
    frame& f = frame_of(t);
    bool is_empty = t.part == 0;  // clang's first part only submits the task again
    do {
        f.again = false;
        t.body(global_number(), &t);
    } while (f.again && std::exchange(is_empty, false));
    if (f.again) {
        ours(t).has_more = true;
    } else {
        destroy_privates(t);
    }
}

// The function of our task; `data` is the frame.
[[gnu::always_inline]] inline void run(void* data)
{
    auto& t = *reinterpret_cast<task*>(static_cast<frame*>(data) + 1);
    t.body(global_number(), &t);
}

// The same for tasks with several parts, or with variables to be destroyed even when cancelled.
[[gnu::always_inline]] inline void run_carefully(void* data)
{
    auto& t = *reinterpret_cast<task*>(static_cast<frame*>(data) + 1);
    frame& f = frame_of(t);
    const bool alone = std::exchange(ours(t).one_part, false);
    const bool begun = std::exchange(f.begun, true);
    if (!begun && is_cancelled(ours(t))) {
        destroy_privates(t);
        ours(t).skipped = true;
    } else if (alone) {
        run_one_part(t);
    } else {
        run_parts(t);
        destroy_privates(t);
    }
}

// taskwait with depend and nowait: a task that does nothing but depend.
void run_nothing(void*) {}

// Tells the tool from which frame the body is called.
[[gnu::noinline]] void note_frame(openmp::task& of, void* frame) noexcept
{
    of.tool->where.exit.pointer = frame;
}

// The function of our task with a tool attached. The body's frame points to this one.
void run_noted(void* data)
{
    auto& t = *reinterpret_cast<task*>(static_cast<frame*>(data) + 1);
    note_frame(ours(t), __builtin_frame_address(0));
    if (ours(t).must_run || ours(t).untied) {
        run_carefully(data);
    } else {
        run(data);
    }
    asm volatile("");  // the body is called, and not jumped to: this frame stays
}

// `Told`: a tool is attached.
template <bool Told>
task& make(member& m, std::int32_t flags, std::size_t bytes, std::size_t shared_bytes, routine body)
{
    bytes = round_up(std::max(bytes, sizeof(task)));
    task_options options;
    options.final = (flags & final) != 0;
    options.untied = (flags & tied) == 0;
    options.must_run = (flags & destructors) != 0;
    const std::size_t all = sizeof(frame) + bytes + shared_bytes;
    openmp::task& of = Told ? prepare_told_task(m, all, alignof(frame), options)
                            : prepare_task(m, all, alignof(frame), options);
    auto* const f = new (of.data) frame{static_cast<std::uint32_t>(bytes),
                                        static_cast<std::uint32_t>(shared_bytes),
                                        flags,
                                        false,
                                        false,
                                        false,
                                        false};
    auto& t = *reinterpret_cast<task*>(f + 1);
    t.shared = shared_bytes != 0 ? reinterpret_cast<char*>(&t) + bytes : nullptr;
    t.body = body;
    t.part = 0;
    if constexpr (Told) {
        of.function = body == nullptr ? run_nothing : run_noted;
        of.tool->memory = &t;
        of.tool->memory_size = bytes + shared_bytes;
    } else {
        of.function = body == nullptr                      ? run_nothing
                      : options.untied || options.must_run ? run_carefully
                                                           : run;
    }
    if ((flags & proxy) != 0) {
        expect_event(t);
    }
    return t;
}

[[gnu::noinline, gnu::cold]] task& make_told(member& m, std::int32_t flags, std::size_t bytes,
                                             std::size_t shared_bytes, routine body)
{
    return make<true>(m, flags, bytes, shared_bytes, body);
}

}  // namespace

task& make_task(member& m, std::int32_t flags, std::size_t bytes, std::size_t shared_bytes,
                routine body)
{
    if (ompt::listens()) [[unlikely]] {
        return make_told(m, flags, bytes, shared_bytes, body);
    }
    return make<false>(m, flags, bytes, shared_bytes, body);
}

task& copy_task(member& m, task& pattern)
{
    const frame& f = frame_of(pattern);
    task& made = make_task(m, f.flags, f.bytes, f.shared_bytes, pattern.body);
    void* const shared = made.shared;
    std::memcpy(static_cast<void*>(&made), &pattern, std::size_t{f.bytes} + f.shared_bytes);
    made.shared = shared;
    return made;
}

void drop_task(member& m, task& t)
{
    destroy_privates(t);
    discard_task(m, ours(t));
}

void run_helped(task& t)
{
    // The task has ICVs of its own, which end with it.
    icv_set& icvs = this_member().current->icvs;
    const icv_set helpers = icvs;
    icvs = ours(t).icvs;
    if (!is_cancelled(ours(t))) {
        run_parts(t);
    }
    destroy_privates(t);
    icvs = helpers;
}

ARTEL_KMP task* __kmpc_omp_task_alloc(const ident*, std::int32_t, std::int32_t flags,
                                      std::size_t bytes, std::size_t shared_bytes, routine body)
{
    return &make_task(this_member(), flags, bytes, shared_bytes, body);
}

// Target regions run on the host, and their tasks on helpers.
ARTEL_KMP task* __kmpc_omp_target_task_alloc(const ident*, std::int32_t, std::int32_t flags,
                                             std::size_t bytes, std::size_t shared_bytes,
                                             routine body, std::int64_t /*device*/)
{
    task& made = make_task(this_member(), flags & ~tied, bytes, shared_bytes, body);
    frame_of(made).helped = body != nullptr && helpers_wanted();
    return &made;
}

}  // namespace artel::openmp::kmp
