// hw_pool: plain OS threads that each run a function once. The stock library exports these
// functions without declaring them to programs. They do not use the crew.
#include "foreign/fork_safe_lock.hpp"

#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using function = int (*)(void* argument);
enum status { success, already_there, no_threads, out_of_memory, other_error };

artel::foreign::fork_safe_lock guard;
std::uint32_t threads = 0;  // 0: there is no pool

}  // namespace

extern "C" {

int hw_pool_init(std::uint32_t wanted)
{
    const std::scoped_lock hold(guard);
    if (threads != 0) {
        return already_there;
    }
    threads = wanted;
    return wanted != 0 ? success : no_threads;
}
void hw_pool_destroy(void)
{
    const std::scoped_lock hold(guard);
    threads = 0;
}
// Returns when all have returned.
void hw_pool_run_on_all(function f, void* argument)
{
    guard.lock();
    const std::uint32_t n = threads;
    guard.unlock();
    std::vector<std::thread> all;
    try {
        while (all.size() < n) {
            all.emplace_back([=] { f(argument); });
        }
    } catch (const std::exception&) {  // no more threads or no memory: the caller runs the rest
        for (std::size_t i = all.size(); i < n; ++i) {
            f(argument);
        }
    }
    for (std::thread& t : all) {
        t.join();
    }
}
}
