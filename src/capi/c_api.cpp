// The C interface: <artel.h>; what it says about workers is in workers.cpp.
#include "capi/c_loop.hpp"
#include "fiber/call_out.hpp"
#include "loop/serial.hpp"
#include "sched/crew.hpp"

#include <artel.h>
#include <artel/detail/short_loop.hpp>
#include <artel/isolation.hpp>
#include <artel/parallel_invoke.hpp>
#include <artel/width_scope.hpp>
#include <cerrno>
#include <new>

using artel::capi::call_range;

extern "C" void artel_parallel_for(int64_t begin, int64_t end, int64_t grain,
                                   void (*body)(void* context, int64_t begin, int64_t end),
                                   void* context)
{
    if (begin >= end) {
        return;
    }
    if (begin == end - 1) {
        [&]() noexcept { body(context, begin, end); }();
        return;
    }
    artel::capi::range_call c{body, context};
    const auto from = artel::capi::key_of(body);
    grain = grain > 0 ? grain : 1;
    if (const auto* const others = artel::loop::short_loop(
            from, artel::loop::iterations_between(begin, end));
        others != nullptr) {
        begin += artel::detail::run_in_fourths(
            end - begin, grain,
            [&](std::int64_t first, std::int64_t last) {
                call_range(&c, begin + first, begin + last, 0);
            },
            [&] { return others->none(); });
        if (begin == end) {
            return;
        }
    }
    begin = artel::loop::run_unshared(begin, end, grain, call_range, &c, from);
    if (begin == end) {
        return;
    }
    artel::loop::request r;
    r.begin = begin;
    r.end = end;
    r.grain = grain;
    r.body = call_range;
    r.context = &c;
    r.from = from;
    artel::loop::take_chosen(r);
    artel::loop::run(r);
}

extern "C" void artel_par_do(void (*left)(void* context), void* left_context,
                             void (*right)(void* context), void* right_context)
{
    artel::parallel_invoke([&]() noexcept { left(left_context); },
                           [&]() noexcept { right(right_context); });
}

extern "C" int artel_width_begin(unsigned most)
{
    const artel::fiber::call_out guard;
    auto* const scope = new (std::nothrow) artel::detail::width_budget;
    if (scope == nullptr) {
        return ENOMEM;
    }
    artel::detail::open_width(*scope, most);
    if (!scope->open) {
        delete scope;
    }
    return 0;
}

extern "C" void artel_width_end(void)
{
    if (artel::detail::width_budget* const scope = artel::sched::width_here(); scope != nullptr) {
        artel::detail::close_width(*scope);
        const artel::fiber::call_out guard;
        delete scope;
    }
}

extern "C" void artel_isolation_begin(void)
{
    artel::detail::open_isolation();
}

extern "C" void artel_isolation_end(void)
{
    if (const artel::sched::worker* const w = artel::sched::this_worker();
        w != nullptr && w->current->isolated != 0) {
        artel::detail::close_isolation();
    }
}
