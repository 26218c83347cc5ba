// Which CPUs the process may use, and which NUMA nodes they belong to.
#pragma once

#include <string>
#include <vector>

namespace cp {

// The nodes of a list such as 0,2-3; empty if it is no list, or names a node that does not exist.
std::vector<unsigned> nodes_of(const std::string& list);
// The CPUs of these nodes (empty: of all nodes) that the process may use, as found at the first
// call.
std::vector<unsigned> processors(const std::vector<unsigned>& nodes);
// Binds the calling OS thread to one of these CPUs.
void bind_to(unsigned processor);
// Binds the calling OS thread to all of these CPUs.
void bind_to(const std::vector<unsigned>& processors);

}  // namespace cp
