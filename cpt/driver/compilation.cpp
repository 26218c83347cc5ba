// One run of `cpt c`: files are translated and compiled one after the other, and linked together.
#include "compilation.hpp"

#include "process.hpp"
#include "runtimes.hpp"
#include "temporary_folder.hpp"
#include "translation.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

namespace cpt {

namespace fs = std::filesystem;

namespace {

class compilation {
public:
    compilation(command_line line, folders where) : line_(std::move(line)), where_(std::move(where))
    {}

    int run(bool show)
    {
        if (line_.inputs.empty() || line_.preprocess_only || line_.no_translation) {
            std::vector<std::string> all = line_.compiler;
            if (line_.preprocess_only || line_.no_translation) {
                all.insert(all.end(), {"-fopenmp", "-D__CPT__=1", "-isystem", where_.include});
            }
            if (line_.links && !line_.files.empty()) {
                add_library(all);
            }
            all.insert(all.end(), line_.all.begin(), line_.all.end());
            if (line_.links && !line_.files.empty()) {
                if (!line_.of_language_choice.empty()) {
                    all.insert(all.end(), {"-x", "none"});
                }
                add_last_library(all);
            }
            return execute(all);
        }
        // Objects take the places of their sources among the arguments, so the order of linking
        // does not change.
        std::vector<std::string> rest = line_.compiler;
        add_library(rest);
        std::map<std::size_t, std::string> objects;
        for (const std::size_t i : line_.inputs) {
            fs::path input = line_.all[i];
            if (input == "-") {
                input = temporary_.path / "stdin.c";
                std::ofstream(input) << "# 1 \"<stdin>\"\n" << std::cin.rdbuf();
                // Its #include lines are relative to the current folder.
                line_.preprocess_flags.insert(line_.preprocess_flags.end(), {"-iquote", "."});
            }
            const fs::path base = temporary_.path /
                                  (std::to_string(i) + "-" + input.stem().string());
            fs::path translated;
            if (const int status = translate(line_, where_, i, input, base, translated);
                status != 0) {
                return status;
            }
            if (show) {
                errno = 0;
                if (!(std::cout << std::ifstream(translated).rdbuf()).flush()) {
                    std::cerr << "cpt: error: cannot write the output: " << std::strerror(errno)
                              << "\n";
                    return 1;
                }
                continue;
            }
            if (line_.keep) {
                fs::copy_file(translated, input.stem().string() + ".cpt.i",
                              fs::copy_options::overwrite_existing);
            }
            fs::path object = base.string() + ".o";
            std::vector<std::string> compile = line_.compiler;
            if (translated.string().ends_with(".cpt.i")) {
                compile.push_back("-fopenmp-simd");  // what cpt leaves to the compiler
                if (is_clang()) {
                    compile.push_back("-Wno-pass-failed");  // clang may be unable to vectorise such
                                                            // a loop
                } else {
                    // As gcc's -fopenmp implies: threads count for --coverage by atomic additions.
                    compile.push_back("-pthread");
                }
            }
            compile.insert(compile.end(), line_.compile_flags.begin(), line_.compile_flags.end());
            if (line_.links && !line_.names_by_products && !is_clang()) {
                // By-products of an object (.gcno, .dwo, .su) get the names that they would have
                // without the intermediate object.
                compile.insert(compile.end(),
                               {"-dumpdir", product_prefix(line_), "-dumpbase", input.filename(),
                                "-dumpbase-ext", input.extension()});
            }
            compile.push_back(line_.assembly ? "-S" : "-c");
            if (line_.compile_only || line_.assembly) {
                object = line_.output.empty()
                             ? fs::path(input.stem().string() + (line_.assembly ? ".s" : ".o"))
                             : fs::path(line_.output);
            }
            compile.insert(compile.end(),
                           {"-x", line_.cxx.contains(i) ? "c++-cpp-output" : "cpp-output",
                            translated, "-o", object});
            if (const int status = execute(compile); status != 0) {
                return status;
            }
            objects[i] = object;
            if (line_.saves && line_.links) {
                fs::copy_file(object, product_prefix(line_) + input.stem().string() + ".o",
                              fs::copy_options::overwrite_existing);
            }
        }
        if (show) {
            return 0;
        }
        if (line_.compile_only || line_.assembly) {
            return compile_others();
        }
        std::string language = "none";
        for (std::size_t i = 0; i < line_.all.size(); ++i) {
            if (const auto found = objects.find(i); found != objects.end()) {
                add(rest, "none", found->second, language);
            } else if (!line_.of_dependencies.contains(i) &&
                       !line_.of_language_choice.contains(i)) {
                add(rest, language_at(i, language), line_.all[i], language);
            }
        }
        if (language != "none") {
            rest.insert(rest.end(), {"-x", "none"});
        }
        add_last_library(rest);
        return execute(rest);
    }

private:
    static void add(std::vector<std::string>& to, const std::string& language,
                    const std::string& argument, std::string& current)
    {
        if (language != current) {
            to.insert(to.end(), {"-x", language});
            current = language;
        }
        to.push_back(argument);
    }

    // The language of argument i; options have none.
    std::string language_at(std::size_t i, const std::string& current) const
    {
        if (const auto said = line_.language_of.find(i); said != line_.language_of.end()) {
            return said->second;
        }
        return std::find(line_.files.begin(), line_.files.end(), i) != line_.files.end() ? "none"
                                                                                         : current;
    }

    // Assembler, and files of other languages that the compiler knows, are left to the compiler.
    int compile_others() const
    {
        if (line_.files.size() == line_.inputs.size()) {
            return 0;
        }
        std::vector<std::string> all = line_.compiler;
        std::string language = "none";
        for (std::size_t i = 0; i < line_.all.size(); ++i) {
            if (std::find(line_.inputs.begin(), line_.inputs.end(), i) == line_.inputs.end() &&
                !line_.of_language_choice.contains(i)) {
                add(all, language_at(i, language), line_.all[i], language);
            }
        }
        return execute(all);
    }

    bool is_clang() const
    {
        for (const std::string& word : line_.compiler) {
            if (fs::path(word).filename().string().find("clang") != std::string::npos) {
                return true;
            }
        }
        return false;
    }

    void add_library(std::vector<std::string>& to) const
    {
        if (line_.relocatable) {
            return;
        }
        const std::vector<std::string> more = link_arguments(line_.runtime);
        to.insert(to.end(), more.begin(), more.end());
    }

    void add_last_library(std::vector<std::string>& to) const
    {
        if (line_.relocatable) {
            return;
        }
        const std::vector<std::string> more = last_link_arguments(line_.runtime);
        to.insert(to.end(), more.begin(), more.end());
    }

    command_line line_;
    folders where_;
    temporary_folder temporary_;
};

}  // namespace

int compile(command_line line, bool show)
{
    return compilation(std::move(line), find_folders()).run(show);
}

}  // namespace cpt
