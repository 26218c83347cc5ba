// See huge_pages.hpp.
#include "lab/huge_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::lab {

namespace {

constexpr const char* folder = "/sys/kernel/mm/hugepages/hugepages-2048kB/";

long read_number(const char* name)
{
    std::ifstream file(std::string(folder) + name);
    long value = -1;
    file >> value;
    return file ? value : -1;
}

// The number of reserved pages, as it was last set. nr_hugepages also counts surplus pages: pages
// that processes still use after the number was lowered, and that are freed when they no longer do.
// The two counts are separate files, so both are read until they do not change.
long reserved_pages()
{
    for (long total = read_number("nr_hugepages"), surplus = read_number("surplus_hugepages");;) {
        const long total_again = read_number("nr_hugepages"),
                   surplus_again = read_number("surplus_hugepages");
        if (total == total_again && surplus == surplus_again)
            return total < 0 ? total : total - std::max(surplus, 0l);
        total = total_again;
        surplus = surplus_again;
    }
}

// Changes the number of reserved pages by so many, and returns by how many it has changed: the
// kernel adds only what it finds memory for. Several labs may do so at once, and the kernel takes
// only absolute numbers: without the lock, a lab that reads and then writes would undo what another
// has changed in between.
long change_total(long by)
{
    const int locked = ::open((std::string(folder) + "nr_hugepages").c_str(), O_RDONLY | O_CLOEXEC);
    while (locked >= 0 && ::flock(locked, LOCK_EX) != 0 && errno == EINTR) {
    }
    long changed = 0;
    if (const long total = reserved_pages(); total >= 0) {
        std::ofstream file(std::string(folder) + "nr_hugepages");
        file << std::max(total + by, 0l) << std::flush;
        if (const long now = reserved_pages(); now >= 0)
            changed = now - total;
    }
    ::close(locked);
    return changed;
}

// The guardian process. Does not return.
[[noreturn]] void guard(int lifeline, long wanted)
{
    // Signals from the terminal are meant for the lab, and not for the process that cleans up after
    // it; nor may this process keep the lab's output open.
    ::setsid();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        ::signal(signal, SIG_IGN);
    // All others, however many the lab has inherited; also where close_range is refused.
    ::dup2(lifeline, 0);
    ::closefrom(1);
    // The guardian adds the pages, and not the lab, so that exactly those that the kernel gave are
    // taken away, at whatever instant the lab is killed.
    const long added = change_total(wanted);
    char byte = 0;
    if (::write(0, &byte, 1) == 1)
        while (::read(0, &byte, 1) < 0 && errno == EINTR) {
        }
    if (added > 0)
        change_total(-added);
    ::_exit(0);
}

}  // namespace

huge_page_reservation::huge_page_reservation(std::size_t pages)
{
    const long needed = static_cast<long>(pages), total = reserved_pages(),
               free = read_number("free_hugepages"), promised = read_number("resv_hugepages");
    if (total < 0 || free < 0) {
        why_not_ = "this kernel has no huge pages of 2 MiB";
        return;
    }
    const long usable = free - (promised > 0 ? promised : 0);
    if (usable >= needed)
        return;
    const long wanted = total + needed - usable;
    const auto command = fmt::format("enable: sysctl -w vm.nr_hugepages={}", wanted);
    std::string number(folder);
    number += "nr_hugepages";
    if (::access(number.c_str(), W_OK) != 0) {
        why_not_ = fmt::format("{} huge pages of 2 MiB are needed and {} are free; {}", needed,
                               usable, command);
        return;
    }
    if (!start_guardian(wanted - total))
        why_not_ = fmt::format("no process to guard the reservation could be started; {}", command);
    else if (const long found = read_number("free_hugepages") - (promised > 0 ? promised : 0);
             found < needed)
        why_not_ = fmt::format(
            "the kernel found memory for only {} of {} huge pages of 2 MiB (fragmented?); {}",
            found, needed, command);
    if (!why_not_.empty())
        give_back();
}

bool huge_page_reservation::start_guardian(long wanted)
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    guardian_ = ::fork();
    if (guardian_ == 0) {
        ::close(ends[1]);  // else the guardian would never see that the lab has closed it
        guard(ends[0], wanted);
    }
    ::close(ends[0]);
    lifeline_ = ends[1];
    char ready = 0;
    ssize_t n = 0;
    while (guardian_ > 0 && (n = ::read(lifeline_, &ready, 1)) < 0 && errno == EINTR) {
    }
    return n == 1;
}

void huge_page_reservation::give_back() noexcept
{
    if (lifeline_ >= 0)
        ::close(lifeline_);
    if (guardian_ > 0)
        ::waitpid(guardian_, nullptr, 0);
    lifeline_ = -1;
    guardian_ = -1;
}

huge_page_reservation::~huge_page_reservation()
{
    give_back();
}

}  // namespace artel::lab
