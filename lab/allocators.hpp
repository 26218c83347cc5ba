// The allocators with which Alloc is measured: glibc's with its default number of arenas, with one
// (all threads contend), with one for each task (none do), and with transparent huge pages; and the
// others that Debian has, preloaded. Together they show how much of a difference between threads
// and processes comes from the allocator and how much from the address space.
#pragma once

#include <string>
#include <vector>

namespace artel::lab {

struct allocator {
    const char* name;
    const char* library;  // to preload; empty for glibc's
    const char* package;  // of Debian
    bool for_processes;   // false: makes no difference to tasks with one thread each
    const char* meaning;
};

const std::vector<allocator>& allocators();

// Environment variables that choose the allocator for a job of so many tasks. Throws
// std::invalid_argument for an unknown name.
std::vector<std::string> allocator_environment(const std::string& name, unsigned tasks);

// Called in the job: empty if the allocator is in use, else how to get it. The dynamic linker only
// warns when a library to preload is missing.
std::string why_allocator_is_missing(const std::string& name);

}  // namespace artel::lab
