// The checks of values, and the table, which is used three times: for options of `cpt run`, for the
// variables that they set, and for the help.
#include "settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace cpt {

namespace {

// -1: the text is no number, or too long for one.
long number(std::string_view text)
{
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos) {
        return -1;
    }
    return std::strtol(std::string(text).c_str(), nullptr, 10);
}

bool digits(std::string_view text, long lowest, long highest)
{
    const long n = number(text);
    return n >= lowest && n <= highest;
}

// If the kernel names no nodes, there is one.
bool is_node(long n)
{
    const std::string all = "/sys/devices/system/node";
    std::error_code none;
    return std::filesystem::exists(all + "/online", none)
               ? std::filesystem::exists(all + "/node" + std::to_string(n), none)
               : n == 0;
}

// 0,2-3
bool is_list(std::string_view text)
{
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma), first = part.substr(0, part.find('-'));
        if (!digits(first, 0, 1023) ||
            (first.size() != part.size() && !digits(part.substr(first.size() + 1), 0, 1023))) {
            return false;
        }
        const long last = number(first.size() == part.size() ? first
                                                             : part.substr(first.size() + 1));
        for (long n = number(first); n <= last; ++n) {
            if (!is_node(n)) {
                return false;
            }
        }
        if (comma == text.npos) {
            return true;
        }
        text.remove_prefix(comma + 1);
    }
}

bool is_bytes(std::string_view text)
{
    if (text.ends_with("k")) {
        return digits(text.substr(0, text.size() - 1), 16, 1048576);
    }
    if (text.ends_with("m")) {
        return digits(text.substr(0, text.size() - 1), 1, 1024);
    }
    return false;
}

// A file that can be written, or "-".
bool is_writable(const std::string& file)
{
    namespace fs = std::filesystem;
    std::error_code none;
    const fs::path folder = fs::path(file).has_parent_path() ? fs::path(file).parent_path() : ".";
    return file == "-" ||
           (!file.empty() && !fs::is_directory(file, none) &&
            access(fs::exists(file, none) ? file.c_str() : folder.c_str(), W_OK) == 0);
}

bool set(bool really, const char* name, const std::string& to)
{
    if (really) {
        setenv(name, to.c_str(), 1);
    }
    return true;
}

}  // namespace

const std::vector<setting>& settings()
{
    static const std::vector<setting> all = {
        {"CP_RUNTIME", "--runtime", "NAME", "a runtime that is installed",
         "what a program runs on that is linked to no runtime in particular",
         [](const std::string&, bool) { return true; }},
        {"CP_NUM_STREAMS", "--streams", "N", "a number from 1 to 1024",
         "how many OS threads run the program's threads and tasks at once",
         [](const std::string& v, bool artel) {
             return digits(v, 1, 1024) && set(artel, "ARTEL_NUM_THREADS", v);
         }},
        {"CP_NUMAS", "--numas", "LIST", "numbers of nodes that are there, such as 0,2-3",
         "NUMA nodes that are used",
         [](const std::string& v, bool artel) {
             return is_list(v) && set(artel, "ARTEL_NUMAS", v);
         }},
        {"CP_STREAM_BIND", "--bind", "", "0 or 1", "1: the OS threads are bound to cores",
         [](const std::string& v, bool artel) {
             return digits(v, 0, 1) && set(artel, "ARTEL_BIND", v == "1" ? "cores" : "none");
         }},
        {"CP_GANG", "--gang", "", "0 or 1",
         "1: all members of a team run at once, or the team is smaller; artel adds OS threads "
         "instead",
         [](const std::string& v, bool) { return digits(v, 0, 1); }},
        {"CP_STACK_SIZE", "--stack-size", "BYTES", "16k to 1048576k, or 1m to 1024m",
         "stack of a light thread",
         [](const std::string& v, bool artel) {
             return is_bytes(v) && set(artel, "ARTEL_STACK_SIZE", v);
         }},
        {"CP_PARTITIONER_KIND", "--partitioner", "KIND",
         "0 (auto), 1 (simple), 3 (static) or, except on artel, 2 (affinity)",
         "how loops with schedule(runtime) are shared out",
         [](const std::string& v, bool artel) {
             return (v == "0" && set(artel, "OMP_SCHEDULE", "auto")) ||
                    (v == "1" && set(artel, "OMP_SCHEDULE", "dynamic")) || (v == "2" && !artel) ||
                    (v == "3" && set(artel, "OMP_SCHEDULE", "static"));
         }},
        {"CP_MIN_THREADS", "--min-threads", "N", "a number from 1 to 65536",
         "light threads that a region without num_threads has at least",
         [](const std::string& v, bool) { return digits(v, 1, 65536); }},
        {"CP_MAX_THREADS", "--max-threads", "N",
         "a number from 1 to 65536, not below CP_MIN_THREADS",
         "light threads that a region has at most",
         [](const std::string& v, bool) {
             const char* const least = std::getenv("CP_MIN_THREADS");
             return digits(v, 1, 65536) && (least == nullptr || number(least) <= number(v));
         }},
        {"CP_PROFILE", "--profile", "FILE", "a file that can be written, or - for standard error",
         "where calls and times of regions are written, by place",
         [](const std::string& v, bool) { return is_writable(v); }},
    };
    return all;
}

const setting* setting_of_option(std::string_view option)
{
    for (const setting& s : settings()) {
        if (option == s.option) {
            return &s;
        }
    }
    return nullptr;
}

std::string apply_settings(const std::string& runtime)
{
    for (const setting& s : settings()) {
        const char* const value = std::getenv(s.variable);
        if (value != nullptr && !s.apply(value, runtime == "artel")) {
            return std::string(s.variable) + " is '" + value + "'; allowed: " + s.allowed;
        }
    }
    return {};
}

std::string settings_table()
{
    const auto column = [](const std::string& text, std::size_t width) {
        return text + std::string(std::max<std::size_t>(width, text.size() + 1) - text.size(), ' ');
    };
    std::string out = column("variable", 21) + column("option", 20) + column("value", 9) +
                      "meaning; allowed\n";
    for (const setting& s : settings()) {
        const char* const value = std::getenv(s.variable);
        out += column(s.variable, 21) +
               column(std::string(s.option) + (*s.value != 0 ? " " : "") + s.value, 20) +
               column(value != nullptr ? value : "-", 9) + s.meaning + "; " + s.allowed + "\n";
    }
    return out;
}

}  // namespace cpt
