// artel doctor: which libraries of a program or a process bring threads, who asked for them, and
// whether the crew serves them.
#include "artel/command.hpp"
#include "artel/elf_needs.hpp"
#include "artel/program.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::tool {

namespace {

namespace fs = std::filesystem;

enum class server { crew, crew_by_ours, told_by_ours, own_threads, runtime_below, nobody };

// What a library is, by the beginning of its file's name or its soname.
struct kind {
    std::string_view beginning;
    std::string_view family;
    server by;
};

// The first that fits counts, so ours come first: a file of ours has the stock library's soname.
constexpr kind kinds[] = {
    {"libgomp-artel.", "OpenMP", server::crew},
    {"libtbb-artel.", "oneTBB", server::crew},
    {"libqthread-artel.", "Qthreads", server::crew},
    {"libabt-artel.", "Argobots", server::crew},
    {"libartel-openblas.", "OpenBLAS", server::crew},
    {"libgomp.", "OpenMP", server::crew_by_ours},
    {"libgomp-", "OpenMP", server::crew_by_ours},  // in Python's wheels
    {"libomp.", "OpenMP", server::crew_by_ours},
    {"libomp-", "OpenMP", server::crew_by_ours},
    {"libiomp5", "OpenMP", server::crew_by_ours},
    {"libtbb.", "oneTBB", server::own_threads},
    {"libtbb-", "oneTBB", server::own_threads},
    {"libqthread.", "Qthreads", server::own_threads},
    {"libabt.", "Argobots", server::own_threads},
    {"libopenblas", "OpenBLAS", server::told_by_ours},
    {"libscipy_openblas", "OpenBLAS", server::told_by_ours},
    {"libmkl_rt", "MKL", server::own_threads},
    {"libmkl_gnu_thread", "MKL", server::runtime_below},
    {"libmkl_intel_thread", "MKL", server::runtime_below},
    {"libmkl_tbb_thread", "MKL", server::runtime_below},
    {"libmkl_sequential", "MKL", server::nobody},
    {"libblis", "BLIS", server::own_threads},
};

struct image {
    std::string path;
    elf_needs says;
    const kind* of_kind = nullptr;  // nullptr: it brings no threads
};

struct finding {
    std::string_view family;
    std::string path;
    std::string served;
    bool could_be = false;  // it is not served by the crew, and Artel has something for it
    std::vector<std::string> asked_for_by;
};

const kind* kind_of(const fs::path& path, const elf_needs& says)
{
    const auto name = path.filename().string();
    std::error_code error;
    const auto real = fs::canonical(path, error).filename().string();
    // Debian's libblas.so.3 may be a link to OpenBLAS, or lie in its folder.
    if ((name.starts_with("libblas.") || name.starts_with("liblapack.")) &&
        path.parent_path().filename().string().starts_with("openblas"))
        return &*std::find_if(std::begin(kinds), std::end(kinds),
                              [](const kind& k) { return k.beginning == "libopenblas"; });
    for (const auto& k : kinds)
        if (name.starts_with(k.beginning) || real.starts_with(k.beginning) ||
            (k.by != server::crew && says.soname.starts_with(k.beginning)))
            return &k;
    return nullptr;
}

image image_of(const std::string& path, elf_needs says)
{
    const kind* const found = kind_of(path, says);
    return {path, std::move(says), found};
}

// Who of these needs the library by its soname or its file's name.
std::vector<std::string> who_asked(const image& of, const std::vector<image>& all)
{
    std::vector<std::string> result;
    const auto name = fs::path(of.path).filename().string();
    for (const auto& other : all)
        for (const auto& needed : other.says.needed)
            if (needed == of.says.soname || needed == name) {
                result.push_back(other.path);
                break;
            }
    return result;
}

std::vector<finding> examine(const std::vector<image>& images)
{
    const auto is_there = [&](std::string_view beginning) {
        return std::any_of(images.begin(), images.end(), [&](const image& it) {
            return it.of_kind != nullptr && it.of_kind->beginning == beginning;
        });
    };
    const bool openmp = is_there("libgomp-artel."), openblas = is_there("libartel-openblas.");
    std::vector<finding> result;
    for (const auto& it : images) {
        const kind* const k = it.of_kind;
        if (k == nullptr)
            continue;
        finding found{k->family, it.path, {}, false, who_asked(it, images)};
        const bool above_openmp = std::any_of(
            it.says.needed.begin(), it.says.needed.end(), [](const std::string& name) {
                return name.starts_with("libgomp") || name.starts_with("libomp") ||
                       name.starts_with("libiomp5");
            });
        switch (k->by) {
        case server::crew: found.served = "the crew"; break;
        case server::crew_by_ours:
            found.served = openmp ? "the crew, through libgomp-artel" : "threads of its own";
            found.could_be = !openmp;
            break;
        case server::told_by_ours:
            if (above_openmp) {
                found.served = "its OpenMP runtime";
            } else {
                found.served = openblas
                                   ? "threads of its own, told by Artel how many to use"
                                   : "threads of its own (ARTEL_BLAS=true has it told how many)";
                found.could_be = !openblas;
            }
            break;
        case server::own_threads:
            found.served = "threads of its own";
            found.could_be = k->family == "oneTBB";
            break;
        case server::runtime_below: found.served = "the runtime that it needs"; break;
        case server::nobody: found.served = "no threads"; break;
        }
        result.push_back(std::move(found));
    }
    return result;
}

// --- a process ---

[[noreturn]] void no_such_process(const std::string& number, int error)
{
    throw command_error(
        failure,
        fmt::format("process {}: {}", number,
                    error == ENOENT || error == ESRCH ? "there is none" : std::strerror(error)));
}

std::vector<image> images_of_process(const std::string& number)
{
    std::ifstream maps("/proc/" + number + "/maps");
    if (!maps)
        no_such_process(number, errno);
    std::vector<image> result;
    std::set<std::string> known;
    for (std::string line; std::getline(maps, line);) {
        const auto slash = line.find('/');
        // Executable mappings of files: the third letter of the permissions.
        const auto permissions = line.find(' ');
        if (slash == line.npos || permissions == line.npos || line[permissions + 3] != 'x')
            continue;
        const auto path = line.substr(slash);
        if (known.insert(path).second)
            // Through the process's own root, which may be a container's.
            result.push_back(image_of(path, read_elf_needs("/proc/" + number + "/root" + path)));
    }
    return result;
}

// The names of its threads, with how many have each.
std::map<std::string, int> threads_of_process(const std::string& number)
{
    std::map<std::string, int> result;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc/" + number + "/task", error)) {
        std::string name;
        std::getline(std::ifstream(entry.path() / "comm"), name);
        if (!name.empty())
            ++result[name];
    }
    return result;
}

