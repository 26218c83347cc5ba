// The table of variables. Numbers and words are parsed and printed by templates over the member and
// its bounds or words; the rest has functions of its own.
#include "coll/settings.hpp"

#include "base/variable_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace artel::coll {
namespace {

// A whole number, with K, M or G for powers of 1024.
bool parse_bytes(const char* word, std::uint64_t least, std::uint64_t most, std::uint64_t& value)
{
    if (!std::isdigit(static_cast<unsigned char>(*word))) {
        return false;
    }
    char* end = nullptr;
    errno = 0;
    std::uint64_t n = std::strtoull(word, &end, 10);
    if (errno != 0) {
        return false;
    }
    constexpr std::string_view units = "KMG";
    if (*end != '\0') {
        const auto at = units.find(
            static_cast<char>(std::toupper(static_cast<unsigned char>(*end))));
        const unsigned shift = 10 * static_cast<unsigned>(at + 1);
        if (at == std::string_view::npos || end[1] != '\0' || n > (~std::uint64_t{0} >> shift)) {
            return false;
        }
        n <<= shift;
    }
    if (n < least || n > most) {
        return false;
    }
    value = n;
    return true;
}

template <auto member, std::uint64_t least, std::uint64_t most>
bool set_number(settings& s, const char* word)
{
    std::uint64_t value = 0;
    if (!parse_bytes(word, least, most, value)) {
        return false;
    }
    s.*member = static_cast<std::remove_reference_t<decltype(s.*member)>>(value);
    return true;
}

template <auto member>
std::string print_number(const settings& s)
{
    return std::to_string(s.*member);
}

// A word out of a list; the list's order is that of the enumeration.
template <auto member, const auto& words>
bool set_word(settings& s, const char* word)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (std::strcmp(word, words[i]) == 0) {
            s.*member = static_cast<std::remove_reference_t<decltype(s.*member)>>(i);
            return true;
        }
    }
    return false;
}

template <auto member, const auto& words>
std::string print_word(const settings& s)
{
    return words.at(static_cast<std::size_t>(s.*member));
}

constexpr std::array<const char*, 2> off_on{"off", "on"};
constexpr std::array<const char*, 3> off_on_auto{"off", "on", "auto"};
constexpr std::array<const char*, 3> places{"off", "on", "wrong"};
constexpr std::array<const char*, 5> rules{"queue", "message", "fragment", "length", "memory"};
constexpr std::array<const char*, 2> protocols{"lines", "paper"};

bool set_tree(settings& s, const char* word)
{
    return parse_tree_kind(word, s.shape);
}
std::string print_tree(const settings& s)
{
    return name_of(s.shape);
}
bool set_memory(settings& s, const char* word)
{
    if (std::strcmp(word, "memfd") == 0) {
        s.sort = memory_sort::memfd;
        return true;
    }
    if (word[0] != '/' || std::strlen(word) >= sizeof s.directory) {
        return false;
    }
    s.sort = memory_sort::directory;
    std::strcpy(s.directory, word);
    return true;
}
std::string print_memory(const settings& s)
{
    return s.sort == memory_sort::memfd ? "memfd" : s.directory;
}
bool set_direct(settings& s, const char* word)
{
    if (std::strcmp(word, "auto") == 0) {
        s.direct_from = direct_unknown;
        return true;
    }
    return parse_bytes(word, 0, std::uint64_t{1} << 40, s.direct_from);
}
std::string print_direct(const settings& s)
{
    return s.direct_from == direct_unknown ? "auto" : std::to_string(s.direct_from);
}
bool set_slots(settings& s, const char* word)
{
    std::uint64_t n = 0;
    if (!parse_bytes(word, 8, 65536, n) || (n & (n - 1)) != 0) {
        return false;
    }
    s.slots = static_cast<std::uint32_t>(n);
    return true;
}

constexpr std::uint64_t any = std::uint64_t{1} << 40;
using S = settings;

