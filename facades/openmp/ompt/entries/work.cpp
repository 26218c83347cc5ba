// Each function finds the caller's member and passes the tool's data of its region and task. Which
// kind of loop or construct a member is in is kept from the beginning for the end.
#include "work.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace artel::openmp::ompt {
namespace {

data* parallel_of(member& m) noexcept
{
    return &m.in->tool.parallel_data;
}

data* task_of(member& m) noexcept
{
    return &m.current->tool->task_data;
}

}  // namespace

work_kind work_of(schedule_kind kind) noexcept
{
    switch (kind) {
    case schedule_kind::dynamic: return work_kind::loop_dynamic;
    case schedule_kind::guided: return work_kind::loop_guided;
    default: return work_kind::loop_static;
    }
}

void tell_work_begin(caller who, work_kind kind, std::uint64_t count) noexcept
{
    member& m = this_member();
    m.current->tool->shares = kind;
    tell<event::work>(kind, endpoint::begin, parallel_of(m), task_of(m), count, who.code);
}

void tell_work_end(caller who, std::uint64_t count) noexcept
{
    member& m = this_member();
    const work_kind kind = std::exchange(m.current->tool->shares, work_kind{});
    if (kind != work_kind{}) {
        tell<event::work>(kind, endpoint::end, parallel_of(m), task_of(m), count, who.code);
    }
}

void tell_work_passed(caller who, work_kind kind) noexcept
{
    member& m = this_member();
    tell<event::work>(kind, endpoint::begin, parallel_of(m), task_of(m), std::uint64_t{1},
                      who.code);
    tell<event::work>(kind, endpoint::end, parallel_of(m), task_of(m), std::uint64_t{1}, who.code);
}

void tell_chunk(dispatch_kind kind, std::uint64_t start, std::uint64_t iterations) noexcept
{
    member& m = this_member();
    chunk c{start, iterations};
    data instance;
    instance.pointer = &c;
    tell<event::dispatch>(parallel_of(m), task_of(m), kind, instance);
}

void tell_section(caller who) noexcept
{
    member& m = this_member();
    data instance;
    instance.pointer = const_cast<void*>(who.code);
    tell<event::dispatch>(parallel_of(m), task_of(m), dispatch_kind::section, instance);
}

void tell_piece(caller who, std::uint64_t first, std::uint64_t end) noexcept
{
    member& m = this_member();
    if (m.current->tool->shares == work_kind::sections) {
        tell_section(who);
        return;
    }
    const worksharing_position& p = m.position;
    const std::uint64_t step = p.current != nullptr ? p.current->loop.increment : p.solo_step;
    const auto signed_step = static_cast<std::int64_t>(step);
    const std::uint64_t distance = signed_step < 0 ? first - end : end - first;
    const std::uint64_t size = signed_step < 0 ? 0 - step : std::max<std::uint64_t>(step, 1);
    tell_chunk(dispatch_kind::loop_chunk, first, distance == 0 ? 0 : (distance - 1) / size + 1);
}

void tell_masked(caller who, endpoint at) noexcept
{
    member& m = this_member();
    tell<event::masked>(at, parallel_of(m), task_of(m), who.code);
}

void tell_flush(caller who) noexcept
{
    this_member();
    tell<event::flush>(&this_thread().thread_data, who.code);
}

void tell_error(caller who, int severity, const char* message, std::size_t length) noexcept
{
    this_member();
    tell<event::error>(severity, message, length, who.code);
}

int tell_control(caller who, std::uint64_t command, std::uint64_t modifier, void* argument) noexcept
{
    member& m = this_member();
    const auto function = callback_of<event::control_tool>();
    if (function == nullptr) {
        return -1;  // omp_control_tool_nocallback
    }
    const in_runtime here(*m.current, who);
    return function(command, modifier, argument, who.code);
}

void tell_cancel(caller who, int kind, bool activated) noexcept
{
    member& m = this_member();
    tell<event::cancel>(
        task_of(m), kind | (activated ? cancel_flag::activated : cancel_flag::detected), who.code);
}

void tell_doacross(std::span<const std::uint64_t> index, dependence_kind kind) noexcept
{
    member& m = this_member();
    try {
        std::vector<dependence> list;
        for (const std::uint64_t i : index) {
            list.push_back({{i}, kind});
        }
        tell<event::dependences>(task_of(m), list.data(), static_cast<int>(list.size()));
    } catch (...) {  // without memory the tool is not told
    }
}

}  // namespace artel::openmp::ompt
