// Values of OS threads where the dynamic linker's lock is taken: the argument is a library, made of
// opening_part.cpp, whose constructor waits for threads that ask for some. And those of the main
// thread end with the process.
#include <artel/per_light_thread.hpp>
#include <cstdlib>
#include <dlfcn.h>
#include <iostream>

namespace {

bool thread_locals_are_gone = false;

struct of_the_thread {
    int value = 0;
    ~of_the_thread() { thread_locals_are_gone = true; }
};
thread_local of_the_thread before;

struct last {
    ~last()
    {
        if (armed) {
            std::_Exit(thread_locals_are_gone ? 0 : 2);
        }
    }
    bool armed = false;
};
artel::per_light_thread<last> at_end;

}  // namespace

int main(int, char** arguments)
{
    at_end.local().armed = true;
    before.value = 1;
    if (::dlopen(arguments[1], RTLD_NOW) == nullptr) {
        std::cerr << ::dlerror() << '\n';
        return 3;
    }
    return 1;  // the destructor of the value says 0
}
