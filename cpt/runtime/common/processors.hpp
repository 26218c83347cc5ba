// Which CPUs the process may use, and which NUMA nodes they belong to.
#pragma once

#include <string>
#include <vector>

namespace cp {

// The nodes of a list such as 0,2-3; empty: it is none, or names a node that is not there.
std::vector<unsigned> nodes_of(const std::string& list);
// The CPUs of the nodes (none: of all) that the process may use. As it was when first asked.
std::vector<unsigned> processors(const std::vector<unsigned>& nodes);
// Binds the calling OS thread to one of these CPUs.
void bind_to(unsigned processor);
// To all of them.
void bind_to(const std::vector<unsigned>& processors);

}  // namespace cp
