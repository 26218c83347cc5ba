// A library whose constructor waits for a thread and for iterations that ask for values.
#include <artel/parallel_for.hpp>
#include <artel/per_light_thread.hpp>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<int> alive{0};

struct counted {
    counted() { ++alive; }
    counted(const counted&) { ++alive; }
    ~counted() { --alive; }
};

struct opened {
    opened()
    {
        artel::per_light_thread<counted> mine;
        std::thread([&] { mine.local(); }).join();
        if (alive != 0) {
            std::abort();
        }
        artel::parallel_for(0, 64, [&](int) {
            mine.local();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
    }
} when_opened;

}  // namespace
