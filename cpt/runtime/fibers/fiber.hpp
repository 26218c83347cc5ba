// Light threads for libraries whose tasks cannot be suspended: a fiber with a stack of its own,
// which a task of the library carries until the fiber ends or is suspended; another task carries it
// on. Such a task never waits for anything, so what the library demands of tasks that wait (that
// only their descendants run meanwhile) can never keep one from running.
#pragma once

#include <boost/context/fiber.hpp>

namespace cp {

struct fiber {
    boost::context::fiber own, carrier;
    void (*f)(void*) = nullptr;
    void* argument = nullptr;
    bool ended = false;
    void (*published)(void*, void*) = nullptr;  // of the suspension that is under way
    void* of_published = nullptr;
    void* home = nullptr;  // the library's
    fiber* next = nullptr;
};

// A fiber that is to run f(argument), out of a pool.
fiber* make_fiber(void (*f)(void*), void* argument, void* home);
// Runs a fiber until it ends or is suspended: what a task of the library does.
void carry(fiber* x);
// The fiber that the caller runs on; null: none. Never inlined, as it reads thread-local storage.
fiber* carried();
// Does the calling OS thread carry, or has just carried, a fiber for a task of the library?
bool in_stream();

}  // namespace cp
