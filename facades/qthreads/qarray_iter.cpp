// Loops over qarrays: qthreads on the shepherd that owns a segment work on it.
#include "qarray.hpp"
#include "spawn.hpp"

#include <algorithm>
#include <artel/latch.hpp>
#include <cstring>

namespace artel::qthreads {
namespace {

struct walk {
    const qarray* array;
    std::size_t start;
    std::size_t stop;
    range_body body;
    void* context;
    const runtime* in;
    artel::latch left;
};

// One of `of` qthreads that share the segments of a shepherd.
struct walker {
    walk* on;
    unsigned shepherd;
    unsigned number;
    unsigned of;
};

std::uint64_t run_walker(void* argument)
{
    const walker me = *static_cast<walker*>(argument);
    walk& w = *me.on;
    const qarray& a = *w.array;
    const std::size_t part = me.shepherd * w.in->workers_per_shepherd + me.number;
    std::size_t seen = 0;
    for (std::size_t s = w.start / a.segment_size; s * a.segment_size < w.stop; ++s) {
        if (owner_of(a, s, *w.in) == me.shepherd && seen++ % me.of == me.number) {
            w.body(w.context, part, std::max(w.start, s * a.segment_size),
                   std::min(w.stop, (s + 1) * a.segment_size));
        }
    }
    w.left.count_down();  // the loop may have ended, and `w` with it
    return 0;
}

}  // namespace

std::size_t parts_of(const runtime& r) noexcept
{
    return std::size_t{r.shepherds} * r.workers_per_shepherd;
}

// The owners of segments must not change meanwhile.
void on_owners(const qarray& a, std::size_t start, std::size_t stop, range_body body, void* context)
{
    stop = std::min(stop, a.count);
    if (start >= stop) {
        return;
    }
    const runtime& r = needed("qarray_iter");
    std::vector<std::size_t> segments(r.shepherds);
    for (std::size_t s = start / a.segment_size; s * a.segment_size < stop; ++s) {
        ++segments[owner_of(a, s, r)];
    }
    std::size_t walkers = 0;
    for (std::size_t& n : segments) {
        n = std::min<std::size_t>(n, r.workers_per_shepherd);
        walkers += n;
    }
    walk w{&a, start, stop, body, context, &r, artel::latch(static_cast<std::ptrdiff_t>(walkers))};
    for (unsigned shepherd = 0; shepherd < r.shepherds; ++shepherd) {
        const auto of = static_cast<unsigned>(segments[shepherd]);
        for (unsigned i = 0; i < of; ++i) {
            const walker one{&w, shepherd, i, of};
            if (spawn(run_walker, &one, sizeof one, nullptr, 0, nullptr,
                      static_cast<shepherd_id>(shepherd), 0) != 0) {
                walker here = one;
                run_walker(&here);
            }
        }
    }
    w.left.wait();
}

namespace {

using loop_function = void (*)(std::size_t from, std::size_t to, qarray* array, void* argument);
using reducing_function = void (*)(std::size_t from, std::size_t to, qarray* array, void* argument,
                                   void* result);
using accumulation = void (*)(void* into, const void* from);

struct loop {
    qarray* array;
    std::size_t start;
    std::size_t stop;
    loop_function body;
    void* argument;
};

void run(const loop& l)
{
    loop copy = l;
    on_owners(
        *l.array, l.start, l.stop,
        [](void* context, std::size_t, std::size_t from, std::size_t to) {
            const loop& of = *static_cast<loop*>(context);
            of.body(from, to, of.array, of.argument);
        },
        &copy);
}

void for_each(qarray& a, std::size_t start, std::size_t stop, task_function body)
{
    struct {
        qarray* array;
        task_function body;
    } context{&a, body};
    on_owners(
        a, start, stop,
        [](void* argument, std::size_t, std::size_t from, std::size_t to) {
            const auto& of = *static_cast<decltype(context)*>(argument);
            for (std::size_t i = from; i < to; ++i) {
                of.body(of.array->at(i));
            }
        },
        &context);
}

// Each part has a result, and room for the result of its next range.
struct reduction {
    qarray* array;
    reducing_function body;
    void* argument;
    accumulation accumulate;
    std::size_t size;
    std::size_t stride;  // bytes between results, so that no two share a cache line
    std::vector<unsigned char> room;
    std::vector<unsigned char> any;  // whether the part has a result
};

void reduce_range(void* context, std::size_t part, std::size_t from, std::size_t to)
{
    auto& r = *static_cast<reduction*>(context);
    unsigned char* const result = r.room.data() + 2 * part * r.stride;
    if (r.any[part] == 0) {
        r.any[part] = 1;
        r.body(from, to, r.array, r.argument, result);
        return;
    }
    unsigned char* const next = result + r.stride;
    r.body(from, to, r.array, r.argument, next);
    r.accumulate(result, next);
}

void reduce(qarray& a, std::size_t start, std::size_t stop, reducing_function body, void* argument,
            void* out, std::size_t size, accumulation accumulate)
{
    constexpr std::size_t line = 128;
    const std::size_t parts = parts_of(needed("qarray_iter_loopaccum"));
    reduction r{&a, body, argument, accumulate, size, (size + line - 1) / line * line, {}, {}};
    r.room.resize(2 * parts * r.stride);
    r.any.resize(parts);
    on_owners(a, start, stop, reduce_range, &r);
    bool first = true;
    for (std::size_t part = 0; part < parts; ++part) {
        if (r.any[part] == 0) {
            continue;
        }
        unsigned char* const result = r.room.data() + 2 * part * r.stride;
        if (first) {
            std::memcpy(out, result, size);
            first = false;
        } else {
            accumulate(out, result);
        }
    }
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

// Without an array or a function nothing is done.
void qarray_iter(qarray* a, std::size_t start, std::size_t stop, task_function body)
{
    if (a != nullptr && body != nullptr) {
        for_each(*a, start, stop, body);
    }
}
void qarray_iter_loop(qarray* a, std::size_t start, std::size_t stop, loop_function body,
                      void* argument)
{
    if (a != nullptr && body != nullptr) {
        run({a, start, stop, body, argument});
    }
}
void qarray_iter_constloop(const qarray* a, std::size_t start, std::size_t stop,
                           void (*body)(std::size_t, std::size_t, const qarray*, void*),
                           void* argument)
{
    if (a == nullptr || body == nullptr) {
        return;
    }
    struct {
        const qarray* array;
        decltype(body) call;
        void* argument;
    } context{a, body, argument};
    on_owners(
        *a, start, stop,
        [](void* of, std::size_t, std::size_t from, std::size_t to) {
            const auto& c = *static_cast<decltype(context)*>(of);
            c.call(from, to, c.array, c.argument);
        },
        &context);
}
// In the background: `ret` is empty until the loop has ended.
void qarray_iter_loop_nb(qarray* a, std::size_t start, std::size_t stop, loop_function body,
                         void* argument, std::uint64_t* ret)
{
    const loop l{a, start, stop, body, argument};
    spawn(
        [](void* of) -> std::uint64_t {
            if (const loop& its = *static_cast<loop*>(of);
                its.array != nullptr && its.body != nullptr) {
                run(its);
            }
            return 0;
        },
        &l, sizeof l, ret, 0, nullptr, no_shepherd, 0);
}
void qarray_iter_loopaccum(qarray* a, std::size_t start, std::size_t stop, reducing_function body,
                           void* argument, void* out, std::size_t size, accumulation accumulate)
{
    if (a != nullptr && body != nullptr && accumulate != nullptr) {
        reduce(*a, start, stop, body, argument, out, size, accumulate);
    }
}
}
