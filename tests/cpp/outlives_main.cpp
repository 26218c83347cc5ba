// The initial thread leaves by pthread_exit while light threads sleep, one of which keeps its OS
// thread meanwhile: the process ends when they have ended.
#include <artel/isolation.hpp>
#include <artel/light_thread.hpp>
#include <artel/sleep.hpp>
#include <chrono>
#include <cstdio>
#include <pthread.h>

int main()
{
    artel::light_thread([] {
        for (int i = 0; i < 3; ++i) {
            artel::this_light_thread::sleep_for(std::chrono::milliseconds(100));
        }
        std::puts("after main");
    }).detach();
    artel::light_thread([] {
        const artel::isolation keeps_its_thread;
        artel::this_light_thread::sleep_for(std::chrono::milliseconds(600));
        std::puts("last");
    }).detach();
    ::pthread_exit(nullptr);
}
