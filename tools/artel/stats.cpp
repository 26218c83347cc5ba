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

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void print(const rusage& used, double wall)
{
    const double user = seconds(used.ru_utime), system = seconds(used.ru_stime);
    fmt::print(
        stderr,
        "artel run: wall {:.3f} s, user {:.3f} s, system {:.3f} s, {:.2f} CPUs busy\n"
        "artel run: {:.1f} MiB resident at most, {} page faults, {} context switches ({} forced)\n",
        wall, user, system, wall > 0 ? (user + system) / wall : 0.0,
        static_cast<double>(used.ru_maxrss) / 1024, used.ru_minflt + used.ru_majflt,
        used.ru_nvcsw + used.ru_nivcsw, used.ru_nivcsw);
}

// Whether the program, which is in our process group unless it has left it, has got the signal as
// well. The terminal signals the whole group that is in its foreground; but its end it tells only
// the leader of the session, which we may be. A signal that a process sends does not tell whether
// it was for the group.
bool reaches_the_program(const siginfo_t& info)
{
    const bool may_be_for_the_leader = info.si_signo == SIGHUP || info.si_signo == SIGCONT;
    return info.si_code == SI_KERNEL && !(may_be_for_the_leader && ::getsid(0) == ::getpid());
}

}  // namespace

int run_with_stats(const std::function<void()>& become_program)
{
    const auto start = std::chrono::steady_clock::now();
    // sigwaitinfo below takes all of these, so none arrives at a wrong moment. Handlers would not
    // do: sanitizers delay them until the child has ended. SIGINT and SIGQUIT are for the program,
    // too: it decides what they do, and we stay to print the table.
    sigset_t awaited, before;
    sigemptyset(&awaited);
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT, SIGCHLD})
        sigaddset(&awaited, signal);
    ::sigprocmask(SIG_BLOCK, &awaited, &before);
    // The parent may have ignored it; then we could not wait for the child.
    const auto child_handler = ::signal(SIGCHLD, SIG_DFL);
    const pid_t child = ::fork();
    if (child < 0)
        throw command_error(run_failed,
                            fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) {
        ::signal(SIGCHLD, child_handler);
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        become_program();
        ::_exit(run_failed);
    }
    int status = 0;
    rusage used{};
    for (;;) {
        siginfo_t info{};
        const int signal = ::sigwaitinfo(&awaited, &info);
        if (signal == SIGCHLD) {
            // The child may only have been stopped or continued.
            const pid_t ended = ::wait4(child, &status, WNOHANG, &used);
            if (ended < 0)
                throw command_error(run_failed, fmt::format("cannot wait for the program: {}",
                                                            std::strerror(errno)));
            if (ended == child)
                break;
        } else if (signal > 0 && !reaches_the_program(info)) {
            ::kill(child, signal);
        }
    }
    // One more Ctrl-C must not keep the table of a program that has ended.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGQUIT, SIG_IGN);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    print(used, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace artel::tool