constexpr setting_row rows[] = {
    {"ARTEL_MPI", "off, on", "use shared memory at all", set_word<&S::enabled, off_on>,
     print_word<&S::enabled, off_on>},
    {"ARTEL_MPI_VERBOSE", "off, on",
     "tell what is used for each communicator, why not, and in the end how often",
     set_word<&S::verbose, off_on>, print_word<&S::verbose, off_on>},
    {"ARTEL_MPI_SETUP_AFTER", "0-1000000",
     "broadcasts that the MPI library does itself before a communicator is set up",
     set_number<&S::setup_after, 0, 1000000>, print_number<&S::setup_after>},
    {"ARTEL_MPI_SLOTS", "a power of two, 8-65536", "control lines per rank", set_slots,
     print_number<&S::slots>},
    {"ARTEL_MPI_QUEUE", "4K-1G", "bytes of each rank's queue",
     set_number<&S::queue_bytes, 4096, 1 << 30>, print_number<&S::queue_bytes>},
    {"ARTEL_MPI_RULE", "queue, message, fragment, length, memory",
     "what gives a queue's size: ARTEL_MPI_QUEUE, the paper's rules 1 to 3 (the largest message "
     "known; f, or s, given too), or 1 % of the memory per core",
     set_word<&S::rule, rules>, print_word<&S::rule, rules>},
    {"ARTEL_MPI_LARGEST", "4K-1G", "bytes of the largest message, for the rules",
     set_number<&S::largest, 4096, 1 << 30>, print_number<&S::largest>},
    {"ARTEL_MPI_LENGTH", "1-65536", "fragments of a queue, for rule 3",
     set_number<&S::length, 1, 65536>, print_number<&S::length>},
    {"ARTEL_MPI_SETS", "1-64", "sets that a queue is divided into", set_number<&S::sets, 1, 64>,
     print_number<&S::sets>},
    {"ARTEL_MPI_FRAGMENT", "0-1G", "bytes of a fragment; 0: the model's choice for each message",
     set_number<&S::fragment, 0, 1 << 30>, print_number<&S::fragment>},
    {"ARTEL_MPI_MODEL_MESSAGE", "0-1G",
     "bytes of the messages that the model's copy rate is measured for; 0: those that stay in the "
     "caches",
     set_number<&S::model_message, 0, 1 << 30>, print_number<&S::model_message>},
    {"ARTEL_MPI_TREE", "flat, chain, kary, knomial, numa, auto",
     "the notification tree; numa: flat inside caches and between them; auto: inside caches as "
     "artel mpi tune has measured or a model says",
     set_tree, print_tree},
    {"ARTEL_MPI_K", "1-1024", "k of the trees kary and knomial", set_number<&S::k, 1, 1024>,
     print_number<&S::k>},
    {"ARTEL_MPI_INLINE", "0-4096", "bytes up to which a message travels in control lines",
     set_number<&S::inline_limit, 0, 4096>, print_number<&S::inline_limit>},
    {"ARTEL_MPI_DIRECT", "0-1024G, auto",
     "bytes from which the kernel copies between processes; 0: never; auto: measured when the "
     "first communicator of a size is set up",
     set_direct, print_direct},
    {"ARTEL_MPI_HAND_BACK", "off, on, auto",
     "with two ranks, whoever has read a part of the queue makes its cache lines its own, so that "
     "writing there again is cheap; auto: where that was measured to be faster",
     set_word<&S::hand_back, off_on_auto>, print_word<&S::hand_back, off_on_auto>},
    {"ARTEL_MPI_HELPING", "off, on",
     "where the kernel copies, the root writes while the others read",
     set_word<&S::helping, off_on>, print_word<&S::helping, off_on>},
    {"ARTEL_MPI_MEMORY", "memfd, or a directory", "where the shared memory comes from", set_memory,
     print_memory},
    {"ARTEL_MPI_HUGE", "off, on", "ask for transparent huge pages", set_word<&S::huge, off_on>,
     print_word<&S::huge, off_on>},
    {"ARTEL_MPI_PLACE", "off, on, wrong",
     "each rank's queue on its own NUMA node; off, wrong: on another (for comparison, and for "
     "tests)",
     set_word<&S::place, places>, print_word<&S::place, places>},
    {"ARTEL_MPI_PAGES", "off, on",
     "each rank looks where its pages lie when they are set up, and moves those on a wrong NUMA "
     "node",
     set_word<&S::check_pages, off_on>, print_word<&S::check_pages, off_on>},
    {"ARTEL_MPI_RANDOM", "off, on", "MADV_RANDOM during set-up (for comparison)",
     set_word<&S::advise_random, off_on>, print_word<&S::advise_random, off_on>},
    {"ARTEL_MPI_RESERVE", "off, on",
     "reserve pages with fallocate; off: first touch (for comparison)",
     set_word<&S::reserve, off_on>, print_word<&S::reserve, off_on>},
    {"ARTEL_MPI_PROTOCOL", "lines, paper",
     "control lines, or the paper's sets with atomic counters (for comparison)",
     set_word<&S::protocol, protocols>, print_word<&S::protocol, protocols>},
    {"ARTEL_MPI_LIMIT", "0-1024G",
     "bytes of shared memory per process, to which queues are cut; 0: a 16th of the machine's",
     set_number<&S::memory_limit, 0, any>, print_number<&S::memory_limit>},
    {"ARTEL_MPI_SPINS", "0-1000000",
     "looks before a waiting rank gives its CPU away; 0: by the number of ranks per CPU",
     set_number<&S::spins, 0, 1000000>, print_number<&S::spins>},
    {"ARTEL_MPI_BCAST", "off, on", "whether MPI_Bcast is done here", set_word<&S::bcast, off_on>,
     print_word<&S::bcast, off_on>},
    {"ARTEL_MPI_BARRIER", "off, on", "whether MPI_Barrier is done here",
     set_word<&S::barrier, off_on>, print_word<&S::barrier, off_on>},
    {"ARTEL_MPI_REDUCE", "off, on", "whether MPI_Reduce is done here", set_word<&S::reduce, off_on>,
     print_word<&S::reduce, off_on>},
    {"ARTEL_MPI_ALLREDUCE", "off, on", "whether MPI_Allreduce is done here",
     set_word<&S::allreduce, off_on>, print_word<&S::allreduce, off_on>},
    {"ARTEL_MPI_ALLGATHER", "off, on", "whether MPI_Allgather is done here",
     set_word<&S::allgather, off_on>, print_word<&S::allgather, off_on>},
    {"ARTEL_MPI_PIECE", "4K-256M",
     "bytes of each of a rank's three pieces for reductions and allgathers",
     set_number<&S::piece_bytes, 4096, 256 << 20>, print_number<&S::piece_bytes>},
    {"ARTEL_MPI_WHOLE", "0-1024G",
     "bytes up to which every rank reduces all of a message, and not only its share; 0: by the "
     "number of ranks per CPU",
     set_number<&S::whole_limit, 0, any>, print_number<&S::whole_limit>},
    {"ARTEL_MPI_STREAM", "0-1024G",
     "bytes of a broadcast from which it is written around the caches, and a seventh of those that "
     "the ranks of another collective read and write together; 0: never",
     set_number<&S::stream_from, 0, any>, print_number<&S::stream_from>},
};

}  // namespace

