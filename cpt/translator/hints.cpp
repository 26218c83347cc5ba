#include "hints.hpp"

#include "pragma_line.hpp"
#include "words.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

namespace cpt {

namespace {

constexpr const char* clauses =
    "min_threads(n), max_threads(n), streams(n), numas(0,2-3) and partitioner(auto, simple, "
    "affinity or static)";

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

class pass {
public:
    pass(std::string& text, std::string file, const bounds_of_places& bounds)
        : text_(text), file_(std::move(file)), bounds_(bounds)
    {}

    bool run()
    {
        std::istringstream in(text_);
        std::string out;
        for (std::string line; std::getline(in, line); ++number_) {
            unsigned marked = 0;
            if (is_marker(line, marked, file_)) {
                number_ = marked - 1;
            } else if (const std::size_t at = behind_pragma(line, "cp"); at != 0) {
                read(line, at);
                line.clear();
            } else if (const std::size_t omp = behind_pragma(line, "omp"); omp != 0) {
                apply(line, omp);
                hints_.clear();
            } else if (skip_space(line, 0) != line.size() && line[skip_space(line, 0)] != '#') {
                left_alone();
            }
            out += line + "\n";
        }
        left_alone();
        if (inserted_) {
            // The line markers at the text's beginning follow.
            out = "unsigned __cp_hint(unsigned, unsigned, unsigned, const char*, unsigned);\n" +
                  std::string(out.compare(0, 2, "# ") == 0 ? "" : "# 1 \"" + file_ + "\"\n") + out;
        }
        text_ = out;
        return good_;
    }

private:
    // In Clang's form. The user's own line is shown, where its file can be read.
    void wrong(const hint& h, std::size_t at, const std::string& why)
    {
        std::string line = h.line;
        std::ifstream source(h.file);
        std::string own;
        for (unsigned n = 0; n < h.number && std::getline(source, own); ++n) {
        }
        if (source && behind_pragma(own, "cp") != 0) {
            const std::string rest = line.substr(at, end_of_word(line, at) - at);
            // The same of several that are alike.
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
        std::cerr << h.file << ":" << h.number << ":" << at + 1 << ": error: cpt: " << why
                  << "\n    " << line << "\n    " << std::string(at, ' ') << "^\n";
        good_ = false;
    }

    void left_alone()
    {
        for (const hint& h : hints_) {
            wrong(h, h.line.find("pragma"),
                  "'#pragma cp' belongs directly before '#pragma omp' of a region or loop");
        }
        hints_.clear();
    }

    void read(const std::string& line, std::size_t at)
    {
        hint h{line, file_, number_, {}};
        if (skip_space(line, at) == line.size()) {
            wrong(h, line.find("pragma"),
                  std::string("'#pragma cp' says nothing; it has ") + clauses);
            return;
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
                wrong(h, at,
                      "'#pragma cp' has no clause '" +
                          (c.name.empty() ? line.substr(at, 1) : c.name) + "'; it has " + clauses);
                return;
            }
            const std::size_t open = skip_space(line, end);
            const std::size_t close = open < line.size() && line[open] == '(' ? closing(line, open)
                                                                              : line.size();
            if (close == line.size()) {
                wrong(h, at, "'" + c.name + "' wants a value in parentheses");
                return;
            }
            c.argument = line.substr(open + 1, close - open - 1);
            c.argument.erase(0, skip_space(c.argument, 0));
            while (!c.argument.empty() && is_space(c.argument.back())) {
                c.argument.pop_back();
            }
            if (h.find(c.name) != nullptr) {
                wrong(h, at, "'" + c.name + "' is said twice");
                return;
            }
            if (!allowed(h, c)) {
                return;
            }
            h.all.push_back(c);
            at = close + 1;
        }
        const clause *const least = h.find("min_threads"), *const most = h.find("max_threads");
        if (least != nullptr && most != nullptr && is_number(least->argument) &&
            is_number(most->argument) &&
            std::strtoul(least->argument.c_str(), nullptr, 10) >
                std::strtoul(most->argument.c_str(), nullptr, 10)) {
            wrong(h, least->at, "min_threads is above max_threads");
            return;
        }
        hints_.push_back(h);
    }

    bool allowed(const hint& h, const clause& c)
    {
        if (c.name == "partitioner") {
            if (c.argument != "auto" && c.argument != "simple" && c.argument != "affinity" &&
                c.argument != "static") {
                wrong(h, c.at,
                      "partitioner(" + c.argument + "): it is auto, simple, affinity or static");
                return false;
            }
            return true;
        }
        if (c.name == "numas") {
            if (c.argument.empty() ||
                c.argument.find_first_not_of("0123456789,- \t") != c.argument.npos) {
                wrong(h, c.at, "numas(" + c.argument + "): it is a list of nodes such as 0,2-3");
                return false;
            }
            return true;
        }
        const unsigned long most = c.name == "streams" ? 1024 : 65536;
        if (c.argument.empty() || c.argument[0] == '-' ||
            (is_number(c.argument) &&
             (c.argument.size() > 8 || std::strtoul(c.argument.c_str(), nullptr, 10) < 1 ||
              std::strtoul(c.argument.c_str(), nullptr, 10) > most))) {
            wrong(
                h, c.at,
                c.name + "(" + c.argument + "): it is a number from 1 to " + std::to_string(most));
            return false;
        }
        // What was declared stands somewhere in the text; macros do not, and are not replaced in a
        // pragma that the compiler does not know.
        for (std::size_t at = 0; at < c.argument.size();) {
            const std::size_t end = end_of_word(c.argument, at);
            const std::string word = c.argument.substr(at, end - at);
            if (end == at) {
                ++at;
                continue;
            }
            at = end;
            if (!std::isdigit(static_cast<unsigned char>(word[0])) && !is_elsewhere(word)) {
                wrong(h, c.at,
                      "'" + word + "' is not declared; macros are not replaced in '#pragma cp'");
                return false;
            }
        }
        return true;
    }

