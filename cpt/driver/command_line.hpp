// The arguments of `cpt c`, sorted: the driver's own, those for preprocessing, those for compiling,
// and those that Clang needs to parse the same language.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cpt {

struct command_line {
    explicit command_line(const std::vector<std::string>& given);

    std::string error;
    std::vector<std::string> compiler;  // with words before it, such as ccache
    std::string runtime;                // empty: chosen when the program starts
    std::string output;
    std::string profile;  // --use-profile
    bool help = false, keep = false;
    bool compile_only = false, assembly = false, preprocess_only = false;
    bool links = true;
    bool relocatable = false;                // -r: one object of several, without libraries
    bool no_translation = false;             // -fsyntax-only
    bool saves = false, saves_here = false;  // -save-temps, -save-temps=cwd
    bool names_by_products = false;          // -dumpdir or -dumpbase
    bool dependencies = false, dependency_file = false, dependency_target = false;
    std::vector<std::string> all;                    // except the driver's own
    std::vector<std::size_t> inputs;                 // sources among them, "-" too
    std::set<std::size_t> preprocessed, cxx;         // of these
    std::set<std::size_t> of_language_choice;        // -x and its value
    std::map<std::size_t, std::string> language_of;  // of the files after a -x, sources or not
    std::vector<std::size_t> files;                  // all arguments that are no options
    bool comments = false;                           // preprocessing leaves comments in the text
    std::set<std::size_t> of_dependencies;  // options that say what to write about dependencies
    std::vector<std::string> preprocess_flags, compile_flags, clang_flags;
};

// The runtimes that there may be, artel first.
const std::vector<std::string>& runtime_names();

}  // namespace cpt
