// Warnings on stderr about a set-up, each kind once per process.
#pragma once

#include <cstddef>
#include <string>

namespace artel::coll {

// Prints why shared memory is not used. Any thread.
void say_once(const std::string& text);

struct page_facts {
    std::size_t ranks = 0;
    std::size_t astray = 0;       // pages that stay on other NUMA nodes than their ranks
    std::size_t with_strays = 0;  // ranks that have such
    // Ranks that may run on several NUMA nodes, and the first of them.
    std::size_t unbound = 0, first_unbound = 0;
};

// The lines of warning for the facts, "" if there are none. Pure.
std::string words_of_strays(const page_facts& facts);
std::string words_of_unbound(const page_facts& facts);
// Prints them. Any thread.
void tell(const page_facts& facts);

}  // namespace artel::coll
