// qtimer_t, the size of a cache line, and hashing.
#include "base/cpu.hpp"

#include <chrono>
#include <cstdint>
#include <unistd.h>

namespace {

using clock = std::chrono::steady_clock;

struct timer {
    clock::time_point from{};
    clock::time_point to{};
};

}  // namespace

extern "C" {

timer* qtimer_create(void)
{
    return new timer;
}
void qtimer_destroy(timer* t)
{
    delete t;
}
void qtimer_start(timer* t)
{
    t->from = clock::now();
}
void qtimer_stop(timer* t)
{
    t->to = clock::now();
}
double qtimer_secs(timer* t)
{
    return std::chrono::duration<double>(t->to - t->from).count();
}
double qtimer_wtime(void)
{
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}
double qtimer_res(void)
{
    return std::chrono::duration<double>(clock::duration(1)).count();
}
unsigned long qtimer_fastrand(void)
{
    return (artel::base::cycles() * 0x9E3779B97F4A7C15u) >> 33;
}
int qthread_cacheline(void)
{
    const long line = ::sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    return line > 0 ? static_cast<int>(line) : 64;
}
}
