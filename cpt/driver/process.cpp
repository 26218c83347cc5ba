// A signal that would end the driver is passed on to the child that it waits for; the driver itself
// ends by it only in end_by_signal.
#include "process.hpp"

#include <sys/wait.h>

#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>

namespace cpt {

namespace {

constexpr int ending[] = {SIGHUP, SIGINT, SIGTERM};
volatile std::sig_atomic_t ended_by = 0;
volatile pid_t running = 0;  // changed only while the signals are blocked

void pass_on(int signal)
{
    ended_by = signal;
    if (running != 0) {
        kill(running, signal);
    }
}

sigset_t ends()
{
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : ending) {
        sigaddset(&all, signal);
    }
    return all;
}

}  // namespace

void outlive_signals()
{
    for (const int signal : ending) {
        struct sigaction before, now = {};
        now.sa_handler = pass_on;
        sigemptyset(&now.sa_mask);
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signal, &now, nullptr);
        }
    }
}

void end_by_signal()
{
    if (ended_by != 0) {
        std::signal(ended_by, SIG_DFL);
        std::raise(ended_by);
    }
}

int execute(const std::vector<std::string>& command)
{
    std::vector<char*> arguments;
    for (const std::string& a : command) {
        arguments.push_back(const_cast<char*>(a.c_str()));
    }
    arguments.push_back(nullptr);
    std::cout.flush();
    // The signals are blocked until the child's number is known: each either comes before there is
    // a child, or is passed on to it.
    const sigset_t blocked = ends();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &blocked, &before);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int error = ended_by != 0 ? EINTR
                                    : posix_spawnp(&child, arguments[0], nullptr, &attributes,
                                                   arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    running = error == 0 ? child : 0;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) {
        if (ended_by == 0) {
            std::cerr << "cpt: error: cannot run '" << command[0] << "': " << std::strerror(error)
                      << "\n";
        }
        return ended_by != 0 ? 128 + ended_by : 127;
    }
    // Until the child has been waited for, no other process can get its number.
    siginfo_t ended;
    while (waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    sigprocmask(SIG_BLOCK, &blocked, nullptr);
    running = 0;
    int status = 0;
    waitpid(child, &status, 0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (ended_by != 0) {
        return 128 + ended_by;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace cpt
