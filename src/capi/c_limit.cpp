// Requests to end early, in C: <artel/c/limit.h>.
#include "capi/c_limit.hpp"

#include <new>

extern "C" artel_stop* artel_stop_create(void)
{
    try {
        return new artel_stop;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

extern "C" void artel_stop_request(artel_stop* stop)
{
    stop->source.request_stop();
}

extern "C" int artel_stop_requested(const artel_stop* stop)
{
    return stop->source.stop_requested() ? 1 : 0;
}

extern "C" void artel_stop_destroy(artel_stop* stop)
{
    delete stop;
}
