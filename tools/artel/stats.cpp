// See stats.hpp.
#include "artel/stats.hpp"

#include "artel/command.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::tool {

namespace {

// The child that signals are passed on to. sig_atomic_t would do for the flag, but a pid needs an int; it is written
// before the handlers are installed, and the handlers only read it.
volatile pid_t child_process = 0;

void pass_on(int signal)
{
    if (child_process > 0)
        ::kill(child_process, signal);
}

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void print(const rusage& used, double wall)
{
    const double user = seconds(used.ru_utime), system = seconds(used.ru_stime);
    fmt::print(stderr,
               "artel run: wall {:.3f} s, user {:.3f} s, system {:.3f} s, {:.2f} CPUs busy\n"
               "artel run: {:.1f} MiB resident at most, {} page faults, {} context switches ({} forced)\n",
               wall, user, system, wall > 0 ? (user + system) / wall : 0.0, static_cast<double>(used.ru_maxrss) / 1024,
               used.ru_minflt + used.ru_majflt, used.ru_nvcsw + used.ru_nivcsw, used.ru_nivcsw);
}

}  // namespace

int run_with_stats(const std::function<void()>& become_program)
{
    const auto start = std::chrono::steady_clock::now();
    // Blocked until the handlers stand: a signal in between would kill us and leave the child alone.
    const int passed_on[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT};
    sigset_t blocked, before;
    sigemptyset(&blocked);
    for (const int signal : passed_on)
        sigaddset(&blocked, signal);
    ::sigprocmask(SIG_BLOCK, &blocked, &before);
    const pid_t child = ::fork();
    if (child < 0)
        throw command_error(run_failed, fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) {
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        become_program();
        ::_exit(run_failed);
    }
    child_process = child;
    struct sigaction action{};
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    for (const int signal : passed_on)
        ::sigaction(signal, &action, nullptr);
    // The terminal sends these to the whole group: the program decides, and we stay to print the table.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGQUIT, SIG_IGN);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);

    int status = 0;
    rusage used{};
    while (::wait4(child, &status, 0, &used) < 0)
        if (errno != EINTR)
            throw command_error(run_failed, fmt::format("cannot wait for the program: {}", std::strerror(errno)));
    print(used, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace artel::tool
