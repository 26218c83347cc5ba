// A scanner for comments, literals and line markers, which is all of C that these questions need.
#include "preprocessed.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cpt {

namespace {

bool is_space(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool is_marker(std::string_view line)
{
    return line.size() > 2 && line[0] == '#' && line[1] == ' ' &&
           std::isdigit(static_cast<unsigned char>(line[2]));
}

// The offset after the end of the literal or comment that begins at `at`.
std::size_t behind(std::string_view text, std::size_t at)
{
    if (text.substr(at, 2) == "//") {
        return std::min(text.find('\n', at), text.size());
    }
    if (text.substr(at, 2) == "/*") {
        const std::size_t end = text.find("*/", at + 2);
        return end == text.npos ? text.size() : end + 2;
    }
    const char quote = text[at++];
    while (at < text.size() && text[at] != quote && text[at] != '\n') {
        at += text[at] == '\\' ? 2 : 1;
    }
    return std::min(at + 1, text.size());
}

bool is_comment(std::string_view text, std::size_t at)
{
    return text.substr(at, 2) == "//" || text.substr(at, 2) == "/*";
}

// "fallthrough", "FALL-THRU", "falls through", ...
bool says_fall_through(std::string_view comment)
{
    std::string letters;
    for (const char c : comment) {
        if (std::isalpha(static_cast<unsigned char>(c))) {
            letters += char(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return letters.find("fallthr") != letters.npos || letters.find("fallsthr") != letters.npos;
}

bool leads_to_case(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        if (is_space(text[at])) {
            ++at;
        } else if (is_comment(text, at)) {
            at = behind(text, at);
        } else if (is_marker(text.substr(at, 3))) {
            at = std::min(text.find('\n', at), text.size());
        } else {
            break;
        }
    }
    for (const std::string_view word : {"case", "default"}) {
        if (text.substr(at, word.size()) == word && at + word.size() < text.size() &&
            !std::isalnum(static_cast<unsigned char>(text[at + word.size()])) &&
            text[at + word.size()] != '_') {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string first_directive(const std::string& text, bool in_system_headers)
{
    std::string file = "?";
    unsigned long number = 0;
    bool of_system = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line(text.data() + at, end - at);
        at = end + 1;
        if (is_marker(line)) {
            const std::size_t open = line.find('"'), close = line.rfind('"');
            number = std::stoul(std::string(line.substr(2, 10)));
            if (open != line.npos && close > open) {
                file = line.substr(open + 1, close - open - 1);
                of_system = line.find('3', close) != line.npos;
            }
            continue;
        }
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.starts_with('#')) {
            std::string_view words = line.substr(1);
            for (const std::string_view word : {"pragma", "omp"}) {
                words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
                const bool there = words.starts_with(word) ||
                                   (word == "omp" && words.starts_with("cp"));
                words = there ? words.substr(std::min(words.find_first_of(" \t"), words.size()))
                              : std::string_view();
                if (!there) {
                    break;
                }
                if (word == "omp" && (in_system_headers || !of_system)) {
                    return file + ":" + std::to_string(number);
                }
            }
        }
        ++number;
    }
    return {};
}

std::string without_comments(const std::string& text)
{
    std::string out;
    char before = 0;  // the last character that is no space
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '#' && is_marker(std::string_view(text).substr(at, 3)) &&
            (out.empty() || out.back() == '\n')) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            out.append(text, at, end - at);
            at = end;
        } else if (is_comment(text, at)) {
            const std::size_t end = behind(text, at);
            const std::string_view comment(text.data() + at, end - at);
            const bool allows = says_fall_through(comment) && leads_to_case(text, end) &&
                                (before == ';' || before == '}' || before == ':');
            out += allows ? "__attribute__((__fallthrough__));" : " ";
            before = allows ? ';' : before;
            out.append(std::size_t(std::count(comment.begin(), comment.end(), '\n')), '\n');
            at = end;
        } else if (c == '"' || c == '\'') {
            const std::size_t end = behind(text, at);
            out.append(text, at, end - at);
            before = c;
            at = end;
        } else {
            out += c;
            before = is_space(c) ? before : c;
            ++at;
        }
    }
    return out;
}

}  // namespace cpt
