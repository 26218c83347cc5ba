// The library of light threads as a whole. It is started by the first region that needs it, and
// stopped when the process forks, since its OS threads are not in the child: parent and child start
// it again when they need it. While light threads run it cannot be stopped; the child of such a
// fork has none, and its regions have one member each.
#pragma once

namespace cp {

// An OS thread's stay in the library, which is started where it is not running.
class visit {
public:
    visit();
    ~visit();
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
};

// In a child that has no light threads, and cannot make any.
bool is_lost();

}  // namespace cp
