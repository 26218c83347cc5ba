// The smallest C++ program of a user: it must compile, link and run against an installation alone.
#include <artel.h>
#include <artel/artel.hpp>
#include <atomic>
#include <cstdio>

int main()
{
    std::atomic<int> sum{0};
    artel::parallel_for(0, 1000, [&](int i) { sum += i; });
    if (sum != 499500) {
        return 1;
    }
    std::printf("artel %s\n", artel_version());
    return 0;
}
