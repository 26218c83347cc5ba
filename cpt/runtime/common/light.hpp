// The interface to a library of light threads. A folder beside this one implements it for each
// library; all the rest of OpenMP (teams, worksharing, tasks, locks) is built on these functions.
#pragma once

#include <string>
#include <vector>

namespace cp::light {

// A suspended light thread. The library owns it.
using handle = void*;

// The library's name in messages: the NAME of libcp-NAME.so.
extern const char* const name;

// Starts the library; called before the other functions. `streams`: the number of OS threads that
// run light threads. Throws std::runtime_error if it cannot be started.
void start(unsigned streams);

// Ends the library and its OS threads, so that the process may fork; it can be started again.
// Called by the thread that is about to fork, when all light threads have ended and no thread is
// inside `enter`. False: the library cannot be stopped, and goes on as before.
bool stop();

// Calls f(argument) for an OS thread that carries no light thread, so that f may use the functions
// below. Returns when f has returned.
void enter(void (*f)(void*), void* argument);

// Runs f(argument) on a new light thread, number `index` of `of` that belong together: a library
// that knows NUMA nodes distributes them in this order. Called by light threads only.
void spawn(void (*f)(void*), void* argument, unsigned index, unsigned of);

// The streams on these NUMA nodes; null if the library does not know where its streams are. May be
// called before the library is started. The part remains valid when the library ends.
void* open_part(const std::vector<unsigned>& nodes);
void close_part(void* part);
// Runs f(argument) on a new light thread in a part.
void spawn_in(void* part, void (*f)(void*), void* argument);

// Suspends the calling light thread until it is resumed; its stream runs others. `published(self,
// argument)` is called once resume(self) is allowed, possibly on another stack of the same OS
// thread; it must not wait. The light thread may continue on another OS thread.
void suspend(void (*published)(handle self, void* argument), void* argument);

// Resumes a suspended light thread. From any OS thread; once for each suspension. The caller must
// not touch anything of the light thread afterwards.
void resume(handle h);

// Lets other light threads run first.
void yield();

}  // namespace cp::light
