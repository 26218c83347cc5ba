// Runs the user's compiler as preprocessor, then cpt-translate if the text has directives.
// Dependency files (-MD) and those of -save-temps get the names that gcc would give them.
#include "translation.hpp"

#include "preprocessed.hpp"
#include "process.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

namespace cpt {

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

int fail(const std::string& text)
{
    std::cerr << "cpt: error: " << text << "\n";
    return 1;
}

}  // namespace

// Relative to this program: bin/cpt has lib and include beside it, installed and in the build tree.
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
    return f;
}

std::string product_prefix(const command_line& line)
{
    fs::path out = line.output.empty() ? "a.out" : line.output;
    return (out.extension() == ".out" || out.extension() == ".exe" ? out.replace_extension() : out)
               .string() +
           "-";
}

int translate(const command_line& line, const folders& where, std::size_t index,
              const fs::path& input, const fs::path& base, fs::path& result)
{
    if (!fs::exists(input)) {
        return fail("no such file: '" + input.string() + "'");
    }
    const bool cxx = line.cxx.contains(index);
    fs::path plain = base.string() + (cxx ? ".ii" : ".i");
    std::vector<std::string> preprocess = line.compiler;
    preprocess.insert(preprocess.end(),
                      {"-E", "-fopenmp", "-D__CPT__=1", "-isystem", where.include});
    preprocess.insert(preprocess.end(), line.preprocess_flags.begin(), line.preprocess_flags.end());
    if (line.dependencies && !line.dependency_target) {
        const std::string target = line.output.empty() ? input.stem().string() + ".o" : line.output;
        preprocess.insert(preprocess.end(), {"-MT", target});
    }
    if (line.dependencies && !line.dependency_file) {
        fs::path file = !line.output.empty() ? line.output
                        : line.links         ? product_prefix(line) + input.filename().string()
                                             : input.filename().string();
        preprocess.insert(preprocess.end(), {"-MF", file.replace_extension(".d")});
    }
    preprocess.insert(preprocess.end(), {"-x", cxx ? "c++" : "c", input, "-o", plain});
    if (line.preprocessed.contains(index)) {
        plain = input;
    } else if (const int status = execute(preprocess); status != 0) {
        return status;
    }
    if (line.saves && plain != input) {
        fs::path saved = line.links            ? product_prefix(line) + input.filename().string()
                         : line.output.empty() ? input.filename().string()
                                               : line.output;
        if (line.saves_here) {
            saved = saved.filename();
        }
        fs::copy_file(plain, saved.replace_extension(".i"), fs::copy_options::overwrite_existing);
    }
    std::string text = read(plain);
    if (line.comments) {
        text = without_comments(text);
        if (plain == input) {
            plain = base.string() + ".plain.i";
        }
        std::ofstream(plain, std::ios::binary) << text;
    }
    const std::string place = first_directive(text, !cxx);
    if (place.empty()) {
        result = plain;
        return 0;
    }
    if (cxx) {
        std::cerr << place << ": error: cpt: '" << input.string()
                  << "' is C++ with OpenMP; cpt translates C\n";
        return 1;
    }
    if (where.translator.empty()) {
        return fail(
            "cpt-translate is missing beside cpt; it is built where Debian's "
            "libclang-19-dev and llvm-19-dev are installed");
    }
    result = base.string() + ".cpt.i";
    std::vector<std::string> command = {where.translator, plain, "-o", result};
    if (!line.profile.empty()) {
        command.insert(command.end(), {"--profile", line.profile});
    }
    command.push_back("--");
    command.insert(command.end(), line.clang_flags.begin(), line.clang_flags.end());
    return execute(command);
}

}  // namespace cpt
