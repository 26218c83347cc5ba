// The qt_loop functions. The variants of the interface (simple, sv, dc, aligned, sinc) differ in
// how the caller waits; here they are all the same.
#include "loop.hpp"

#include "base/thread_end.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <array>
#include <artel/sinc.hpp>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace artel::qthreads {
namespace {

struct loop {
    piece body;
    void* context;
    // Not a latch, whose wait spins first: some of the parts run on the caller's own stream.
    artel::sinc left;
};

struct part {
    loop* of;
    std::size_t number;
    std::size_t from;
    std::size_t to;
};

// No exception can be passed on, on whichever qthread the part runs: the others use the loop, which
// lies on the stack of the caller.
void call_body(const part& p) noexcept
{
    base::call_program([&] { p.of->body(p.of->context, p.number, p.from, p.to); });
}

std::uint64_t run_part(void* argument)
{
    const part& p = *static_cast<const part*>(argument);
    call_body(p);
    p.of->left.submit();  // the loop and the part may be freed
    return 0;
}

// Runs the part on the calling qthread as if on a qthread of its own: with task-local data, values
// of keys and a barrier of its own, and without a place for a result. The caller is on its own
// shepherd afterwards.
void run_on_caller(const part& p)
{
    task& me = *self();
    const auto home = static_cast<shepherd_id>(own_stream()->source->number);
    void* const local = std::exchange(me.local, nullptr);
    const std::size_t size = std::exchange(me.local_size, 0);
    const specifics kept = std::exchange(me.kept, {});
    void* const barrier = std::exchange(me.barrier, nullptr);
    void* const result = std::exchange(me.result, nullptr);
    call_body(p);
    end_specifics(me.kept);
    me.kept = kept;
    me.barrier = barrier;
    me.result = result;
    std::free(std::exchange(me.local, local));
    me.local_size = size;
    // There is no stream if the body has begun a blocking action and not ended it.
    if (const sched::stream* const s = own_stream(); s == nullptr || s->source->number != home) {
        const sched::guest_scope scope;
        sched::move_to(needed("qt_loop").pool_of(home));
    }
}

}  // namespace

std::size_t usual_pieces()
{
    runtime& r = needed("qt_loop_balance");
    std::size_t n = 0;
    for (unsigned i = 0; i < r.worker_on.size(); ++i) {
        // relaxed: a number that may change at any time.
        n += r.is_on(i / r.workers_per_shepherd) && r.worker_on[i].load(std::memory_order_relaxed);
    }
    return std::max<std::size_t>(n, 1);
}

void run_pieces(std::size_t start, std::size_t stop, std::size_t pieces, piece body, void* context)
{
    if (start >= stop) {
        return;
    }
    const std::size_t all = stop - start;
    const std::size_t n = std::min(pieces, all);
    const runtime& r = needed("qt_loop");
    // The caller itself runs the last part for its own shepherd: no other worker would begin that
    // part before the caller waits.
    const sched::stream* const s = own_stream();
    const unsigned here = s != nullptr ? s->source->number : 0;
    const bool has_own = s != nullptr && here < n;
    const std::size_t own = has_own ? n - 1 - (n - 1 - here) % r.shepherds : n;
    loop l{body, context, artel::sinc(static_cast<std::ptrdiff_t>(n - (has_own ? 1 : 0)))};
    // The first parts lie on the stack of the caller, which waits for them, so they need no
    // allocation.
    std::array<part, 16> parts;
    part mine{};
    std::size_t from = start;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t to = from + all / n + (i < all % n ? 1 : 0);
        part p{&l, i, from, to};
        if (i == own) {
            mine = p;
            from = to;
            continue;
        }
        const bool kept = i < parts.size();
        if (spawn(run_part, kept ? &(parts[i] = p) : &p, kept ? 0 : sizeof p, nullptr, 0, nullptr,
                  static_cast<shepherd_id>(i % r.shepherds), 0) != 0) {
            run_part(&p);
        }
        from = to;
    }
    if (has_own) {
        run_on_caller(mine);
    }
    l.left.wait();
}