std::span<const setting_row> setting_table()
{
    return rows;
}

settings settings_of_environment()
{
    settings s;
    for (const setting_row& row : rows) {
        const char* const word = std::getenv(row.variable);
        if (word != nullptr && *word != '\0' && !row.set(s, word)) {
            std::fprintf(stderr, "artel: %s=%s is ignored; allowed: %s\n", row.variable, word,
                         row.allowed);
        }
    }
    std::vector<std::string_view> known;
    for (const setting_row& row : rows) {
        known.emplace_back(row.variable);
    }
    constexpr std::string_view beginning = "ARTEL_MPI_";
    for (const std::string& name : base::environment_names(beginning)) {
        if (std::ranges::find(known, name) == known.end()) {
            const std::string told = base::unknown_variable(name, beginning, known,
                                                            "artel mpi info");
            std::fprintf(stderr, "artel: %s\n", told.c_str());
        }
    }
    return s;
}

bool set_by_name(settings& s, const char* name, const char* word)
{
    for (const setting_row& row : rows) {
        const std::string_view variable = row.variable;
        if (variable.size() != std::strlen("ARTEL_MPI_") + std::strlen(name)) {
            continue;
        }
        std::string upper = "ARTEL_MPI_";
        for (const char* c = name; *c != '\0'; ++c) {
            upper += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
        }
        if (upper == variable) {
            return row.set(s, word);
        }
    }
    return false;
}

}  // namespace artel::coll
