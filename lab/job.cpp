// See job.hpp.
#include "lab/job.hpp"

#include "lab/allocators.hpp"
#include "lab/errors.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::lab {

namespace {

constexpr int result_descriptor = 3;

std::atomic<int> caught_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);  // written by a signal handler

void on_interrupt(int signal)
{
    // relaxed: the handler runs on the thread that reads it, or makes that thread's poll return
    caught_signal.store(signal, std::memory_order_relaxed);
}

// Runs in the child, after fork: calls only async-signal-safe functions until exec; the parent has
// prepared everything else.
[[noreturn]] void become_job(const job_settings& settings, pid_t parent, char* const* argv,
                             char* const* environment, bool no_thp, int output)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(1);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::signal(signal, SIG_DFL);
    // All that the job starts inherits it; the rest of the machine keeps its huge pages.
    if (no_thp)
        ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    if (output == result_descriptor)
        ::fcntl(output, F_SETFD, 0);
    else
        ::dup2(output, result_descriptor);
    ::execve(settings.program.c_str(), argv, environment);
    ::_exit(127);
}

std::vector<std::string> environment_of(const cell& c)
{
    std::vector<std::string> result;
    for (char** it = environ; *it != nullptr; ++it)
        if (std::strncmp(*it, "GLIBC_TUNABLES=", 15) != 0 &&
            std::strncmp(*it, "LD_PRELOAD=", 11) != 0)
            result.emplace_back(*it);
    for (auto& it : allocator_environment(c.allocator, c.tasks))
        result.push_back(std::move(it));
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& words)
{
    std::vector<char*> result;
    for (auto& word : words)
        result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

// Kills what is left of the job and waits until all of it is gone. When the job's first process is
// dead, its tasks are our children (PR_SET_CHILD_SUBREAPER).
int end_group(pid_t group)
{
    int status = 0, first_status = 0;
    ::kill(-group, SIGKILL);
    for (pid_t ended; (ended = ::waitpid(-group, &status, 0)) > 0 || (ended < 0 && errno == EINTR);)
        if (ended == group)
            first_status = status;
    return first_status;
}

enum class ending { complete, timed_out, interrupted };

// Reads until the job closes the pipe or has written its whole line.
ending read_result(int from, std::chrono::seconds timeout, std::string& text)
{
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    for (;;) {
        if (pending_interrupt() != 0)
            return ending::interrupted;
        if (std::chrono::steady_clock::now() >= deadline)
            return ending::timed_out;
        // A short time limit: a signal that arrives just before poll does not interrupt it.
        pollfd waiting{from, POLLIN, 0};
        if (::poll(&waiting, 1, 200) <= 0)
            continue;
        char buffer[4096];
        const auto n = ::read(from, buffer, sizeof buffer);
        if (n <= 0)
            return ending::complete;
        text.append(buffer, static_cast<std::size_t>(n));
        if (text.back() == '\n')
            return ending::complete;
    }
}

json failure(const std::string& reason)
{
    return {{"status", "fail"}, {"reason", reason}};
}

json interpret(const std::string& text, int status)
{
    if (!text.empty() && text.back() == '\n')
        return json::parse(text, nullptr, false);
    if (WIFSIGNALED(status))
        return failure(fmt::format(
            "the job was killed by signal {} ({}){}", WTERMSIG(status),
            ::strsignal(WTERMSIG(status)),
            WTERMSIG(status) == SIGKILL ? ", as the kernel does when memory is short" : ""));
    return failure(fmt::format(
        "the job ended with status {} before it had a result (out of memory at its start, ulimit "
        "-v?)",
        WEXITSTATUS(status)));
}

}  // namespace

void catch_interrupts()
{
    struct sigaction action{};
    action.sa_handler = on_interrupt;  // without SA_RESTART: poll is to return
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaction(signal, &action, nullptr);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

int pending_interrupt() noexcept
{
    return caught_signal.load(std::memory_order_relaxed);  // relaxed: see on_interrupt
}

json run_job(const cell& c, const job_settings& settings)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return failure(
            fmt::format("the system refused a pipe to the job: {}", error_in_words(errno)));
    std::vector<std::string> words{"artel", "lab", "--cell", json(c).dump()};
    auto environment = environment_of(c);
    const auto argv = pointers(words), envp = pointers(environment);
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child == 0)
        become_job(settings, self, argv.data(), envp.data(), variant_named(c.variant).no_thp,
                   ends[1]);
    ::close(ends[1]);
    if (child < 0) {
        const int error = errno;
        ::close(ends[0]);
        return failure(
            fmt::format("the system refused a process for the job: {}", error_in_words(error)));
    }
    ::setpgid(child, child);  // both processes do it, since either may come first
    std::string text;
    const auto how = read_result(ends[0], settings.timeout, text);
    ::close(ends[0]);
    int status = 0;
    if (how == ending::complete) {
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR && pending_interrupt() == 0) {
        }
        end_group(child);
    } else {
        status = end_group(child);
    }
    if (how == ending::interrupted)
        throw interrupted{pending_interrupt()};
    if (how == ending::timed_out) {
        auto result = failure(
            fmt::format("took longer than {} s (--timeout)", settings.timeout.count()));
        result["timeout_seconds"] = settings.timeout.count();
        return result;
    }
    auto result = interpret(text, status);
    return result.is_object() && result.contains("status")
               ? result
               : failure("the job wrote no valid result");
}

void run_cell_and_report(const std::string& text)
{
    json result;
    try {
        const auto c = json::parse(text).get<cell>();
        if (const auto missing = why_allocator_is_missing(c.allocator); !missing.empty())
            result = {{"status", "skip"}, {"reason", missing}};
        else
            result = run_cell(c);
    } catch (const std::exception& error) {
        result = failure(error.what());
    }
    const auto line = result.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    for (std::size_t done = 0; done < line.size();) {
        const auto n = ::write(result_descriptor, line.data() + done, line.size() - done);
        if (n <= 0)
            break;
        done += static_cast<std::size_t>(n);
    }
    ::_exit(0);  // threads of a refused start may still run
}

}  // namespace artel::lab
