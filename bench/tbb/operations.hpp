// How an operation is timed, and which ones are.
#pragma once

#include "rounds.hpp"

#include <cstring>
#include <functional>
#include <string>

// Operations whose names contain this are measured, others left out.
inline std::string only;

inline double now()
{
    return measure_now() * 1e9;
}

// `round` does so many operations and returns how long they took, in nanoseconds.
inline void measure(const char* name, double operations, const std::function<double()>& round)
{
    if (std::strstr(name, only.c_str()) != nullptr) {
        print_rounds(name, 1, [&] { return round() / operations; });
    }
}

template <class Body>
double timed(Body body)
{
    const double begin = now();
    body();
    return now() - begin;
}
