// For libraries of light threads in which other OS threads cannot take part: such a thread passes a
// function to the library, and sleeps until it has run.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace cp {

class outside_call {
public:
    outside_call(void (*f)(void*), void* argument) : f_(f), argument_(argument) {}

    // To be called on a light thread, once.
    static void run(void* call)
    {
        auto* const c = static_cast<outside_call*>(call);
        c->f_(c->argument_);
        std::atomic<int>& done = c->done_;
        done.store(1, std::memory_order_release);  // release: pairs with wait; afterwards the call
                                                   // may not exist
        syscall(SYS_futex, &done, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
    void wait()
    {
        // acquire: pairs with run.
        while (done_.load(std::memory_order_acquire) == 0) {
            syscall(SYS_futex, &done_, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
        }
    }

private:
    void (*f_)(void*);
    void* argument_;
    std::atomic<int> done_{0};
};

}  // namespace cp
