// See cell.hpp.
#include "lab/cell.hpp"

#include "lab/evidence.hpp"
#include "lab/tasks.hpp"
#include "lab/workload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <sys/resource.h>

namespace artel::lab {

const std::vector<variant>& variants()
{
    static const std::vector<variant> table{
        {"T", false, false, false, false, "threads, memory by malloc"},
        {"T-M", false, true, false, false, "threads, memory by mmap"},
        {"P", true, true, false, false, "processes, shared memory by mmap"},
        {"HP.T-M", false, true, true, false, "threads, memory by mmap in 2 MiB pages"},
        {"HP.P", true, true, true, false, "processes, shared memory by mmap in 2 MiB pages"},
        {"T-N", false, false, false, true,
         "threads, malloc, transparent huge pages off for the job"},
        {"P-N", true, true, false, true, "processes, mmap, transparent huge pages off for the job"},
    };
    return table;
}

const variant& variant_named(const std::string& name)
{
    for (const auto& it : variants())
        if (name == it.name)
            return it;
    throw std::invalid_argument(fmt::format("no variant '{}'", name));
}

std::string cell::key() const
{
    return fmt::format("{}/{}/{}/{}/N{}/K{}/W{}/{}{}", workload, variant, allocator, affinity,
                       tasks, size, width, repeat, full_check ? "/full" : "");
}

void to_json(json& j, const cell& c)
{
    j = {{"workload", c.workload},   {"variant", c.variant},
         {"allocator", c.allocator}, {"affinity", c.affinity},
         {"tasks", c.tasks},         {"size", c.size},
         {"width", c.width},         {"repeat", c.repeat},
         {"trace", c.trace},         {"check", c.full_check ? "full" : "fast"},
         {"tmpfs", c.tmpfs}};
}

void from_json(const json& j, cell& c)
{
    j.at("workload").get_to(c.workload);
    j.at("variant").get_to(c.variant);
    j.at("allocator").get_to(c.allocator);
    j.at("affinity").get_to(c.affinity);
    j.at("tasks").get_to(c.tasks);
    j.at("size").get_to(c.size);
    j.at("width").get_to(c.width);
    j.at("repeat").get_to(c.repeat);
    j.at("trace").get_to(c.trace);
    c.full_check = j.at("check") == "full";
    j.at("tmpfs").get_to(c.tmpfs);
}

namespace {

// 512 tasks of Exchanges need 1536 descriptors; the usual soft limit is 1024.
void raise_descriptor_limit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

json failure(const std::string& reason)
{
    return {{"status", "fail"}, {"reason", reason}};
}

// The data of the tasks. Not freed when threads had to be left running.
struct job_state {
    explicit job_state(const cell& c, const variant& how)
        : records(c.tasks, c.trace), work(make_workload(c, how, records)),
          body([this](unsigned task) { work->run(task); })
    {}
    task_records records;
    std::unique_ptr<workload> work;
    std::function<void(unsigned)> body;
};

json measure(const cell& c)
{
    raise_descriptor_limit();
    const auto& how = variant_named(c.variant);
    auto state = std::make_unique<job_state>(c, how);
    auto& records = state->records;
    auto* const work = state->work.get();

    evidence gathered;
    gathered.start();
    const auto begin = std::chrono::steady_clock::now();
    const auto refusal = run_tasks(how.processes, c.tasks, c.affinity, state->body);
    const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - begin;
    gathered.stop();
    if (!refusal.empty() && !how.processes)
        static_cast<void>(state.release());

    // What a task reported is the cause; that others were stopped, or that a process failed, is the
    // consequence.
    for (unsigned i = 0; i < c.tasks; ++i)
        if (records[i].failed)
            return failure(fmt::format("task {}: {}", i, records[i].message.data()));
    if (!refusal.empty())
        return failure(refusal);
    if (const auto wrong = work->check(); !wrong.empty())
        return failure("wrong result: " + wrong);

    json result{{"status", "ok"}, {"seconds", duration.count()}};
    result["evidence"] = gathered.as_json();
    const auto facts = work->facts();
    if (!facts.checksum.empty())
        result["checksum"] = facts.checksum;
    if (facts.malloc_seconds >= 0)
        result["evidence"]["malloc_seconds"] = facts.malloc_seconds;
    if (facts.exchanges >= 0)
        result["evidence"]["exchanges"] = facts.exchanges;
    if (facts.steps >= 0)
        result["evidence"]["steps"] = facts.steps;
    if (c.trace != 0)
        result["trace"] = records.trace_as_json();
    return result;
}

}  // namespace

json run_cell(const cell& c)
{
    try {
        return measure(c);
    } catch (const refused& error) {
        return failure(error.what());
    } catch (const std::bad_alloc&) {
        return failure("out of memory (ulimit -v, or the machine's)");
    } catch (const std::exception& error) {
        return failure(error.what());
    }
}

}  // namespace artel::lab
