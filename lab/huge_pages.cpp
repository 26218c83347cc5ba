// See huge_pages.hpp.
#include "lab/huge_pages.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
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

bool write_total(long pages)
{
    std::ofstream file(std::string(folder) + "nr_hugepages");
    file << pages << std::flush;
    return static_cast<bool>(file);
}

}  // namespace

huge_page_reservation::huge_page_reservation(std::size_t pages)
{
    const long needed = static_cast<long>(pages), total = read_number("nr_hugepages"), free = read_number("free_hugepages"),
               promised = read_number("resv_hugepages");
    if (total < 0 || free < 0) {
        why_not_ = "this kernel has no huge pages of 2 MiB";
        return;
    }
    const long usable = free - (promised > 0 ? promised : 0);
    if (usable >= needed)
        return;
    const long wanted = total + needed - usable;
    const auto command = fmt::format("enable: sysctl -w vm.nr_hugepages={}", wanted);
    if (::access((std::string(folder) + "nr_hugepages").c_str(), W_OK) != 0) {
        why_not_ = fmt::format("{} huge pages of 2 MiB are needed and {} are free; {}", needed, usable, command);
        return;
    }
    start_guardian(wanted - total);
    if (guardian_ < 0)
        why_not_ = fmt::format("no process to guard the reservation could be started; {}", command);
    else if (!write_total(wanted) || read_number("free_hugepages") - (promised > 0 ? promised : 0) < needed)
        why_not_ = fmt::format("the kernel found memory for only {} of {} huge pages of 2 MiB (fragmented?); {}",
                               read_number("free_hugepages"), needed, command);
}

void huge_page_reservation::start_guardian(long added)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return;
    guardian_ = ::fork();
    if (guardian_ != 0) {
        ::close(ends[0]);
        lifeline_ = ends[1];
        return;
    }
    // The terminal's signals are for the lab, not for who cleans up after it; nor may this process keep the lab's output open.
    ::setsid();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        ::signal(signal, SIG_IGN);
    // All of them: the other end of the lifeline is among them, however many the lab has inherited.
    ::dup2(ends[0], 0);
    ::close_range(1, ~0u, 0);
    ends[0] = 0;
    char nothing = 0;
    while (::read(ends[0], &nothing, 1) < 0 && errno == EINTR) {
    }
    // Takes away what was added rather than restoring the old number: another lab may have changed it meanwhile.
    const long total = read_number("nr_hugepages");
    write_total(total > added ? total - added : 0);
    ::_exit(0);
}

huge_page_reservation::~huge_page_reservation()
{
    if (lifeline_ >= 0)
        ::close(lifeline_);
    if (guardian_ > 0)
        ::waitpid(guardian_, nullptr, 0);
}

}  // namespace artel::lab
