// The size of the pages of a job's memory: two options of `artel run`, and what `artel info`
// reports.
#pragma once

#include <optional>
#include <string>

namespace artel::tool {

// The policy that a program started from here would get.
struct page_policy {
    // always, madvise, never: the machine's setting for transparent huge pages; empty if the kernel
    // has none.
    std::string system;
    // the same for this process and what it starts, after prctl; "always" where malloc asks for
    // them.
    std::string job;
    std::string reason;  // in words
    // glibc's malloc advises the kernel to use transparent huge pages.
    bool malloc_asks = false;
    bool malloc_huge = false;            // glibc's malloc takes explicit huge pages
    long huge_total = 0, huge_free = 0;  // explicit huge pages of 2 MiB
};

page_policy current_page_policy();

// Sets transparent huge pages to never, madvise or always for this process and everything that it
// will start, whatever an enclosing job has set. `explicit_pages`: set_huge_pages will be called
// afterwards. Throws command_error (run_failed) when the machine's setting or the kernel does not
// allow it, or malloc would have to use two kinds of huge pages at once.
void set_thp(const std::string& how, bool explicit_pages);

// Makes malloc of everything that this process will start take explicit huge pages. Warns when none
// are free: malloc then uses small ones.
void set_huge_pages();

}  // namespace artel::tool
