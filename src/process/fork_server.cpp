// The fork server of a process_crew: a process with one thread and no other duty, forked from the
// program when the crew is made. It forks the workers, notices their deaths, blames the index that
// each was executing, and forks others in their place.
//
// Why not the program itself: its threads' locks may be held at the instant of a later fork, and
// its own SIGCHLD handling and waitpid(-1) would meet children that it does not know. Why not
// threads in the program that each wait for one worker: the same forks. Here all workers start from
// the same state of memory, whether first or hundredth.
#include "base/os/process.hpp"
#include "process/control.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::process {

namespace {

bool this_is_a_worker = false;  // and in whatever a worker forks

// Among the handlers of exit this one comes before all that the program had registered when the
// crew was made, and after those that a worker has registered itself.
void at_exit(int status, void*) noexcept
{
    if (!this_is_a_worker)
        return;
    std::fflush(nullptr);
    ::_exit(status);
}

// Out of memory is to end a worker, which is replaced, and not the program. Raising one's own score
// needs no rights.
void offer_to_oom_killer() noexcept
{
    const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (::write(file, "800", 3) < 0) {
        // without it the kernel chooses by size alone
    }
    ::close(file);
}

[[noreturn]] void become_worker(const shared_view& shared, unsigned slot, pid_t server,
                                const sigset_t& unblocked) noexcept
{
    if (!base::os::die_with_parent(server))
        ::_exit(0);
    ::signal(SIGCHLD, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &unblocked, nullptr);
    offer_to_oom_killer();
    this_is_a_worker = true;
    work(shared, slot);
    ::_exit(0);
}

// False if the system refuses a process.
bool fill(const shared_view& shared, unsigned slot, const sigset_t& unblocked) noexcept
{
    auto& it = shared.slots[slot];
    it.current.store(0, std::memory_order_relaxed);  // relaxed: nobody else looks at an empty slot
    // release: pairs with the program's acquire, which from now on waits for the new worker
    it.finished.store(0, std::memory_order_release);
    // relaxed: a newcomer that the program did not expect does no harm.
    it.vacant.store(0, std::memory_order_relaxed);
    const pid_t server = ::getpid();
    const pid_t child = ::fork();
    if (child == 0)
        become_worker(shared, slot, server, unblocked);
    it.pid.store(child > 0 ? child : 0, std::memory_order_relaxed);  // relaxed: for display
    // relaxed: announced with release.
    it.vacant.store(child > 0 ? 0 : 1, std::memory_order_relaxed);
    return child > 0;
}

void reap(const shared_view& shared, pid_t child, int status) noexcept
{
    for (unsigned i = 0; i < shared.workers; ++i) {
        auto& slot = shared.slots[i];
        // relaxed, both: the slot's worker is dead, and waitpid has ordered its writes before this
        if (slot.pid.load(std::memory_order_relaxed) != child)
            continue;
        if (const auto current = slot.current.load(std::memory_order_relaxed); current != 0) {
            // relaxed: as above. Another value: the worker has done the index, or counted the
            // attempt.
            const auto known = shared.status[index_of(current)].load(std::memory_order_relaxed);
            if (known == attempts_of(current))
                note_failure(shared, index_of(current), WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                             WIFEXITED(status) ? WEXITSTATUS(status) : 0, "");
        }
        shared.control->workers_lost.fetch_add(1, std::memory_order_relaxed);  // relaxed: a count
        // relaxed: for display, and for ourselves.
        slot.pid.store(0, std::memory_order_relaxed);
    }
}

void reap(const shared_view& shared) noexcept
{
    int status = 0;
    for (pid_t child; (child = ::waitpid(-1, &status, WNOHANG)) > 0;)
        reap(shared, child, status);
}

// Fills empty slots. Returns whether all are filled; `errors` counts refusals in a row.
bool refill(const shared_view& shared, const sigset_t& unblocked, unsigned& errors) noexcept
{
    bool full = true, somebody = false;
    for (unsigned i = 0; i < shared.workers; ++i) {
        // relaxed: only this process writes it.
        if (shared.slots[i].pid.load(std::memory_order_relaxed) == 0)
            full = fill(shared, i, unblocked) && full;
        // relaxed: as above.
        somebody = somebody || shared.slots[i].pid.load(std::memory_order_relaxed) != 0;
    }
    const int error = errno;
    errors = full ? 0 : errors + 1;
    if (!somebody && errors > 100) {
        // relaxed: announced with release below.
        shared.control->broken.store(error, std::memory_order_relaxed);
        announce(shared);
    }
    return full;
}

void end_workers(const shared_view& shared) noexcept
{
    for (unsigned i = 0; i < shared.workers; ++i)
        // relaxed: only this process writes it.
        if (const auto pid = shared.slots[i].pid.load(std::memory_order_relaxed); pid > 0)
            ::kill(pid, SIGKILL);
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
}

}  // namespace

void prepare_fork()
{
    std::fflush(nullptr);
    // For each crew anew: what the program has registered meanwhile is to come after it. Without
    // memory for it exit does what it always does.
    static_cast<void>(::on_exit(at_exit, nullptr));
}

void serve_forks(const shared_view& shared, int lifeline, pid_t program) noexcept
{
    // The terminal's signals are meant for the program; when it ends of them, so do we.
    for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTSTP})
        ::signal(signal, SIG_IGN);
    struct sigaction action{};
    action.sa_handler = [](int) {};
    ::sigaction(SIGCHLD, &action, nullptr);
    sigset_t only_children, unblocked;
    ::sigemptyset(&unblocked);
    ::sigemptyset(&only_children);
    ::sigaddset(&only_children, SIGCHLD);
    // Blocked except inside ppoll, so that no death is missed between looking and sleeping.
    ::sigprocmask(SIG_SETMASK, &only_children, nullptr);
    const int life = base::os::open_process(program);
    for (unsigned errors = 0; ::getppid() == program;) {
        reap(shared);
        const bool full = refill(shared, unblocked, errors);
        announce(shared);
        pollfd waiting[]{{lifeline, POLLIN, 0}, {life, POLLIN, 0}};
        timespec soon{0, 10'000'000};
        const int ready = ::ppoll(waiting, 2, full ? nullptr : &soon, &unblocked);
        if (ready > 0)
            break;
    }
    end_workers(shared);
    ::_exit(0);
}

}  // namespace artel::process
