// Tasks: creation, submission, execution in place, waiting, events.
//
// Untied tasks come in parts: where such a task could be switched, its body notes the next part,
// submits the task again and returns. Nothing is gained by queueing it, as the one who ran this
// part is free to run the next; so it does, at once.
#include "task.hpp"

#include "helpers.hpp"
#include "ompt/entries/sync.hpp"
#include "ompt/events/explicit_task.hpp"
#include "task_groups.hpp"
#include "tasking/task_reduction.hpp"
#include "tasking/undeferred.hpp"
#include "team/task_cancellation.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace artel::openmp::kmp {
namespace {

constexpr std::size_t round_up(std::size_t bytes) noexcept
{
    return (bytes + 15) & ~std::size_t{15};
}

void run_parts(task& t)
{
    frame& f = frame_of(t);
    do {
        f.again = false;
        t.body(global_number(), &t);
    } while (f.again);
}

void destroy_privates(task& t)
{
    if ((frame_of(t).flags & destructors) != 0 && t.first.destructors != nullptr) {
        t.first.destructors(global_number(), &t);
    }
}

// What our tasks run; `data` is the frame.
void run(void* data)
{
    auto& t = *reinterpret_cast<task*>(static_cast<frame*>(data) + 1);
    t.body(global_number(), &t);
}

// taskwait with depend and nowait: a task that does nothing but depend.
void run_nothing(void*) {}

// The same where more is to be done: several parts, or variables to be destroyed even when the task
// is cancelled.
void run_carefully(void* data)
{
    auto& t = *reinterpret_cast<task*>(static_cast<frame*>(data) + 1);
    if (!is_cancelled(ours(t))) {
        run_parts(t);
    }
    destroy_privates(t);
}

// While a tool listens: with a frame of its own, which the body's points to.
[[gnu::noinline]] void note_frame(openmp::task& of, void* frame) noexcept
{
    of.tool->where.exit.pointer = frame;
}

void run_noted(void* data)
{
    auto& t = *reinterpret_cast<task*>(static_cast<frame*>(data) + 1);
    note_frame(ours(t), __builtin_frame_address(0));
    const bool careful = ours(t).must_run || ours(t).untied;
    if (!careful || !is_cancelled(ours(t))) {
        frame& f = frame_of(t);
        do {
            f.again = false;
            t.body(global_number(), &t);
        } while (f.again);
    }
    if (careful) {
        destroy_privates(t);
    }
}

// Somebody will say that it has ended. Before the task is submitted.
openmp::task& expect_event(task& t) noexcept
{
    openmp::task& of = ours(t);
    of.to_end.store(of.undeferred ? 3 : 2, std::memory_order_relaxed);  // relaxed: not shared yet
    return of;
}

void submit(task& t, std::span<const dependence> dependences)
{
    member& m = this_member();
    openmp::task& of = ours(t);
    frame& f = frame_of(t);
    if (f.submitted) {
        f.again = true;
        return;
    }
    f.submitted = true;
    take_priority(t);
    if (f.helped && !of.undeferred) [[unlikely]] {
        let_help(t);
    }
    if (of.undeferred && !dependences.empty()) {
        task_wait_depend(m, dependences);
        dependences = {};
    }
    submit_task(m, of, dependences);
}

void tell_submit(ompt::caller who, task& t, std::span<const dependence> dependences,
                 std::span<const ompt::dependence> told = {})
{
    member& m = this_member();
    const ompt::in_runtime here(*m.current, who);
    if (!frame_of(t).submitted) {
        ompt::tell_created(m, ours(t), told, who);
    }
    submit(t, dependences);
}

void begin_told_in_place(ompt::caller who, task& t, void* callers_frame)
{
    member& m = this_member();
    {
        const ompt::in_runtime here(*m.current, who);
        ours(t).undeferred = true;  // for the tool only
        ompt::tell_created(m, ours(t), {}, who);
        ours(t).undeferred = false;
    }
    // As long as the body runs its parent is in the runtime.
    m.current->tool->where.enter.pointer = who.frame;
    m.current->tool->where.enter_flags = ompt::frame_flag::runtime |
                                         ompt::frame_flag::frame_pointer;
    ompt::begin_in_place(m, ours(t), callers_frame);
    begin_in_place(m, ours(t));
}

void end_told_in_place(task& t)
{
    member& m = this_member();
    ompt::end_in_place(m, ours(t));
    openmp::task& parent = *ours(t).parent;
    end_in_place(m, ours(t));
    parent.tool->where.enter.pointer = nullptr;
}

}  // namespace

