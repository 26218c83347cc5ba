// See tasks.hpp.
#include "lab/tasks.hpp"

#include "lab/errors.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::lab {

namespace {

// The kernel rejects masks that are smaller than the machine may be, and cpu_set_t has 1024 bits;
// 8192 are the most that Linux is built for on x86-64. Not allocated: a task that calls malloc
// would be given an arena inside the measurement.
class cpu_mask {
public:
    static constexpr int cpus = 8192;

    bool read() noexcept
    {
        auto* const set = reinterpret_cast<cpu_set_t*>(words_.data());
        return ::sched_getaffinity(0, sizeof words_, set) == 0;
    }
    void apply() const noexcept
    {
        // of the calling thread; if refused, the task runs where it may.
        ::sched_setaffinity(0, sizeof words_, reinterpret_cast<const cpu_set_t*>(words_.data()));
    }
    bool has(int cpu) const noexcept { return (words_[word(cpu)] & bit(cpu)) != 0; }
    void add(int cpu) noexcept { words_[word(cpu)] |= bit(cpu); }

private:
    static constexpr std::size_t width = 64;

    static std::size_t word(int cpu) noexcept { return static_cast<std::size_t>(cpu) / width; }
    static std::uint64_t bit(int cpu) noexcept
    {
        return std::uint64_t{1} << (static_cast<std::size_t>(cpu) % width);
    }

    std::array<std::uint64_t, cpus / width> words_{};
};

}  // namespace

std::vector<int> usable_cpus()
{
    cpu_mask mask;
    std::vector<int> result;
    if (mask.read())
        for (int cpu = 0; cpu < cpu_mask::cpus; ++cpu)
            if (mask.has(cpu))
                result.push_back(cpu);
    return result;
}

int cpu_of_task(const std::string& affinity, unsigned i, unsigned n, const std::vector<int>& cpus)
{
    if (cpus.empty())
        return -1;
    if (affinity == "interleave")
        return cpus[i % cpus.size()];
    if (affinity == "group")
        return cpus[std::size_t{i} * cpus.size() / n];
    return -1;
}

namespace {

struct assignment {
    const std::function<void(unsigned)>* body;
    unsigned task;
    int cpu;
};

// The task itself sets its affinity, so that it costs both variants the same.
void run_one(const assignment& it)
{
    if (it.cpu >= 0) {
        cpu_mask mask;
        mask.add(it.cpu);
        mask.apply();
    }
    (*it.body)(it.task);
}

std::string why_not_started(const char* what, unsigned task, unsigned n, int error)
{
    return fmt::format("the system refused {} {} of {}: {}", what, task + 1, n,
                       error_in_words(error));
}

std::string run_threads(std::vector<assignment>& plan)
{
    std::vector<pthread_t> threads(plan.size());
    for (unsigned i = 0; i < plan.size(); ++i) {
        const int error = ::pthread_create(
            &threads[i], nullptr,
            [](void* argument) -> void* {
                run_one(*static_cast<assignment*>(argument));
                return nullptr;
            },
            &plan[i]);
        if (error != 0)
            return why_not_started("thread", i, static_cast<unsigned>(plan.size()), error);
    }
    for (const auto thread : threads)
        ::pthread_join(thread, nullptr);
    return {};
}

std::string describe_death(unsigned task, int status)
{
    if (WIFSIGNALED(status))
        return fmt::format(
            "process of task {} was killed by signal {} ({}){}", task, WTERMSIG(status),
            ::strsignal(WTERMSIG(status)),
            WTERMSIG(status) == SIGKILL ? ", as the kernel does when memory is short" : "");
    return fmt::format("process of task {} ended with status {}", task, WEXITSTATUS(status));
}

void kill_all(const std::vector<pid_t>& children)
{
    for (const auto child : children)
        if (child > 0)
            ::kill(child, SIGKILL);
    for (const auto child : children)
        if (child > 0)
            ::waitpid(child, nullptr, 0);
}

std::string run_processes(std::vector<assignment>& plan)
{
    const pid_t self = ::getpid();
    std::vector<pid_t> children;
    children.reserve(plan.size());
    for (unsigned i = 0; i < plan.size(); ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            // The tasks end with the job, even if SIGKILL ends it.
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != self)
                ::_exit(1);
            run_one(plan[i]);
            ::_exit(0);
        }
        if (child < 0) {
            const int error = errno;
            kill_all(children);
            return why_not_started("process", i, static_cast<unsigned>(plan.size()), error);
        }
        children.push_back(child);
    }
    for (auto left = plan.size(); left > 0; --left) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, 0);
        if (ended < 0)
            break;
        for (unsigned i = 0; i < children.size(); ++i)
            if (children[i] == ended) {
                children[i] = 0;
                if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
                    kill_all(children);  // they may wait for the dead one for ever
                    return describe_death(i, status);
                }
            }
    }
    return {};
}

}  // namespace

std::string run_tasks(bool processes, unsigned n, const std::string& affinity,
                      const std::function<void(unsigned)>& body)
{
    const auto cpus = usable_cpus();
    // On the heap, since it is not freed when threads are left running.
    auto plan = std::make_unique<std::vector<assignment>>();
    for (unsigned i = 0; i < n; ++i)
        plan->push_back({&body, i, cpu_of_task(affinity, i, n, cpus)});
    if (processes)
        return run_processes(*plan);
    auto refusal = run_threads(*plan);
    if (!refusal.empty())
        static_cast<void>(plan.release());
    return refusal;
}

}  // namespace artel::lab
