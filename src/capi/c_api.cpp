// The C interface: <artel.h>.
#include "loop/loop.hpp"
#include "sched/crew.hpp"

#include <artel.h>

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
                                   void (*body)(void* context, int64_t begin, int64_t end), void* context)
{
    call c{body, context};
    artel::loop::request r;
    r.begin = begin;
    r.end = end;
    r.grain = grain > 0 ? grain : 1;
    r.context = &c;
    r.body = [](void* given, std::int64_t first, std::int64_t last, unsigned) noexcept {
        const call& asked = *static_cast<const call*>(given);
        asked.body(asked.context, first, last);
    };
    artel::loop::take_chosen(r);
    artel::loop::run(r);
}
