// Reserves explicit huge pages for the time of a lab run, and gives them back whatever happens.
#pragma once

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace artel::lab {

// While an object lives, at least `pages` huge pages of 2 MiB are free, if possible: raises
// vm.nr_hugepages, which needs root. A guardian process adds what is missing and takes it away
// again as soon as this object or this process has ended, even by SIGKILL.
class huge_page_reservation {
public:
    explicit huge_page_reservation(std::size_t pages);
    huge_page_reservation(const huge_page_reservation&) = delete;
    huge_page_reservation& operator=(const huge_page_reservation&) = delete;
    ~huge_page_reservation();

    // Empty if the pages are there; else why not, with the command that would enable them. In that
    // case nothing is kept reserved, since nobody will use it.
    const std::string& why_not() const noexcept { return why_not_; }

private:
    // False if the system does not allow one more process. Returns when the pages are added, as far
    // as the kernel has them.
    bool start_guardian(long wanted);
    void give_back() noexcept;

    std::string why_not_;
    pid_t guardian_ = -1;
    int lifeline_ = -1;
};

}  // namespace artel::lab
