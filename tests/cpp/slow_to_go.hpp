// An object whose end takes a while, and is counted then; and a flag that an OS thread waits for.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace test {

class slow_to_go {
public:
    explicit slow_to_go(std::atomic<int>& gone) : gone_(&gone) {}
    slow_to_go(slow_to_go&& other) noexcept : gone_(std::exchange(other.gone_, nullptr)) {}
    slow_to_go& operator=(slow_to_go&&) = delete;
    ~slow_to_go()
    {
        if (gone_ != nullptr) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            ++*gone_;
        }
    }

private:
    std::atomic<int>* gone_;
};

class flag {
public:
    void raise() noexcept
    {
        raised_ = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    void wait() const noexcept
    {
        while (!raised_) {
            std::this_thread::yield();
        }
    }

private:
    std::atomic<bool> raised_{false};
};

}  // namespace test
