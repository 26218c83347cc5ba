// Counts the visits of threads that use the library, and has the handlers of fork, which stop it
// when nobody does.
#include "library.hpp"

#include "light.hpp"
#include "private.hpp"
#include "settings.hpp"
#include "wait.hpp"

#include <pthread.h>

#include <atomic>
#include <exception>
#include <mutex>

namespace cp {

namespace {

std::mutex lock;
// Under the lock.
bool started = false;
unsigned visitors = 0;
bool watches_forks = false;
// Set by the only thread of a forked child, before the fork returns there.
std::atomic<bool> lost{false};

void before_fork()
{
    lock.lock();
    if (started && visitors == 0 && light::stop()) {
        started = false;
    }
    lock_private_variables();
}

void in_parent()
{
    unlock_private_variables();
    lock.unlock();
}

void in_child()
{
    if (started) {
        lost.store(true, std::memory_order_relaxed);  // relaxed: there is one thread
        waiting::forget_all();
    }
    in_parent();
}

}  // namespace

visit::visit()
{
    const std::lock_guard guard(lock);
    ++visitors;
    if (started) {
        return;
    }
    if (!watches_forks) {
        watches_forks = true;
        pthread_atfork(before_fork, in_parent, in_child);
    }
    try {
        light::start(streams());
    } catch (const std::exception& e) {
        fail(std::string("cannot start the runtime ") + light::name + ": " + e.what());
    }
    started = true;
}

visit::~visit()
{
    const std::lock_guard guard(lock);
    --visitors;
}

bool is_lost()
{
    return lost.load(std::memory_order_relaxed);  // relaxed: set before any other thread is made
}

}  // namespace cp
