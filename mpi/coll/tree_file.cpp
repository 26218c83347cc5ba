// Reading and writing of the format; a file of another machine, or in another version, counts as
// none.
#include "coll/tree_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace artel::coll {
namespace {

constexpr std::string_view title = "artel mpi trees 1";
constexpr std::size_t most_bytes = std::size_t{1} << 16;
constexpr unsigned largest_group_told = 1U << 16;

// Reads the beginning of a regular file; "" if there is none. Other files, such as pipes, could
// block.
std::string beginning_of(const char* path, std::size_t most)
{
    std::string text;
    const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return text;
    }
    struct stat about{};
    if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
        text.resize(most);
        std::size_t got = 0;
        for (ssize_t n = 1; n != 0 && got < most;) {
            n = ::read(file, text.data() + got, most - got);
            if (n < 0 && errno != EINTR) {
                break;
            }
            got += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
        }
        text.resize(got);
    }
    ::close(file);
    return text;
}

std::string processor()
{
    const std::string text = beginning_of("/proc/cpuinfo", 4096);
    const auto at = text.find("model name");
    const auto from = at == std::string::npos ? at : text.find(": ", at);
    const auto end = from == std::string::npos ? from : text.find('\n', from);
    return end == std::string::npos ? "unknown processor" : text.substr(from + 2, end - from - 2);
}

unsigned numa_nodes()
{
    // "0-3" or "0,2": only the last number is needed.
    std::string text = beginning_of("/sys/devices/system/node/online", 256);
    const auto at = text.find_last_of("-,");
    return static_cast<unsigned>(
               std::strtoul(text.c_str() + (at == std::string::npos ? 0 : at + 1), nullptr, 10)) +
           1;
}

bool read_row(const std::string& line, tree_row& row)
{
    std::istringstream words(line);
    std::string group, how, bytes, tree, kind;
    tree_form form{tree_kind::flat, 1};
    if (!(words >> group >> row.group >> how >> bytes >> row.bytes >> tree >> kind) ||
        group != "group" || bytes != "bytes" || tree != "tree" ||
        (how != "roomy" && how != "crowded") || !parse_tree_kind(kind, form.kind)) {
        return false;
    }
    std::string rest;
    if (words >> rest) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), form.k);
        if (error != std::errc{} || end != rest.data() + rest.size() || words >> rest) {
            return false;
        }
    }
    row.crowded = how == "crowded";
    row.tree = number_of(form);
    return row.tree < tree_forms.size() && row.group >= 2 && row.group <= largest_group_told &&
           row.bytes >= 1;
}

}  // namespace

std::string this_machine_in_words()
{
    return processor() + ", " + std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)) + " CPUs, " +
           std::to_string(numa_nodes()) + " NUMA nodes";
}

std::string tree_file_path(std::string_view machine)
{
    if (::getauxval(AT_SECURE) != 0) {
        return {};
    }
    std::string folder;
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    if (cache != nullptr && cache[0] == '/') {
        folder = cache;
    } else if (home != nullptr && home[0] == '/') {
        folder = std::string(home) + "/.cache";
    } else {
        return {};
    }
    std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
    for (const char c : machine) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    char name[64];
    std::snprintf(name, sizeof name, "/artel/mpi-trees-%016llx.txt",
                  static_cast<unsigned long long>(hash));
    return folder + name;
}

std::string text_of(std::span<const tree_row> rows, std::string_view machine)
{
    std::ostringstream text;
    text << title << "\nmachine " << machine << '\n';
    for (const tree_row& row : rows) {
        text << "group " << row.group << (row.crowded ? " crowded" : " roomy") << " bytes "
             << row.bytes << " tree " << words_of(tree_forms.at(row.tree)) << '\n';
    }
    return text.str();
}

tree_file parse_tree_file(std::string_view text, std::string_view machine)
{
    tree_file result;
    std::istringstream lines{std::string(text)};
    std::string line;
    if (!std::getline(lines, line) || line != title) {
        result.problem = "it is of another version";
    } else if (!std::getline(lines, line) || line != "machine " + std::string(machine)) {
        result.problem = "it is of another machine";
    }
    while (result.problem.empty() && std::getline(lines, line)) {
        tree_row row;
        if (!read_row(line, row)) {
            result.problem = "a line in it makes no sense: " + line.substr(0, 80);
            result.rows.clear();
        } else {
            result.rows.push_back(row);
        }
    }
    return result;
}

const tree_file& this_machines_trees()
{
    // Never destroyed: communicators may be set up after static objects have gone.
    static const auto* const found = [] {
        const std::string machine = this_machine_in_words();
        const std::string path = tree_file_path(machine);
        const std::string text = path.empty() ? "" : beginning_of(path.c_str(), most_bytes);
        return new tree_file(text.empty() ? tree_file{} : parse_tree_file(text, machine));
    }();
    return *found;
}

}  // namespace artel::coll
