// Start and stop of the library of light threads. The first region that needs it starts it. It is
// stopped when the process forks, because the child does not have its OS threads; parent and child
// start it again when they need it. While light threads run it cannot be stopped: the child of such
// a fork has no light threads, and its regions have one member each.
#pragma once

namespace cp {

// Keeps the library running for the length of a block, and starts it if necessary.
class visit {
public:
    visit();
    ~visit();
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
};

// True in a forked child that cannot have light threads.
bool is_lost();

}  // namespace cp
