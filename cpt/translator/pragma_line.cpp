// Works on offsets in one line, and allows blanks wherever the language does (`#  pragma   omp`).
#include "pragma_line.hpp"

#include "words.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace cpt {

bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

std::size_t skip_space(const std::string& s, std::size_t at)
{
    while (at < s.size() && is_space(s[at])) {
        ++at;
    }
    return at;
}

std::size_t end_of_word(const std::string& s, std::size_t at)
{
    while (at < s.size() && word_character(s[at])) {
        ++at;
    }
    return at;
}

std::size_t behind_pragma(const std::string& line, std::string_view what)
{
    std::size_t at = skip_space(line, 0);
    if (at >= line.size() || line[at] != '#') {
        return 0;
    }
    for (const std::string_view word : {std::string_view("pragma"), what}) {
        at = skip_space(line, word == what ? at : at + 1);
        if (line.compare(at, word.size(), word) != 0 || end_of_word(line, at) != at + word.size()) {
            return 0;
        }
        at += word.size();
    }
    return at;
}

bool is_marker(const std::string& line, unsigned& number, std::string& file)
{
    if (line.size() < 3 || line[0] != '#' || line[1] != ' ' ||
        !std::isdigit(static_cast<unsigned char>(line[2]))) {
        return false;
    }
    number = static_cast<unsigned>(std::strtoul(line.c_str() + 2, nullptr, 10));
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open != line.npos && close > open) {
        file.clear();
        for (std::size_t i = open + 1; i < close; ++i) {
            i += line[i] == '\\' && i + 1 < close ? 1 : 0;
            file += line[i];
        }
    }
    return true;
}

std::string without_space(std::string text)
{
    text.erase(std::remove_if(text.begin(), text.end(), is_space), text.end());
    return text;
}

bool is_number(const std::string& text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool find_clause(const std::string& line, std::size_t from, const std::string& name,
                 std::size_t& at, std::size_t& open, std::size_t& close)
{
    for (at = line.find(name, from); at != line.npos; at = line.find(name, at + 1)) {
        open = skip_space(line, at + name.size());
        if (!word_character(line[at - 1]) && open < line.size() && line[open] == '(') {
            close = closing(line, open);
            return close < line.size();
        }
    }
    return false;
}

}  // namespace cpt
