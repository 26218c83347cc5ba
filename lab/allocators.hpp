// The allocators that Alloc is measured with: glibc's with its default number of arenas, with one
// (all threads contend) and with one for each task (none do), asking for transparent huge pages,
// and the others that Debian has, preloaded. Together they tell how much of a difference between
// threads and processes is the allocator's and how much is left for the address space.
#pragma once

#include <string>
#include <vector>

namespace artel::lab {

struct allocator {
    const char* name;
    const char* library;  // to preload; empty for glibc's
    const char* package;  // of Debian
    bool for_processes;   // or does it mean nothing to tasks with one thread each?
    const char* meaning;
};

const std::vector<allocator>& allocators();

// Environment variables that choose the allocator for a job of so many tasks. Throws
// std::invalid_argument for an unknown name.
std::vector<std::string> allocator_environment(const std::string& name, unsigned tasks);

// In the job: empty if the allocator is the one in use, else how to get it. The dynamic linker only
// warns about a library to preload that is missing.
std::string why_allocator_is_missing(const std::string& name);

}  // namespace artel::lab
