// The smallest C++ program of a user: it must compile, link and run against an installation alone.
#include <artel.h>
#include <cstdio>

int main()
{
    std::printf("artel %s\n", artel_version());
    return 0;
}
