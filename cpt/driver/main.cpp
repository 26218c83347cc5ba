// cpt: the compiler driver. `cpt c` preprocesses with the user's compiler, lets cpt-translate turn
// OpenMP into calls of cp.h, and gives the result to the same compiler; what has no OpenMP goes
// through untouched. Exit status: 0, 1 where something is refused or wrong, 2 on wrong usage, else
// that of the compiler.
#include "command_line.hpp"
#include "process.hpp"
#include "settings.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace fs = std::filesystem;

namespace {

constexpr const char* usage =
    R"(Usage: cpt c [RUNTIME] [--cc=COMPILER] [--keep] [any option of gcc or clang] FILE.c ... [-o OUT]
       cpt show [options of the compiler] FILE.c      prints the translation
       cpt run [--runtime artel] [SETTINGS] PROGRAM [ARGUMENTS...]
       cpt run [SETTINGS] --info                      prints the table of settings
       cpt --help

cpt c compiles C with OpenMP: the directives become calls of one runtime interface (cp.h), the rest is compiled as it is by
COMPILER (gcc, or what CPT_CC says). Works in place of a compiler: CC="cpt c".

  RUNTIME    --artel (the default): light threads of Artel's crew
  --keep     leaves FILE.cpt.i, the translation, beside the output
  SETTINGS   --streams N, --numas LIST, --bind, --stack-size BYTES, --partitioner KIND, or the variables
             CP_NUM_STREAMS, CP_NUMAS, CP_STREAM_BIND, CP_STACK_SIZE, CP_PARTITIONER_KIND

What cannot be translated is an error that names the construct, its file, line and column.
Exit status: 0; 1 when something is refused or wrong; 2 on wrong usage; 127 or 126 when the compiler or the program cannot
be run; else that of the compiler or the program.
)";

bool has_openmp(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str().find("#pragma omp") != std::string::npos;
}

struct folders {
    fs::path translator, include, library;
};

// Beside this program: bin/cpt with lib and include, installed or in the build tree.
folders find_folders()
{
    const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
    folders f;
    for (const fs::path& p : {here / "cpt-translate", here / "../libexec/artel/cpt-translate"}) {
        if (fs::exists(p)) {
            f.translator = p.lexically_normal();
            break;
        }
    }
    for (const fs::path& p : {here / "../include/cpt", fs::path(CPT_SOURCE_INCLUDE)}) {
        if (fs::exists(p / "omp.h")) {
            f.include = p.lexically_normal();
            break;
        }
    }
    for (const char* p : {CPT_LIBRARY_FOLDERS}) {
        if (fs::exists(here / p / "libcp-artel.so")) {
            f.library = (here / p).lexically_normal();
            break;
        }
    }
    return f;
}

class temporary_folder {
public:
    temporary_folder()
    {
        std::string name = (fs::temp_directory_path() / "cpt-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("cannot make a folder in " +
                                     fs::temp_directory_path().string());
        }
        path = name;
    }
    ~temporary_folder()
    {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    fs::path path;
};

int fail(const std::string& text)
{
    std::cerr << "cpt: error: " << text << "\n";
    return 1;
}

class compilation {
public:
    compilation(cpt::command_line line, folders where)
        : line_(std::move(line)), where_(std::move(where))
    {}

    int run(bool show)
    {
        if (line_.inputs.empty() || line_.preprocess_only || line_.no_translation) {
            std::vector<std::string> all = {line_.compiler};
            if (line_.preprocess_only) {
                all.insert(all.end(), {"-fopenmp", "-isystem", where_.include});
            }
            all.insert(all.end(), line_.all.begin(), line_.all.end());
            if (line_.links && !line_.files.empty()) {
                add_library(all);
            }
            return cpt::execute(all);
        }
        // Objects take the places of their sources among the arguments, so the order of linking
        // stays.
        std::vector<std::string> rest = {line_.compiler};
        std::map<std::size_t, std::string> objects;
        for (const std::size_t i : line_.inputs) {
            fs::path input = line_.all[i];
            if (input == "-") {
                input = temporary_.path / "stdin.c";
                std::ofstream(input) << "# 1 \"<stdin>\"\n" << std::cin.rdbuf();
                // What it includes lies in the current folder.
                line_.preprocess_flags.insert(line_.preprocess_flags.end(), {"-iquote", "."});
            }
            const fs::path base = temporary_.path /
                                  (std::to_string(i) + "-" + input.stem().string());
            fs::path translated;
            if (const int status = translate(i, input, base, translated); status != 0) {
                return status;
            }
            if (show) {
                std::cout << std::ifstream(translated).rdbuf();
                continue;
            }
            if (line_.keep) {
                fs::copy_file(translated, input.stem().string() + ".cpt.i",
                              fs::copy_options::overwrite_existing);
            }
            fs::path object = base.string() + ".o";
            std::vector<std::string> compile = {line_.compiler};
            compile.insert(compile.end(), line_.compile_flags.begin(), line_.compile_flags.end());
            compile.push_back(line_.assembly ? "-S" : "-c");
            if (line_.compile_only || line_.assembly) {
                object = line_.output.empty()
                             ? fs::path(input.stem().string() + (line_.assembly ? ".s" : ".o"))
                             : fs::path(line_.output);
            }
            compile.insert(compile.end(), {"-x", "cpp-output", translated, "-o", object});
            if (const int status = cpt::execute(compile); status != 0) {
                return status;
            }
            objects[i] = object;
        }
        if (show || line_.compile_only || line_.assembly) {
            return 0;
        }
        for (std::size_t i = 0; i < line_.all.size(); ++i) {
            if (const auto found = objects.find(i); found != objects.end()) {
                rest.push_back(found->second);
            } else if (!line_.of_dependencies.contains(i) &&
                       !line_.of_language_choice.contains(i)) {
                rest.push_back(line_.all[i]);
            }
        }
        add_library(rest);
        return cpt::execute(rest);
    }

private:
    void add_library(std::vector<std::string>& to) const
    {
        // In a folder of its own the drop-in has the name that its soname says.
        const std::string library = where_.library.string(), drop_in = library + "/cpt";
        to.insert(to.end(), {"-L" + library, "-lcp-" + line_.runtime, "-Wl,-rpath," + library,
                             drop_in + "/libgomp.so.1", "-Wl,-rpath," + drop_in});
    }

