// A function that is called at the end of the thread that loads the library, which is the main
// thread as a rule; the end of the process by exit() counts if that thread calls it. For what
// thread_end_key tells of other threads: there is no key's destructor at the end of a process.
//
// It is the destructor of a thread_local object, and to announce one the C library takes the
// dynamic linker's lock. A constructor of the library may do that: who loads it holds the lock
// already. As the first of its thread's it is destroyed after the others.
#pragma once

namespace artel::foreign {

template <void (*at_end)() noexcept>
struct loading_thread_end {
    ~loading_thread_end() { at_end(); }

    // For constructors of the library, that is to initialise a static variable.
    static bool announce() noexcept
    {
        [[maybe_unused]] thread_local const loading_thread_end here;
        return true;
    }
};

}  // namespace artel::foreign
