// See workload.hpp.
#include "lab/workload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace artel::lab {

task_records::task_records(unsigned tasks, unsigned trace)
    : tasks_(tasks), trace_length_(trace), record_memory_(tasks * sizeof(task_record)),
      trace_memory_(std::size_t{tasks} * trace * sizeof(std::uint64_t)),
      records_(static_cast<task_record*>(record_memory_.data())),
      trace_(static_cast<std::uint64_t*>(trace_memory_.data()))
{
    for (unsigned i = 0; i < tasks; ++i)
        new (&records_[i]) task_record;
}

json task_records::trace_as_json() const
{
    json all = json::array();
    for (unsigned task = 0; task < tasks_; ++task) {
        json one = json::array();
        for (unsigned step = 0; step < trace_length_; ++step)
            if (const auto operation = trace_[std::uint64_t{task} * trace_length_ + step];
                operation != 0)
                one.push_back(operation - 1);
        all.push_back(std::move(one));
    }
    return all;
}

void require_steps(const cell& c)
{
    if (c.size < c.tasks)
        throw refused(fmt::format(
            "K = {} steps are too few for {} tasks: each executes K/N of them, rounded down; "
            "choose a larger K",
            c.size, c.tasks));
}

std::unique_ptr<workload> make_workload(const cell& c, const variant& how, task_records& records)
{
    if (c.workload == "alloc")
        return make_alloc(c, how, records);
    if (c.workload == "rows" || c.workload == "tiles")
        return make_matmul(c, how, records);
    if (c.workload == "exchanges")
        return make_exchanges(c, how, records);
    throw std::invalid_argument(fmt::format("no workload '{}'", c.workload));
}

}  // namespace artel::lab
