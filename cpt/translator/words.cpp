#include "words.hpp"

#include <cctype>

namespace cpt {

bool word_character(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string replace_words(std::string_view text, const std::map<std::string, std::string>& words)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && word_character(text[end])) {
            ++end;
        }
        if (end == at) {
            out += text[at++];
            continue;
        }
        const std::string word(text.substr(at, end - at));
        const auto found = words.find(word);
        out += found == words.end() ? word : found->second;
        at = end;
    }
    return out;
}

std::size_t last_word(std::string_view text, std::string_view word)
{
    std::size_t at = text.rfind(word);
    while (at != text.npos) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !word_character(text[at - 1])) &&
            (end == text.size() || !word_character(text[end]))) {
            return at;
        }
        at = at == 0 ? text.npos : text.rfind(word, at - 1);
    }
    return text.npos;
}

std::size_t closing(std::string_view text, std::size_t open)
{
    unsigned depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (text[at] == '"' || text[at] == '\'') {
            const char quote = text[at++];
            while (at < text.size() && text[at] != quote) {
                at += text[at] == '\\' ? 2 : 1;
            }
        } else if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
            ++depth;
        } else if ((text[at] == ')' || text[at] == ']' || text[at] == '}') && --depth == 0) {
            return at;
        }
    }
    return text.size();
}

}  // namespace cpt
