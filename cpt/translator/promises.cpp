// Changes the text in place: removed directives become blanks, and those for the compiler get
// another word of three letters in place of `omp`, so all offsets stay valid.
#include "promises.hpp"

#include "pragma_line.hpp"

#include <algorithm>

namespace cpt {

namespace {

// The word that replaces "omp".
constexpr const char* hidden = "cp_";

// Calls f(begin, line) for each line that has the words in it.
template <class F>
void for_each_line(const std::string& text, const std::string& words, const F& f)
{
    for (std::size_t at = text.find(words); at != text.npos;) {
        const std::size_t newline = text.rfind('\n', at);
        const std::size_t begin = newline == text.npos ? 0 : newline + 1;
        const std::size_t end = std::min(text.find('\n', at), text.size());
        f(begin, text.substr(begin, end - begin));
        at = text.find(words, end);
    }
}

}  // namespace

bool hide_directives(std::string& text)
{
    bool found = false;
    const std::string original = text;
    for_each_line(original, "omp", [&](std::size_t begin, const std::string& line) {
        const std::size_t behind = behind_pragma(line, "omp");
        if (behind == 0) {
            return;  // the words are in a literal, or part of another word
        }
        std::size_t word = skip_space(line, behind);
        const auto next = [&] {
            const std::size_t from = word;
            const std::size_t end = end_of_word(line, from);
            word = skip_space(line, end);
            return line.substr(from, end - from);
        };
        std::string first = next();
        if (first == "begin" || first == "end") {
            first = next();
        }
        if (first == "nothing" || first == "assume" || first == "assumes") {
            text.replace(begin, line.size(), line.size(), ' ');
            found = true;
        } else if (first == "flush" && next() == "seq_cst") {
            // The word is removed, as Clang 19 does not know it here: flush means the same without
            // it.
            const std::size_t at = line.find("seq_cst", behind);
            text.replace(begin + at, 7, 7, ' ');
            found = true;
        } else if (first == "declare" && next() == "simd") {
            text.replace(begin + behind - 3, 3, hidden);
            found = true;
        }
    });
    return found;
}

bool asks_for_variants(const std::string& line)
{
    return behind_pragma(line, hidden) != 0;
}

std::string with_variants(const std::string& text)
{
    std::string all = text;
    for_each_line(text, hidden, [&](std::size_t begin, const std::string& line) {
        if (const std::size_t behind = behind_pragma(line, hidden); behind != 0) {
            all.replace(begin + behind - 3, 3, "omp");
        }
    });
    return all;
}

}  // namespace cpt
