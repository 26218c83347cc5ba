#include "command_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
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

// What decides how Clang reads the text.
bool of_language(std::string_view a)
{
    return starts_with_any(a, {"-std=", "-mavx", "-msse", "-mfma", "-mbmi", "-mf16c", "-mpopcnt",
                               "-mlzcnt", "-march=", "-mrdrnd", "-maes", "-mpclmul", "-mrtm"}) ||
           a == "-m32" || a == "-m64" || a == "-fsigned-char" || a == "-funsigned-char" ||
           a == "-fshort-enums" || a == "-fgnu89-inline" || a == "-fms-extensions" ||
           a == "-ffreestanding" || a == "-fno-builtin" || a == "-ansi" || a == "-fwrapv";
}

// What a file that is named with @ holds: arguments between white space, with quotes and
// backslashes.
std::vector<std::string> words_of(const std::string& text)
{
    std::vector<std::string> words;
    std::string word;
    bool inside = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
            if (inside) {
                words.push_back(word);
            }
            word.clear();
            inside = false;
            continue;
        }
        inside = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            word += text[++i];
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else {
            word += c;
        }
    }
    if (inside) {
        words.push_back(word);
    }
    return words;
}

std::vector<std::string> expanded(const std::vector<std::string>& arguments, unsigned depth = 0)
{
    std::vector<std::string> all;
    for (const std::string& a : arguments) {
        std::ifstream file;
        if (a.size() > 1 && a[0] == '@' && depth < 20) {
            file.open(a.substr(1));
        }
        if (!file.is_open()) {
            all.push_back(a);
            continue;
        }
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        const std::vector<std::string> inner = expanded(words_of(text), depth + 1);
        all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
}

}  // namespace

const std::vector<std::string>& runtime_names()
{
    static const std::vector<std::string> names = {"artel", "tbb",      "task",    "taskloop",
                                                   "abt",   "taskflow", "qthreads"};
    return names;
}

// A command as a shell reads it, where it is no program's name as it stands.
std::vector<std::string> command_of(const std::string& text)
{
    if (text.find('/') != std::string::npos && access(text.c_str(), X_OK) == 0) {
        return {text};
    }
    std::vector<std::string> words = words_of(text);
    return words.empty() ? std::vector<std::string>{"gcc"} : words;
}

bool is_cxx(const std::string& file)
{
    return ends_with_any(file, {".cc", ".cpp", ".cxx", ".C", ".c++"});
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
            const bool text = language == "none" ? ends_with_any(a, {".i"})
                                                 : language == "cpp-output";
            if (text || language == "c" ||
                (language == "none" && (ends_with_any(a, {".c"}) || is_cxx(a)))) {
                inputs.push_back(at);
            }
            if (text) {
                preprocessed.insert(at);
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
            if (language != "c" && language != "none" && language != "cpp-output") {
                no_translation = true;
            }
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
            // Of the linker alone.
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
}

}  // namespace cpt
