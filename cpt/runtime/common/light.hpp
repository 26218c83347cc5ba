// What the common part asks of a library of light threads: a folder beside this one implements it
// for each. Everything else of OpenMP (teams, worksharing, tasks, locks) stands on these functions.
#pragma once

#include <string>
#include <vector>

namespace cp::light {

// A light thread that waits. It belongs to the library.
using handle = void*;

// What the library is called in messages: the NAME of libcp-NAME.so.
extern const char* const name;

// Starts the library, before any other of these functions; `streams` is how many OS threads are to
// run light threads at once. Throws std::runtime_error where it cannot be started.
void start(unsigned streams);

// Ends the library and its OS threads, so that the process may fork; it can be started again. All
// light threads have done what they were made for, and nobody is inside `enter`. Called by the
// thread that is about to fork. False: the library cannot, and goes on as before.
bool stop();

// Calls f(argument) from an OS thread that carries no light thread, as one of the library's: in f
// the functions below may be used. Returns when f has.
void enter(void (*f)(void*), void* argument);

// f(argument) on a new light thread, the index-th of `of` that belong together: a library that
// knows of NUMA nodes spreads them in this order. Light threads only.
void spawn(void (*f)(void*), void* argument, unsigned index, unsigned of);

// The streams on these NUMA nodes. Null: the library does not know where its streams are. It may be
// opened before the library is started, and stays when that is ended.
void* open_part(const std::vector<unsigned>& nodes);
void close_part(void* part);
// f(argument) on a new light thread in a part.
void spawn_in(void* part, void (*f)(void*), void* argument);

// Takes the calling light thread off its stream until it is resumed; the stream goes on with
// others. `published(self, argument)` is called when resume(self) is allowed, maybe by another
// stack of the same OS thread; it must not wait. The light thread may go on on another OS thread.
void suspend(void (*published)(handle self, void* argument), void* argument);

// Makes a suspended light thread go on. From any OS thread; once for each suspension. Nothing of
// the light thread's may be touched afterwards.
void resume(handle h);

// Lets other light threads go first.
void yield();

}  // namespace cp::light
