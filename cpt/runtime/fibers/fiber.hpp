// Light threads for libraries whose tasks cannot be suspended. A fiber has a stack of its own; a
// task of the library carries it until it ends or is suspended, and another task carries it after
// it was resumed. These tasks never wait, so the libraries' restrictions on waiting tasks (that
// only their descendants run meanwhile) never apply.
#pragma once

#include <boost/context/fiber.hpp>

namespace cp {

struct fiber {
    boost::context::fiber own, carrier;
    void (*f)(void*) = nullptr;
    void* argument = nullptr;
    bool ended = false;
    void (*published)(void*, void*) = nullptr;  // of the present suspension
    void* of_published = nullptr;
    void* home = nullptr;  // for use by the library
    fiber* next = nullptr;
};

// Takes a fiber from a pool, to run f(argument).
fiber* make_fiber(void (*f)(void*), void* argument, void* home);
// Runs a fiber until it ends or is suspended: the body of a task of the library.
void carry(fiber* x);
// The fiber on which the caller runs, or null. Never inlined, because it reads thread-local
// storage.
fiber* carried();
// Whether the calling OS thread carries, or has just carried, a fiber for a task of the library.
bool in_stream();

}  // namespace cp
