// What the tests of the oneTBB interface have in common: programs against the stock headers, run
// with our library in its place.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#define CHECK(condition)                                                         \
    do {                                                                         \
        if (!(condition)) {                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                        \
        }                                                                        \
    } while (false)

// Looks, yields, and sleeps after a while, until the condition holds.
template <class Condition>
void wait_for(Condition condition)
{
    for (int looks = 0; !condition(); ++looks) {
        if (looks < 100) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    }
}

struct named_check {
    const char* name;
    void (*run)();
};

// All, or those that are named by words[first] and the words behind it. Says which it begins.
template <std::size_t count>
void run_checks(const named_check (&checks)[count], int words_count, char** words, int first = 1)
{
    for (const named_check& c : checks) {
        bool wanted = words_count == first;
        for (int i = first; i < words_count; ++i) {
            wanted = wanted || std::strcmp(words[i], c.name) == 0;
        }
        if (wanted) {
            std::fprintf(stderr, "%s\n", c.name);
            c.run();
        }
    }
}
