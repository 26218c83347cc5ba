// For libraries of light threads that use the OS thread which starts them as one of theirs, and
// have to be ended by the same thread.
#pragma once

#include <exception>
#include <future>
#include <thread>

namespace cp {

// Never destroyed: the thread waits in it.
class own_thread {
public:
    // Calls begin(streams) on a new OS thread, which then sleeps. It calls `sleep` for that if it
    // is one of the library's streams, and so has to sleep as a light thread. Returns when `begin`
    // has returned, or throws what it throws.
    void start(void (*begin)(unsigned), unsigned streams, void (*sleep)() = nullptr)
    {
        std::promise<void> started;
        end_ = std::promise<void (*)()>();
        stopped_ = std::promise<void>();
        std::thread([this, &started, begin, streams, sleep] {
            std::future<void (*)()> end = end_.get_future();
            try {
                begin(streams);
            } catch (...) {
                started.set_exception(std::current_exception());
                return;
            }
            started.set_value();
            if (sleep != nullptr) {
                sleep();
            }
            end.get()();
            stopped_.set_value_at_thread_exit();
        }).detach();
        started.get_future().get();
    }
    // Wakes the thread (by `wake`), calls end() on it, and returns when it has ended.
    void stop(void (*end)(), void (*wake)() = nullptr)
    {
        end_.set_value(end);
        if (wake != nullptr) {
            wake();
        }
        stopped_.get_future().get();
    }

private:
    std::promise<void (*)()> end_;
    std::promise<void> stopped_;
};

}  // namespace cp
