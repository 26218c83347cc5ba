// For libraries of light threads that take the OS thread which starts them for one of theirs.
#pragma once

#include <unistd.h>

#include <exception>
#include <future>
#include <thread>

namespace cp {

// Calls begin(streams) on a new OS thread, which then sleeps for as long as the process lives.
// Returns when `begin` has, or throws what it throws.
inline void begin_on_own_thread(void (*begin)(unsigned), unsigned streams)
{
    std::promise<void> started;
    std::thread([&started, begin, streams] {
        try {
            begin(streams);
            started.set_value();
        } catch (...) {
            started.set_exception(std::current_exception());
            return;
        }
        while (true) {
            pause();
        }
    }).detach();
    started.get_future().get();
}

}  // namespace cp
