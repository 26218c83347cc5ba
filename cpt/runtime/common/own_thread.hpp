// For libraries of light threads that take the OS thread which starts them for one of theirs, and
// want to be ended by the same one.
#pragma once

#include <exception>
#include <future>
#include <thread>

namespace cp {

// Lives as long as the process: the thread waits in it.
class own_thread {
public:
    // Calls begin(streams) on a new OS thread, which then sleeps: by `sleep`, where it is one of
    // the library's streams and can only sleep as a light thread. Returns when `begin` has, or
    // throws what it throws.
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
    // Calls end() there, having ended its sleep by `wake`; the thread has ended when this returns.
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