namespace {

using loop_function = void (*)(std::size_t from, std::size_t to, void* argument);

struct plain {
    loop_function body;
    void* argument;
    static void call(void* context, std::size_t, std::size_t from, std::size_t to)
    {
        const plain& p = *static_cast<plain*>(context);
        p.body(from, to, p.argument);
    }
};

void each(std::size_t start, std::size_t stop, loop_function body, void* argument)
{
    plain p{body, argument};
    run_pieces(start, stop, stop > start ? stop - start : 0, plain::call, &p);
}

void balanced(std::size_t start, std::size_t stop, loop_function body, void* argument)
{
    plain p{body, argument};
    run_pieces(start, stop, usual_pieces(), plain::call, &p);
}

using reducing_function = void (*)(std::size_t from, std::size_t to, void* argument, void* result);
using accumulation = void (*)(void* into, const void* from);

struct reduction {
    reducing_function body;
    void* argument;
    std::size_t stride;  // between results, so that no two share a cache line
    unsigned char* results;
    static void call(void* context, std::size_t number, std::size_t from, std::size_t to)
    {
        const reduction& r = *static_cast<reduction*>(context);
        r.body(from, to, r.argument, r.results + number * r.stride);
    }
};

void accumulated(std::size_t start, std::size_t stop, std::size_t size, void* out,
                 reducing_function body, void* argument, accumulation accumulate)
{
    if (start >= stop) {
        return;
    }
    const std::size_t n = std::min(usual_pieces(), stop - start);
    const std::size_t stride = (size + 127) / 128 * 128;
    std::vector<unsigned char> results(n * stride);
    reduction r{body, argument, stride, results.data()};
    run_pieces(start, stop, n, reduction::call, &r);
    std::memcpy(out, results.data(), size);
    for (std::size_t i = 1; i < n; ++i) {
        accumulate(out, results.data() + i * stride);
    }
}

}  // namespace
}  // namespace artel::qthreads

// All with the same arguments.
#define ARTEL_LOOP(name, kind)                                                          \
    void name(std::size_t start, std::size_t stop, artel::qthreads::loop_function body, \
              void* argument)                                                           \
    {                                                                                   \
        artel::qthreads::kind(start, stop, body, argument);                             \
    }
#define ARTEL_LOOPACCUM(name)                                                             \
    void name(std::size_t start, std::size_t stop, std::size_t size, void* out,           \
              artel::qthreads::reducing_function body, void* argument,                    \
              artel::qthreads::accumulation accumulate)                                   \
    {                                                                                     \
        artel::qthreads::accumulated(start, stop, size, out, body, argument, accumulate); \
    }

extern "C" {

ARTEL_LOOP(qt_loop, each)
ARTEL_LOOP(qt_loop_simple, each)
ARTEL_LOOP(qt_loop_sv, each)
ARTEL_LOOP(qt_loop_dc, each)
ARTEL_LOOP(qt_loop_aligned, each)
ARTEL_LOOP(qt_loop_sinc, each)
ARTEL_LOOP(qt_loop_balance, balanced)
ARTEL_LOOP(qt_loop_balance_simple, balanced)
ARTEL_LOOP(qt_loop_balance_sv, balanced)
ARTEL_LOOP(qt_loop_balance_dc, balanced)
ARTEL_LOOP(qt_loop_balance_aligned, balanced)
ARTEL_LOOP(qt_loop_balance_sinc, balanced)
ARTEL_LOOPACCUM(qt_loopaccum_balance)
ARTEL_LOOPACCUM(qt_loopaccum_balance_sv)
ARTEL_LOOPACCUM(qt_loopaccum_balance_dc)
ARTEL_LOOPACCUM(qt_loopaccum_balance_sinc)
}
