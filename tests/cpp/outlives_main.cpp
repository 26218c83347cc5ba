// The initial thread leaves by pthread_exit while a light thread sleeps: the process ends when that
// one has ended.
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
    ::pthread_exit(nullptr);
}
