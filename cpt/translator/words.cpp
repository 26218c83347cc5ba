// Scans characters and makes no tokens: a word is a run of letters, digits and underscores, and
// only closing() knows literals.
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

bool is_marker(std::string_view line)
{
    return line.size() > 2 && line[0] == '#' && line[1] == ' ' &&
           std::isdigit(static_cast<unsigned char>(line[2]));
}

std::string laid_out(std::string_view text, bool generated)
{
    std::string out, marker;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = text.substr(at, end - at);
        const std::size_t name_end = line.rfind('"');
        if (generated && line[0] == '#' && !out.empty() && out.back() != '\n') {
            out += '\n';
        }
        if (is_marker(line) && name_end != line.npos) {
            generated = line.find('3', name_end) != line.npos;
            marker = std::string(line.substr(0, name_end + 1)) + (generated ? " 3\n" : "\n");
            out += marker;
        } else if (generated && line[0] == '#') {
            out.append(line).append(marker);
        } else {
            out += line;
            if (generated && out.back() == '\n') {
                out.back() = ' ';
            }
        }
        at = end;
    }
    return out;
}

std::string without_markers(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = text.substr(at, end - at);
        out += is_marker(line) ? std::string_view() : line;
        at = end;
    }
    return out;
}

}  // namespace cpt
