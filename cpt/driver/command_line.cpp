// Options are recognised by lists of beginnings, and of those that take the next argument as their
// value.
#include "command_line.hpp"

#include "arguments.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace cpt {

namespace {

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings)
{
    for (const std::string_view e : endings) {
        if (text.ends_with(e)) {
            return true;
        }
    }
    return false;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings)
{
    for (const std::string_view b : beginnings) {
        if (text.starts_with(b)) {
            return true;
        }
    }
    return false;
}

// Options whose value is the next argument.
bool takes_value(std::string_view a)
{
    static const std::set<std::string_view> names = {"-I",
                                                     "-D",
                                                     "-U",
                                                     "-include",
                                                     "-imacros",
                                                     "-isystem",
                                                     "-iquote",
                                                     "-idirafter",
                                                     "-iprefix",
                                                     "-iwithprefix",
                                                     "-iwithprefixbefore",
                                                     "-isysroot",
                                                     "-L",
                                                     "-l",
                                                     "-o",
                                                     "-x",
                                                     "-MF",
                                                     "-MT",
                                                     "-MQ",
                                                     "-T",
                                                     "-u",
                                                     "-z",
                                                     "-e",
                                                     "-Xlinker",
                                                     "-Xassembler",
                                                     "-Xpreprocessor",
                                                     "-Xclang",
                                                     "--param",
                                                     "-dumpdir",
                                                     "-dumpbase",
                                                     "-dumpbase-ext",
                                                     "-A",
                                                     "-aux-info",
                                                     "-B",
                                                     "-target",
                                                     "-arch",
                                                     "-specs",
                                                     "-wrapper"};
    return names.contains(a);
}

// Whether the option changes how Clang has to parse the text.
bool of_language(std::string_view a)
{
    return starts_with_any(a, {"-std=", "-mavx", "-msse", "-mfma", "-mbmi", "-mf16c", "-mpopcnt",
                               "-mlzcnt", "-march=", "-mrdrnd", "-maes", "-mpclmul", "-mrtm"}) ||
           a == "-m32" || a == "-m64" || a == "-fsigned-char" || a == "-funsigned-char" ||
           a == "-fshort-enums" || a == "-fgnu89-inline" || a == "-fms-extensions" ||
           a == "-ffreestanding" || a == "-fno-builtin" || a == "-ansi" || a == "-fwrapv";
}

// The language that gcc assumes for a file of this name; empty if it is neither C nor C++.
std::string language_of_name(std::string_view file)
{
    return ends_with_any(file, {".c"})    ? "c"
           : ends_with_any(file, {".i"})  ? "cpp-output"
           : ends_with_any(file, {".ii"}) ? "c++-cpp-output"
           : ends_with_any(file, {".cc", ".cp", ".cpp", ".cxx", ".CPP", ".C", ".c++"}) ? "c++"
                                                                                       : "";
}

// Whether gcc is to warn when a case falls through to the next one. Certain comments allow that,
// but preprocessing removes them.
bool asks_about_fallthrough(const std::vector<std::string>& flags)
{
    bool asked = false;
    for (const std::string& f : flags) {
        if (f == "-Wextra" || f == "-W" || f == "-Werror=implicit-fallthrough" ||
            f.starts_with("-Wimplicit-fallthrough")) {
            asked = f != "-Wimplicit-fallthrough=0" && f != "-Wimplicit-fallthrough=5";
        } else if (f == "-Wno-extra" || f == "-Wno-implicit-fallthrough" || f == "-w") {
            asked = false;
        }
    }
    return asked;
}

}  // namespace

const std::vector<std::string>& runtime_names()
{
    static const std::vector<std::string> names = {"artel", "tbb",      "task",    "taskloop",
                                                   "abt",   "taskflow", "qthreads"};
    return names;
}