    // Outside of lines with "#pragma cp".
    bool is_elsewhere(const std::string& word) const
    {
        if (word == "sizeof") {
            return true;
        }
        for (std::size_t at = text_.find(word); at != text_.npos; at = text_.find(word, at + 1)) {
            if ((at != 0 && word_character(text_[at - 1])) ||
                (at + word.size() < text_.size() && word_character(text_[at + word.size()]))) {
                continue;
            }
            const std::size_t line = text_.rfind('\n', at) == text_.npos
                                         ? 0
                                         : text_.rfind('\n', at) + 1;
            if (behind_pragma(text_.substr(line, text_.find('\n', at) - line), "cp") == 0) {
                return true;
            }
        }
        return false;
    }

    void apply(std::string& line, std::size_t at)
    {
        // The directive's words; of clauses only those that have no argument are taken for some.
        bool parallel = false, loop = false;
        for (std::size_t w = skip_space(line, at); w < line.size(); w = skip_space(line, w)) {
            const std::size_t end = end_of_word(line, w);
            if (end == w ||
                (skip_space(line, end) < line.size() && line[skip_space(line, end)] == '(')) {
                break;
            }
            const std::string word = line.substr(w, end - w);
            parallel = parallel || word == "parallel";
            loop = loop || word == "for";
            w = end;
        }
        hint all;
        for (const hint& h : hints_) {
            for (const clause& c : h.all) {
                const bool of_loop = c.name == "partitioner";
                if (of_loop ? !loop : !parallel) {
                    wrong(h, c.at,
                          "'" + c.name + "' belongs before a construct with '" +
                              (of_loop ? "for'" : "parallel'"));
                    continue;
                }
                if (all.find(c.name) != nullptr) {
                    wrong(h, c.at, "'" + c.name + "' is said twice");
                    continue;
                }
                if (of_loop) {
                    partition(line, at, h, c);
                }
                all.all.push_back(c);
            }
        }
        const auto value = [&](const char* name) {
            const clause* const c = all.find(name);
            return c == nullptr ? "0" : "(unsigned)(" + c->argument + ")";
        };
        std::string most = value("max_threads");
        if (all.find("min_threads") == nullptr && all.find("max_threads") == nullptr && parallel) {
            if (const auto found = bounds_.find(file_ + ":" + std::to_string(number_));
                found != bounds_.end()) {
                most = std::to_string(found->second);
            }
        }
        const clause* const numas = all.find("numas");
        const std::string begin = value("min_threads") + ", " + most + ", " + value("streams") +
                                  ", " +
                                  (numas != nullptr ? "\"" + without_space(numas->argument) + "\""
                                                    : "(const char*)0");
        if (begin == "0, 0, 0, (const char*)0") {
            return;
        }
        inserted_ = true;
        std::size_t where = 0, open = 0, close = 0;
        if (find_clause(line, at, "num_threads", where, open, close)) {
            line.replace(open + 1, close - open - 1,
                         "__cp_hint(" + begin + ", (unsigned)(" +
                             line.substr(open + 1, close - open - 1) + "))");
        } else {
            line += " num_threads(__cp_hint(" + begin + ", 0u))";
        }
    }

    void partition(std::string& line, std::size_t from, const hint& h, const clause& c)
    {
        const std::string kind = c.argument == "auto"     ? "auto"
                                 : c.argument == "simple" ? "dynamic"
                                                          : "static";
        std::size_t at = 0, open = 0, close = 0;
        if (!find_clause(line, from, "schedule", at, open, close)) {
            line += " schedule(" + kind + ")";
        } else if (without_space(line.substr(open + 1, close - open - 1)) == "runtime") {
            line.replace(open + 1, close - open - 1, kind);
        } else {
            wrong(h, c.at,
                  "the loop has a schedule of its own, " + line.substr(at, close + 1 - at) +
                      "; partitioner is for loops with none or schedule(runtime)");
        }
    }

    std::string& text_;
    std::string file_;
    const bounds_of_places& bounds_;
    unsigned number_ = 1;
    std::vector<hint> hints_;
    bool good_ = true, inserted_ = false;
};

}  // namespace

bool has_hints(const std::string& text)
{
    for (std::size_t at = text.find("pragma cp"); at != text.npos;
         at = text.find("pragma cp", at + 1)) {
        const std::size_t newline = text.rfind('\n', at);
        const std::size_t line = newline == text.npos ? 0 : newline + 1;
        if (behind_pragma(text.substr(line, text.find('\n', at) - line), "cp") != 0) {
            return true;
        }
    }
    return false;
}

bool apply_hints(std::string& text, const std::string& file, const bounds_of_places& bounds)
{
    return pass(text, file, bounds).run();
}

}  // namespace cpt