std::vector<ompt::dependence> told_dependences(std::int32_t count, const depend_item* items,
                                               std::int32_t more, const depend_item* more_items)
{
    std::vector<ompt::dependence> list;
    const auto add = [&](std::int32_t n, const depend_item* from) {
        for (std::int32_t i = 0; i < n; ++i) {
            ompt::dependence d{{from[i].address}, ompt::dependence_kind::inout};
            switch (from[i].flags) {
            case 1: d.kind = ompt::dependence_kind::in; break;
            case 2: d.kind = ompt::dependence_kind::out; break;
            case 4: d.kind = ompt::dependence_kind::mutexinoutset; break;
            case 8: d.kind = ompt::dependence_kind::inoutset; break;
            default: break;
            }
            if ((from[i].flags & 0x80) != 0 || from[i].address == UINTPTR_MAX) {
                d.kind = ompt::dependence_kind::out_all_memory;
            }
            list.push_back(d);
        }
    };
    add(count, items);
    add(more, more_items);
    return list;
}

namespace {

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
    run_carefully(&frame_of(t));
}

void take_priority(task& t) noexcept
{
    if ((frame_of(t).flags & priority) != 0) [[unlikely]] {
        ours(t).priority = std::min(std::max(t.second.priority, 0), globals().max_task_priority);
    }
}

// Writers first.
depend_list dependences_of(std::int32_t count, const depend_item* items, std::int32_t more,
                           const depend_item* more_items) noexcept
{
    constexpr std::uint8_t in = 1;
    constexpr std::uint8_t inoutset = 8;
    constexpr std::uint8_t all_memory = 0x80;
    depend_list list;
    const auto add = [&](std::int32_t n, const depend_item* from, bool readers) {
        for (std::int32_t i = 0; i < n; ++i) {
            const bool everything = (from[i].flags & all_memory) != 0 ||
                                    from[i].address == UINTPTR_MAX;
            const bool reads = !everything && (from[i].flags == in || from[i].flags == inoutset);
            if (reads == readers) {
                const auto kind = !reads                ? depend_kind::inout
                                  : from[i].flags == in ? depend_kind::in
                                                        : depend_kind::inoutset;
                list.add({reinterpret_cast<void*>(from[i].address), kind, everything});
            }
        }
    };
    for (const bool readers : {false, true}) {
        add(count, items, readers);
        add(more, more_items, readers);
    }
    return list;
}

namespace {

// Submits a task with dependences. Where there is nobody to wait for, and nobody can come to wait
// for it, they are not looked at.
void submit_after(task& t, std::int32_t count, const depend_item* items, std::int32_t more,
                  const depend_item* more_items)
{
    const member& m = this_member();
    const openmp::task& of = ours(t);
    // relaxed: not shared yet.
    if (of.to_end.load(std::memory_order_relaxed) == 1 && !frame_of(t).helped &&
        runs_undeferred(m, !of.undeferred) && !may_have_predecessors(m)) {
        submit(t, {});
    } else {
        submit(t, dependences_of(count, items, more, more_items));
    }
}

}  // namespace

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

ARTEL_KMP std::int32_t __kmpc_omp_task(const ident*, std::int32_t, task* t)
{
    ARTEL_OMPT_EITHER((tell_submit(who, *t, {}), 0), (submit(*t, {}), 0));
}

ARTEL_KMP std::int32_t __kmpc_omp_task_parts(const ident*, std::int32_t, task* t)
{
    ARTEL_OMPT_EITHER((tell_submit(who, *t, {}), 0), (submit(*t, {}), 0));
}

