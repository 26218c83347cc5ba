// Converts the C interface's structures for limits to those of C++. Inside src/capi only.
#pragma once

#include <artel/c/limit.h>
#include <artel/limit.hpp>
#include <stop_token>

struct artel_stop {
    std::stop_source source;
};

namespace artel::capi {

// May throw std::bad_alloc. nullptr: no limit.
inline limit limit_of(const artel_limit* asked)
{
    limit result;
    if (asked != nullptr) {
        result.concurrency = asked->concurrency;
        if (asked->numa_count != 0) {
            result.numas.assign(asked->numas, asked->numas + asked->numa_count);
        }
        if (asked->stop != nullptr) {
            result.stop = asked->stop->source.get_token();
        }
    }
    return result;
}

}  // namespace artel::capi