command_line::command_line(const std::vector<std::string>& given)
{
    const std::vector<std::string> arguments = expanded(given);
    const char* cc = std::getenv("CPT_CC");
    compiler = command_of(cc != nullptr ? cc : "");
    clang_flags = {"-std=gnu17"};
    std::string language = "none";
    bool whole = false;  // a program without shared libraries is asked for
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& a = arguments[i];
        std::string_view name = a;
        name.remove_prefix(std::min<std::size_t>(
            name.find_first_not_of('-') == name.npos ? 0 : name.find_first_not_of('-'), 2));
        if (a == "--help") {
            help = true;
            return;
        }
        if (const auto& names = runtime_names();
            a[0] == '-' && std::find(names.begin(), names.end(), name) != names.end()) {
            if (!runtime.empty() && runtime != name) {
                error = "two runtimes are named, '" + runtime + "' and '" + std::string(name) + "'";
                return;
            }
            runtime = name;
            continue;
        }
        whole = whole || a == "-static" || a == "--static" || a == "-static-pie";
        if (a.starts_with("--cc=")) {
            if (a.find_first_not_of(" \t", 5) == a.npos) {
                error = "--cc= names no compiler; such are gcc-12, clang-19, or 'ccache gcc'";
                return;
            }
            compiler = command_of(a.substr(5));
            continue;
        }
        if (a == "--use-profile" || a.starts_with("--use-profile=")) {
            const bool next = a == "--use-profile";
            profile = !next ? a.substr(14) : i + 1 < arguments.size() ? arguments[++i] : "";
            if (profile.empty() || access(profile.c_str(), R_OK) != 0) {
                error = profile.empty()
                            ? "--use-profile wants a file, which cpt run --profile FILE writes"
                            : "cannot read the profile '" + profile + "'";
                return;
            }
            continue;
        }
        if (a == "--keep") {
            keep = true;
            continue;
        }
        if (a == "-fopenmp" || a == "-fopenmp-simd") {
            continue;  // always
        }
        if (a.starts_with("-fopenmp-version=")) {
            clang_flags.push_back(a);  // gcc does not know it
            continue;
        }
        const std::size_t at = all.size();
        all.push_back(a);
        std::string value;
        if (takes_value(a) && i + 1 < arguments.size()) {
            value = arguments[++i];
            all.push_back(value);
        }
        const auto both = [&](std::vector<std::string>& to) {
            to.push_back(a);
            if (!value.empty()) {
                to.push_back(value);
            }
        };
        if (a == "-" || a[0] != '-') {
            files.push_back(at);
            if (language != "none") {
                language_of[at] = language;
            }
            const std::string read_as = language == "none" ? language_of_name(a) : language;
            if (read_as == "c" || read_as == "cpp-output" || read_as == "c++" ||
                read_as == "c++-cpp-output") {
                inputs.push_back(at);
                if (read_as.starts_with("c++")) {
                    cxx.insert(at);
                }
                if (read_as.ends_with("cpp-output")) {
                    preprocessed.insert(at);
                }
            }
        } else if (a == "-c") {
            compile_only = true;
            links = false;
        } else if (a == "-S") {
            assembly = true;
            links = false;
        } else if (a == "-r") {
            relocatable = true;
        } else if (a == "-E" || a == "-M" || a == "-MM") {
            preprocess_only = true;
            links = false;
        } else if (a == "-save-temps" || a.starts_with("-save-temps=") || a == "--save-temps") {
            saves = true;
            saves_here = a == "-save-temps=cwd";
            compile_flags.push_back(a);
        } else if (a == "-fsyntax-only") {
            links = false;
            no_translation = true;
        } else if (a == "-o") {
            output = value;
        } else if (a.starts_with("-o") && a.size() > 2 && a != "-oldstyle") {
            output = a.substr(2);
        } else if (a.starts_with("-x")) {
            language = value.empty() ? a.substr(2) : value;
            of_language_choice.insert(at);
            if (!value.empty()) {
                of_language_choice.insert(at + 1);
            }
        } else if (starts_with_any(a, {"-M"})) {
            of_dependencies.insert(at);
            if (!value.empty()) {
                of_dependencies.insert(at + 1);
            }
            both(preprocess_flags);
            dependencies = dependencies || a == "-MD" || a == "-MMD";
            dependency_file = dependency_file || a.starts_with("-MF");
            dependency_target = dependency_target || a.starts_with("-MT") || a.starts_with("-MQ");
        } else if (starts_with_any(a, {"-l", "-L", "-Wl,", "-shared", "-static", "-rdynamic",
                                       "-pie", "-no-pie"}) ||
                   a == "-Xlinker" || a == "-T" || a == "-u" || a == "-z" || a == "-e") {
            // An option for the linker only.
        } else {
            names_by_products = names_by_products || a.starts_with("-dump");
            both(preprocess_flags);
            if (!starts_with_any(
                    a, {"-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote",
                        "-idirafter", "-iprefix", "-iwithprefix", "-Wp,", "-nostdinc", "-P"}) &&
                a != "-Xpreprocessor") {
                both(compile_flags);
            }
            if (of_language(a)) {
                clang_flags.push_back(a);
            }
        }
    }
    if (whole && links) {
        error = "-static is not supported: the runtime is a shared library";
    }
    if (inputs.size() > 1 && !output.empty() && (compile_only || assembly)) {
        error = "-o names one output, but there are several inputs";
    }
    const auto& flags = preprocess_flags;
    if (asks_about_fallthrough(compile_flags)) {
        preprocess_flags.emplace_back("-C");
    }
    comments = std::find(flags.begin(), flags.end(), "-C") != flags.end() ||
               std::find(flags.begin(), flags.end(), "-CC") != flags.end();
}

}  // namespace cpt
