// Parses a line with `#pragma cp`, and reports errors in it.
#include "hint.hpp"

#include "pragma_line.hpp"
#include "words.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace cpt {

namespace {

constexpr const char* clauses =
    "min_threads(n), max_threads(n), streams(n), numas(0,2-3) and partitioner(auto, simple, "
    "affinity or static)";

// Whether the text has the word outside of lines with "#pragma cp".
bool is_elsewhere(const std::string& text, const std::string& word)
{
    if (word == "sizeof") {
        return true;
    }
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        if ((at != 0 && word_character(text[at - 1])) ||
            (at + word.size() < text.size() && word_character(text[at + word.size()]))) {
            continue;
        }
        const std::size_t line = text.rfind('\n', at) == text.npos ? 0 : text.rfind('\n', at) + 1;
        if (behind_pragma(text.substr(line, text.find('\n', at) - line), "cp") == 0) {
            return true;
        }
    }
    return false;
}

bool allowed(const std::string& text, const hint& h, const clause& c)
{
    if (c.name == "partitioner") {
        if (c.argument != "auto" && c.argument != "simple" && c.argument != "affinity" &&
            c.argument != "static") {
            report(h, c.at,
                   "partitioner(" + c.argument + "): it is auto, simple, affinity or static");
            return false;
        }
        return true;
    }
    if (c.name == "numas") {
        if (c.argument.empty() ||
            c.argument.find_first_not_of("0123456789,- \t") != c.argument.npos) {
            report(h, c.at, "numas(" + c.argument + "): it is a list of nodes such as 0,2-3");
            return false;
        }
        return true;
    }
    const unsigned long most = c.name == "streams" ? 1024 : 65536;
    if (c.argument.empty() || c.argument[0] == '-' ||
        (is_number(c.argument) &&
         (c.argument.size() > 8 || std::strtoul(c.argument.c_str(), nullptr, 10) < 1 ||
          std::strtoul(c.argument.c_str(), nullptr, 10) > most))) {
        report(h, c.at,
               c.name + "(" + c.argument + "): it is a number from 1 to " + std::to_string(most));
        return false;
    }
    // Names that are declared occur elsewhere in the text. Macros do not, and the preprocessor does
    // not replace them in a pragma that it does not know.
    for (std::size_t at = 0; at < c.argument.size();) {
        const std::size_t end = end_of_word(c.argument, at);
        const std::string word = c.argument.substr(at, end - at);
        if (end == at) {
            ++at;
            continue;
        }
        at = end;
        if (!std::isdigit(static_cast<unsigned char>(word[0])) && !is_elsewhere(text, word)) {
            report(h, c.at,
                   "'" + word + "' is not declared; macros are not replaced in '#pragma cp'");
            return false;
        }
    }
    return true;
}

}  // namespace

// Reports in Clang's form. Shows the user's own line if its file can be read.
void report(const hint& h, std::size_t at, const std::string& why)
{
    std::string line = h.line;
    std::ifstream source(h.file);
    std::string own;
    for (unsigned n = 0; n < h.number && std::getline(source, own); ++n) {
    }
    if (source && behind_pragma(own, "cp") != 0) {
        const std::string rest = line.substr(at, end_of_word(line, at) - at);
        // If the word occurs several times in the line, the same one of them.
        std::size_t there = rest.empty() ? own.npos : own.find(rest);
        for (std::size_t before = line.find(rest); there != own.npos && before < at;
             before = line.find(rest, before + 1)) {
            there = own.find(rest, there + 1);
        }
        if (there != own.npos) {
            line = own;
            at = there;
        }
    }
    std::cerr << h.file << ":" << h.number << ":" << at + 1 << ": error: cpt: " << why << "\n    "
              << line << "\n    " << std::string(at, ' ') << "^\n";
}

bool read_hint(const std::string& text, hint& h, std::size_t at)
{
    const std::string& line = h.line;
    if (skip_space(line, at) == line.size()) {
        report(h, line.find("pragma"), std::string("'#pragma cp' says nothing; it has ") + clauses);
        return false;
    }
    while ((at = skip_space(line, at)) < line.size()) {
        if (line[at] == ',') {
            ++at;
            continue;
        }
        const std::size_t end = end_of_word(line, at);
        clause c{line.substr(at, end - at), {}, at};
        static const char* const names[] = {"min_threads", "max_threads", "streams", "numas",
                                            "partitioner"};
        if (std::find(std::begin(names), std::end(names), c.name) == std::end(names)) {
            report(h, at,
                   "'#pragma cp' has no clause '" + (c.name.empty() ? line.substr(at, 1) : c.name) +
                       "'; it has " + clauses);
            return false;
        }
        const std::size_t open = skip_space(line, end);
        const std::size_t close = open < line.size() && line[open] == '(' ? closing(line, open)
                                                                          : line.size();
        if (close == line.size()) {
            report(h, at, "'" + c.name + "' wants a value in parentheses");
            return false;
        }
        c.argument = line.substr(open + 1, close - open - 1);
        c.argument.erase(0, skip_space(c.argument, 0));
        while (!c.argument.empty() && is_space(c.argument.back())) {
            c.argument.pop_back();
        }
        if (h.find(c.name) != nullptr) {
            report(h, at, "'" + c.name + "' is said twice");
            return false;
        }
        if (!allowed(text, h, c)) {
            return false;
        }
        h.all.push_back(c);
        at = close + 1;
    }
    const clause *const least = h.find("min_threads"), *const most = h.find("max_threads");
    if (least != nullptr && most != nullptr && is_number(least->argument) &&
        is_number(most->argument) &&
        std::strtoul(least->argument.c_str(), nullptr, 10) >
            std::strtoul(most->argument.c_str(), nullptr, 10)) {
        report(h, least->at, "min_threads is above max_threads");
        return false;
    }
    return true;
}

}  // namespace cpt
