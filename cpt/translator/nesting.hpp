// Which directives of a function enclose a place of its text.
#pragma once

#include "source_text.hpp"

#include <deque>

namespace cpt {

class nesting {
public:
    struct place {
        unsigned begin, end;  // of the directive with its statement
        const clang::OMPExecutableDirective* what;
        const place* around;  // nullptr: none
    };

    nesting() = default;
    // `directives`: by the offset of '#'.
    nesting(const std::map<unsigned, const clang::OMPExecutableDirective*>& directives,
            const source_text& source);
    // Not to be copied, as places point to each other.
    nesting(nesting&&) = default;
    nesting& operator=(nesting&&) = default;

    // The innermost directive that contains `offset`; nullptr: none.
    const place* innermost(unsigned offset) const;

private:
    std::deque<place> places_;
    std::map<unsigned, const place*> from_;  // what is innermost from there on
};

}  // namespace cpt
