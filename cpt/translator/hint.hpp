// One line with `#pragma cp`: its clauses, and what they may contain.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cpt {

struct clause {
    std::string name, argument;
    std::size_t at = 0;  // in the line
};

struct hint {
    std::string line, file;
    unsigned number = 0;
    std::vector<clause> all;
    const clause* find(std::string_view name) const
    {
        for (const clause& c : all) {
            if (c.name == name) {
                return &c;
            }
        }
        return nullptr;
    }
};

// Reports an error in the line at offset `at`.
void report(const hint& h, std::size_t at, const std::string& why);

// Reads the clauses of h.line, which begin at `at`. `text`: the whole text, in which names are
// declared. Returns false after it has reported an error.
bool read_hint(const std::string& text, hint& h, std::size_t at);

}  // namespace cpt
