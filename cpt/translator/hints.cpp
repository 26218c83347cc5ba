// One pass over the text: hints are collected, and become clauses of the next directive.
#include "hints.hpp"

#include "hint.hpp"
#include "pragma_line.hpp"
#include "words.hpp"

#include <sstream>
#include <vector>

namespace cpt {

namespace {

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
                hint h{line, file_, number_, {}};
                if (read_hint(text_, h, at)) {
                    hints_.push_back(h);
                } else {
                    good_ = false;
                }
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
    void wrong(const hint& h, std::size_t at, const std::string& why)
    {
        report(h, at, why);
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

    void apply(std::string& line, std::size_t at)
    {
        // The words of the directive. Clauses without arguments count as words, which does no harm.
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
