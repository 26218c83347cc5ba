// The common case: one loop over the items of a problem, verified before and after it is sampled.
#pragma once

#include <memory>

#include "session.hpp"

namespace artel::bench {

// Work is a struct of static functions: type, make(size), free(p), items(p), item(p, i), forget(p),
// wrong(p) (-1 when all is right).
template <class Work, class Competitor>
void run_flat(const session& s, Competitor& competitor, const char* name, long size)
{
    const std::unique_ptr<typename Work::type, void (*)(typename Work::type*)> owner(
        Work::make(size), Work::free);
    auto* const problem = owner.get();
    const auto once = [&] {
        competitor.each(Work::items(problem), [problem](long i) { Work::item(problem, i); });
    };
    const auto check = [&] {
        Work::forget(problem);
        once();
        const long wrong = Work::wrong(problem);
        s.verify(wrong < 0, "item " + std::to_string(wrong));
    };
    check();
    s.sample(name, size, once);
    check();
}

}  // namespace artel::bench
