#include "promises.hpp"

#include "pragma_line.hpp"

#include <algorithm>

namespace cpt {

bool leave_out_promises(std::string& text)
{
    bool found = false;
    for (std::size_t at = text.find("pragma omp"); at != text.npos;
         at = text.find("pragma omp", at + 1)) {
        const std::size_t newline = text.rfind('\n', at);
        const std::size_t begin = newline == text.npos ? 0 : newline + 1;
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(begin, end - begin);
        std::size_t word = behind_pragma(line, "omp");
        if (word == 0) {
            continue;  // in a literal
        }
        word = skip_space(line, word);
        std::string first = line.substr(word, end_of_word(line, word) - word);
        if (first == "begin" || first == "end") {
            word = skip_space(line, word + first.size());
            first = line.substr(word, end_of_word(line, word) - word);
        }
        if (first == "nothing" || first == "assume" || first == "assumes") {
            text.replace(begin, line.size(), line.size(), ' ');
            found = true;
        }
    }
    return found;
}

}  // namespace cpt
