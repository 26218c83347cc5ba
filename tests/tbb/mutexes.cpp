// Mutexes of oneTBB that sleep in the library. A check hangs where somebody is kept out for ever.
#include "check.hpp"

#define TBB_PREVIEW_MUTEXES 1
#include <atomic>
#include <chrono>
#include <oneapi/tbb.h>
#include <oneapi/tbb/rw_mutex.h>
#include <thread>

namespace {

// One that waits to write sleeps, and another writer comes before it, which takes back the mark
// that a writer waits. It must be set again, or readers whose stays overlap would keep it out.
void check_writer_comes()
{
    tbb::rw_mutex m;
    for (int round = 0; round < 3; ++round) {
        std::atomic<bool> has_come{false};
        m.lock();
        std::thread waits([&] {
            m.lock();
            has_come = true;
            m.unlock();
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        m.unlock();
        if (m.try_lock()) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            m.unlock();
            if (m.try_lock_shared()) {
                // One is in all the time, another one comes and goes.
                while (!has_come && m.try_lock_shared()) {
                    m.unlock_shared();
                    std::this_thread::sleep_for(std::chrono::microseconds(50));
                }
                m.unlock_shared();
            }
        }
        waits.join();
    }
}

constexpr named_check checks[] = {
    {"writer_comes", check_writer_comes},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