// --- a program ---

// What the command writes on standard output; its errors go where ours go.
std::string output_of(const std::vector<std::string>& words)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw command_error(failure, fmt::format("a pipe: {}", std::strerror(errno)));
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        std::vector<char*> argv;
        for (const auto& word : words)
            argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    std::string text;
    char part[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], part, sizeof part)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0)
            text.append(part, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return text;
}

// What the program loads when it starts under `artel run`. The dynamic linker says so, and does not
// start the program.
std::vector<image> images_of_program(const std::string& path)
{
    const auto own = read_elf_needs(path);
    if (own.loader.empty())
        throw command_error(failure,
                            fmt::format("{}: not a program that is linked dynamically, or not a "
                                        "binary; for a script name its interpreter",
                                        path));
    std::vector<image> result{image_of(path, own)};
    std::istringstream lines(
        output_of({fs::read_symlink("/proc/self/exe").string(), "run", "--", "/usr/bin/env",
                   "LD_TRACE_LOADED_OBJECTS=1", fs::absolute(path).string()}));
    for (std::string line; std::getline(lines, line);) {
        const auto slash = line.find('/');
        const auto end = line.rfind(" (0x");
        if (line.find("not found") != line.npos)
            warn("doctor", "{}:{}", path, line);
        if (slash == line.npos || end == line.npos || end < slash)
            continue;
        const auto library = line.substr(slash, end - slash);
        result.push_back(image_of(library, read_elf_needs(library)));
    }
    return result;
}

// --- output ---

void print(const std::vector<finding>& findings)
{
    if (findings.empty())
        fmt::print("no library that brings threads\n");
    for (const auto& it : findings) {
        fmt::print("{:<9} {}\n{:<9} served by     {}\n", it.family, it.path, "", it.served);
        fmt::print("{:<9} asked for by  {}\n", "",
                   it.asked_for_by.empty() ? "LD_PRELOAD or dlopen"
                                           : fmt::format("{}", fmt::join(it.asked_for_by, ", ")));
    }
}

struct doctor_arguments {
    std::string of;
    bool as_json = false;
};

void doctor(const doctor_arguments& arguments, context& state)
{
    const auto& of = arguments.of;
    const bool is_number = !of.empty() && of.find_first_not_of("0123456789") == of.npos;
    std::map<std::string, int> threads;
    std::vector<image> images;
    std::string unreachable;
    if (is_number) {
        images = images_of_process(of);
        threads = threads_of_process(of);
        if (images.empty())
            throw command_error(failure, fmt::format("process {}: it has no programs or libraries "
                                                     "(a thread of the kernel, or it has ended)",
                                                     of));
    } else {
        const auto path = find_program(of);
        unreachable = why_not_preloadable(path);
        images = images_of_program(path);
    }
    const auto findings = examine(images);
    const bool fine = unreachable.empty() &&
                      std::none_of(findings.begin(), findings.end(),
                                   [](const finding& it) { return it.could_be; });
    if (arguments.as_json) {
        nlohmann::json json{{"images", nlohmann::json::array()}, {"fine", fine}};
        for (const auto& it : findings)
            json["images"].push_back({{"family", it.family},
                                      {"file", it.path},
                                      {"served_by", it.served},
                                      {"asked_for_by", it.asked_for_by}});
        if (is_number)
            json["threads"] = threads;
        fmt::print("{}\n", json.dump(2));
    } else {
        print(findings);
        for (const auto& [name, count] : threads)
            fmt::print("{:<9} {} {}\n", name == threads.begin()->first ? "threads" : "", count,
                       name);
        if (!unreachable.empty())
            fmt::print("{} runs without Artel, because {}\n", of, unreachable);
    }
    state.exit_code = fine ? success : failure;
}

}  // namespace

void add_doctor(CLI::App& app, context& state)
{
    auto* command = app.add_subcommand(
        "doctor",
        "Show which libraries of a program or process bring threads, and who serves them");
    auto arguments = std::make_shared<doctor_arguments>();
    command
        ->add_option("target", arguments->of,
                     "A program, as it would start under `artel run`, or the number of a process")
        ->type_name("PROGRAM|PID")
        ->required();
    command->add_flag("--json", arguments->as_json, "The same facts as JSON");
    command->footer(
        "Libraries that a program opens later are seen in a process only.\n"
        "Exit code: 0 if the crew serves all that it can serve; 1 if not, or if nothing can be told;\n"
        "2 if the command line is wrong; 126 or 127 if the program cannot be executed or found.");
    command->callback([arguments, &state] { doctor(*arguments, state); });
}

}  // namespace artel::tool
