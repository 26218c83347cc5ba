// Built in one pass in the order of the text, so that a question is one lookup of the nearest
// boundary before the place.
#include "nesting.hpp"

#include <limits>

namespace cpt {

using namespace clang;

nesting::nesting(const std::map<unsigned, const OMPExecutableDirective*>& directives,
                 const source_text& source)
{
    const place* open = nullptr;
    const auto close_up_to = [&](unsigned offset) {
        for (; open != nullptr && open->end <= offset; open = open->around) {
            from_[open->end] = open->around;
        }
    };
    for (const auto& [begin, d] : directives) {
        close_up_to(begin);
        places_.push_back({begin, source.end_of(d), d, open});
        open = &places_.back();
        from_[begin] = open;
    }
    close_up_to(std::numeric_limits<unsigned>::max());
}

const nesting::place* nesting::innermost(unsigned offset) const
{
    const auto behind = from_.upper_bound(offset);
    return behind == from_.begin() ? nullptr : std::prev(behind)->second;
}

}  // namespace cpt