ARTEL_KMP std::int32_t __kmpc_omp_task_with_deps(const ident*, std::int32_t, task* t,
                                                 std::int32_t count, const depend_item* items,
                                                 std::int32_t more, const depend_item* more_items)
{
    ARTEL_OMPT_EITHER((tell_submit(who, *t, dependences_of(count, items, more, more_items),
                                   told_dependences(count, items, more, more_items)),
                       0),
                      (submit_after(*t, count, items, more, more_items), 0));
}

ARTEL_KMP void __kmpc_omp_wait_deps(const ident*, std::int32_t, std::int32_t count,
                                    const depend_item* items, std::int32_t more,
                                    const depend_item* more_items)
{
    ARTEL_OMPT_EITHER(
        tell_taskwait_depend(who, dependences_of(count, items, more, more_items),
                             told_dependences(count, items, more, more_items)),
        task_wait_depend(this_member(), dependences_of(count, items, more, more_items)));
}

// Waiting is allowed with nowait, too.
ARTEL_KMP void __kmpc_omp_taskwait_deps_51(const ident*, std::int32_t, std::int32_t count,
                                           const depend_item* items, std::int32_t more,
                                           const depend_item* more_items, std::int32_t /*nowait*/)
{
    ARTEL_OMPT_EITHER(
        tell_taskwait_depend(who, dependences_of(count, items, more, more_items),
                             told_dependences(count, items, more, more_items)),
        task_wait_depend(this_member(), dependences_of(count, items, more, more_items)));
}

// A task whose if clause is false: the compiler calls its body between the two.
ARTEL_KMP void __kmpc_omp_task_begin_if0(const ident*, std::int32_t, task* t)
{
    frame_of(*t).submitted = true;
    ARTEL_OMPT_TELL(begin_told_in_place(who, *t, *static_cast<void**>(__builtin_frame_address(0))));
    openmp::begin_in_place(this_member(), ours(*t));
}

ARTEL_KMP void __kmpc_omp_task_complete_if0(const ident*, std::int32_t, task* t)
{
    if (frame_of(*t).again) {
        run_parts(*t);
    }
    destroy_privates(*t);
    ARTEL_OMPT_TELL(end_told_in_place(*t));
    openmp::end_in_place(this_member(), ours(*t));
}

// Calls the body of a task that another part of the program holds.
ARTEL_KMP void __kmpc_invoke_task_func(std::int32_t global, task* t)
{
    t->body(global, t);
}

ARTEL_KMP std::int32_t __kmpc_omp_taskwait(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER((tell_taskwait(who), 0), (task_wait(this_member()), 0));
}

ARTEL_KMP std::int32_t __kmpc_omp_taskyield(const ident*, std::int32_t, std::int32_t)
{
    ARTEL_OMPT_EITHER((tell_taskyield(who), 0), (task_yield(this_member()), 0));
}

// The handle is our task; omp_fulfill_event is the same function for all compilers.
ARTEL_KMP void* __kmpc_task_allow_completion_event(const ident*, std::int32_t, task* t)
{
    return &expect_event(*t);
}

ARTEL_KMP void __kmpc_proxy_task_completed(std::int32_t, task* t)
{
    fulfill_event(&ours(*t));
}

ARTEL_KMP void __kmpc_proxy_task_completed_ooo(task* t)
{
    fulfill_event(&ours(*t));
}

// A hint where the task should run; hints may be ignored.
ARTEL_KMP std::int32_t __kmpc_omp_reg_task_with_affinity(const ident*, std::int32_t, task*,
                                                         std::int32_t, void*)
{
    return 0;
}

// Whether tasks of the caller's team are run by others, too.
ARTEL_KMP bool __kmpc_omp_has_task_team(std::int32_t)
{
    return this_member().in->size > 1;
}

// Null: target tasks end when their body returns.
ARTEL_KMP void** __kmpc_omp_get_target_async_handle_ptr(std::int32_t)
{
    return nullptr;
}

}  // namespace artel::openmp::kmp
