// Runtimes are found by where the driver itself lies. What a program is linked to is read out of
// its ELF file by hand.
#include "runtimes.hpp"

#include "command_line.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace cpt {

namespace {

fs::path start_folder(const std::string& runtime)
{
    return runtime_folder() / "cpt" / "start" / runtime;
}

// A part of the file as objects of T; empty where the file is shorter.
template <class T>
std::vector<T> part(const std::vector<char>& file, std::size_t at, std::size_t n)
{
    if (at > file.size() || n > (file.size() - at) / sizeof(T)) {
        return {};
    }
    std::vector<T> all(n);
    std::memcpy(all.data(), file.data() + at, n * sizeof(T));
    return all;
}

// The names of the libraries that an ELF file needs; false if it is no ELF file.
bool needed(const fs::path& program, std::vector<std::string>& names)
{
    std::ifstream in(program, std::ios::binary);
    char magic[SELFMAG] = {};
    in.read(magic, SELFMAG);
    if (!in || std::memcmp(magic, ELFMAG, SELFMAG) != 0) {
        return false;
    }
    in.seekg(0);
    const std::vector<char> file((std::istreambuf_iterator<char>(in)), {});
    const auto header = part<Elf64_Ehdr>(file, 0, 1);
    if (header.empty() || header[0].e_ident[EI_CLASS] != ELFCLASS64) {
        return false;
    }
    for (const auto& s : part<Elf64_Shdr>(file, header[0].e_shoff, header[0].e_shnum)) {
        if (s.sh_type != SHT_DYNAMIC) {
            continue;
        }
        const auto strings = part<Elf64_Shdr>(
            file, header[0].e_shoff + s.sh_link * sizeof(Elf64_Shdr), 1);
        if (strings.empty()) {
            return false;
        }
        for (const auto& d : part<Elf64_Dyn>(file, s.sh_offset, s.sh_size / sizeof(Elf64_Dyn))) {
            const std::size_t at = strings[0].sh_offset + d.d_un.d_val;
            if (d.d_tag == DT_NEEDED && at < file.size()) {
                names.emplace_back(file.data() + at, strnlen(file.data() + at, file.size() - at));
            }
        }
    }
    return true;
}

}  // namespace

fs::path runtime_folder()
{
    static const fs::path found = [] {
        const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
        for (const char* p : {CPT_LIBRARY_FOLDERS}) {
            if (fs::exists(here / p / "libcp-artel.so")) {
                return (here / p).lexically_normal();
            }
        }
        return fs::path();
    }();
    return found;
}

bool is_installed(const std::string& runtime)
{
    std::error_code ignored;
    return fs::exists(start_folder(runtime) / "libcp.so.1", ignored);
}

std::string installed_runtimes()
{
    std::string all;
    for (const std::string& name : runtime_names()) {
        all += is_installed(name) ? (all.empty() ? "" : ", ") + name : "";
    }
    return all;
}

// They come before all others, so that a library of the program's that needs libgomp finds the
// crew's.
std::vector<std::string> link_arguments(const std::string& runtime)
{
    const std::string library = runtime_folder().string(), drop_in = library + "/cpt";
    std::vector<std::string> all = {"-Wl,--push-state,--no-as-needed"};
    if (runtime.empty()) {
        // A run path of the kind (DT_RUNPATH) that is searched after LD_LIBRARY_PATH.
        all.insert(all.end(), {"-L" + drop_in + "/any", "-lcp", "-Wl,--enable-new-dtags",
                               "-Wl,-rpath," + start_folder("artel").string()});
    } else {
        all.insert(all.end(), {"-L" + library, "-lcp-" + runtime, "-Wl,-rpath," + library});
    }
    if (runtime == "artel") {
        // This folder has a link to the drop-in under its soname.
        all.insert(all.end(), {drop_in + "/libgomp.so.1", "-Wl,-rpath," + drop_in});
    }
    all.push_back("-Wl,--pop-state");
    return all;
}

std::vector<std::string> last_link_arguments(const std::string& runtime)
{
    if (!runtime.empty()) {
        return {};
    }
    return {"-Wl,--push-state,--as-needed", (start_folder("artel") / "libgomp.so.1").string(),
            "-Wl,--pop-state"};
}

linked linkage(const fs::path& program, std::string& runtime)
{
    std::vector<std::string> names;
    if (!needed(program, names)) {
        return linked::no_program;
    }
    for (const std::string& n : names) {
        if (n == "libcp.so.1") {
            return linked::to_any;
        }
        if (n.starts_with("libcp-") && n.ends_with(".so")) {
            runtime = n.substr(6, n.size() - 9);
            return linked::to_one;
        }
    }
    return linked::not_at_all;
}

}  // namespace cpt
