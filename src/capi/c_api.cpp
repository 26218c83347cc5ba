// The C interface: <artel.h>.
#include "loop/serial.hpp"
#include "sched/crew.hpp"

#include <artel.h>
#include <artel/detail/short_loop.hpp>

namespace {

struct call {
    void (*body)(void*, std::int64_t, std::int64_t);
    void* context;
};

}  // namespace

extern "C" unsigned artel_num_threads(void)
{
    return artel::sched::crew::get().width();
}

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
    call c{body, context};
    const artel::loop::range_body run = [](void* given, std::int64_t first, std::int64_t last,
                                           unsigned) noexcept {
        const call& asked = *static_cast<const call*>(given);
        asked.body(asked.context, first, last);
    };
    const auto from = reinterpret_cast<artel::loop::place_key>(body);
    grain = grain > 0 ? grain : 1;
    if (const auto* const others = artel::loop::short_loop(
            from, artel::loop::iterations_between(begin, end));
        others != nullptr) {
        begin += artel::detail::run_in_fourths(
            end - begin, grain,
            [&](std::int64_t first, std::int64_t last) { run(&c, begin + first, begin + last, 0); },
            [&] { return others->none(); });
        if (begin == end) {
            return;
        }
    }
    begin = artel::loop::run_unshared(begin, end, grain, run, &c, from);
    if (begin == end) {
        return;
    }
    artel::loop::request r;
    r.begin = begin;
    r.end = end;
    r.grain = grain;
    r.body = run;
    r.context = &c;
    r.from = from;
    artel::loop::take_chosen(r);
    artel::loop::run(r);
}
