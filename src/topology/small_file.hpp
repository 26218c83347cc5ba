// Reads a /proc or /sys file whole, by read(2): no stdio or iostream, whose buffers and locks
// belong to the host program.
#pragma once

#include <string>

namespace artel::topology {

// The contents of the file (at most 16 MiB); false if it cannot be opened or read, `content` is
// then unspecified. Retries on EINTR. Any thread; may throw bad_alloc, and never leaks the
// descriptor.
bool read_small_file(const std::string& path, std::string& content);

}  // namespace artel::topology