    int translate(std::size_t index, const fs::path& input, const fs::path& base, fs::path& result)
    {
        if (!fs::exists(input)) {
            return fail("no such file: '" + input.string() + "'");
        }
        const bool cxx = cpt::is_cxx(input.string());
        fs::path plain = base.string() + (cxx ? ".ii" : ".i");
        std::vector<std::string> preprocess = {line_.compiler, "-E", "-fopenmp", "-isystem",
                                               where_.include};
        preprocess.insert(preprocess.end(), line_.preprocess_flags.begin(),
                          line_.preprocess_flags.end());
        if (line_.dependencies && !line_.dependency_target) {
            const std::string target = !line_.output.empty() && line_.compile_only
                                           ? line_.output
                                           : input.stem().string() + ".o";
            preprocess.insert(preprocess.end(), {"-MT", target});
        }
        if (line_.dependencies && !line_.dependency_file) {
            fs::path file = line_.output.empty() || !line_.compile_only ? input.stem()
                                                                        : fs::path(line_.output);
            preprocess.insert(preprocess.end(), {"-MF", file.replace_extension(".d")});
        }
        preprocess.insert(preprocess.end(), {input, "-o", plain});
        if (line_.preprocessed.contains(index)) {
            plain = input;
        } else if (const int status = cpt::execute(preprocess); status != 0) {
            return status;
        }
        if (!has_openmp(plain)) {
            result = plain;
            return 0;
        }
        if (cxx) {
            return fail("'" + input.string() + "' is C++ with OpenMP; cpt translates C");
        }
        if (where_.translator.empty()) {
            return fail(
                "cpt-translate is missing beside cpt; it is built where Debian's "
                "libclang-19-dev and llvm-19-dev are installed");
        }
        result = base.string() + ".cpt.i";
        std::vector<std::string> command = {where_.translator, plain, "-o", result, "--"};
        command.insert(command.end(), line_.clang_flags.begin(), line_.clang_flags.end());
        return cpt::execute(command);
    }

    cpt::command_line line_;
    folders where_;
    temporary_folder temporary_;
};

int run_program(int count, char** arguments)
{
    const auto wrong = [](const std::string& text) {
        std::cerr << "cpt run: " << text << " (see cpt --help)\n";
        return 2;
    };
    bool info = false;
    int at = 2;
    for (; at < count && arguments[at][0] == '-'; ++at) {
        const std::string option = arguments[at];
        const cpt::setting* const s = cpt::setting_of_option(option);
        if (option == "--") {
            ++at;
            break;
        }
        if (option == "--help") {
            std::cout << usage;
            return 0;
        }
        if (option == "--info") {
            info = true;
        } else if (s != nullptr && *s->value == 0) {
            setenv(s->variable, "1", 1);
        } else if (s == nullptr && option != "--runtime") {
            return wrong("unknown option '" + option + "'");
        } else if (at + 1 >= count) {
            return wrong("'" + option + "' wants a value");
        } else if (s != nullptr) {
            setenv(s->variable, arguments[++at], 1);
        } else if (const std::string name = arguments[++at]; name != "artel") {
            return wrong("there is no runtime '" + name + "'; there is artel");
        }
    }
    if (const std::string error = cpt::apply_settings(); !error.empty()) {
        return wrong(error);
    }
    if (info) {
        std::cout << "runtime: artel\n" << cpt::settings_table();
        return 0;
    }
    if (at >= count) {
        return wrong("no program");
    }
    std::string program = arguments[at];
    if (program.find('/') == std::string::npos && fs::exists(program)) {
        program = "./" + program;
    }
    execvp(program.c_str(), arguments + at);
    const int error = errno;
    std::cerr << "cpt: error: cannot run '" << program << "': " << std::strerror(error) << "\n";
    return error == ENOENT ? 127 : 126;
}

}  // namespace

int main(int count, char** arguments)
{
    const std::string command = count > 1 ? arguments[1] : "";
    if (command == "--help" || command == "-h" || command == "help") {
        std::cout << usage;
        return 0;
    }
    if (command == "run") {
        return run_program(count, arguments);
    }
    if (command != "c" && command != "show") {
        std::cerr << usage;
        return 2;
    }
    try {
        cpt::command_line line(std::vector<std::string>(arguments + 2, arguments + count));
        if (line.help) {
            std::cout << usage;
            return 0;
        }
        if (!line.error.empty()) {
            std::cerr << "cpt: error: " << line.error << "\n";
            return 2;
        }
        if (command == "show") {
            line.no_translation = line.preprocess_only = false;
            if (line.inputs.empty()) {
                std::cerr << "cpt show: no C file (see cpt --help)\n";
                return 2;
            }
        }
        // The folder with what lies between the compilers goes whatever ends them.
        cpt::outlive_signals();
        const int status = compilation(std::move(line), find_folders()).run(command == "show");
        cpt::end_by_signal();
        return status;
    } catch (const std::exception& e) {
        return fail(e.what());
    }
}
