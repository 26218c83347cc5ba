// The settings of the collectives: one plain struct, and the table of environment variables that
// fill it. Rank 0's values count for a communicator, since the ranks must agree; they are sent
// during the set-up.
#pragma once

#include "coll/tree.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace artel::coll {

enum class memory_sort : std::uint32_t { memfd, directory };
enum class protocol_kind : std::uint32_t { lines, paper };
// Where each rank's queue lies: all where rank 0 puts them, for comparison; on the rank's NUMA
// node; on another one, for tests of the warning about that.
enum class place_choice : std::uint32_t { off, on, wrong };
enum class choice : std::uint32_t { off, on, measured };

// The value of `direct_from` if it is to be measured.
inline constexpr std::uint64_t direct_unknown = ~std::uint64_t{0};

// The rule for the sizes of queues and fragments: sizing.hpp.
enum class sizing_rule : std::uint32_t { queue, message, fragment, length, memory };

// Sent between processes: plain data.
struct settings {
    std::uint32_t enabled = 1;
    std::uint32_t verbose = 0;  // print on stderr what is used, or why nothing is
    // broadcasts on a communicator before the set-up, which the MPI library does.
    std::uint32_t setup_after = 3;
    std::uint32_t slots = 128;                // control lines per rank
    std::uint64_t queue_bytes = 1024 * 1024;  // b: of each rank's queue
    std::uint32_t sets = 4;                   // q
    std::uint64_t fragment = 0;               // f; 0: by the model, per message
    sizing_rule rule = sizing_rule::queue;
    std::uint64_t largest = 1024 * 1024;  // m: bytes of the largest message, for the rules
    std::uint32_t length = 64;            // s, for rule 3
    // bytes of the messages that the model's copy rate is measured for; 0: those that stay in the
    // caches.
    std::uint64_t model_message = 0;
    tree_kind shape = tree_kind::automatic;
    std::uint32_t k = 2;
    std::uint64_t inline_limit = 96;  // bytes; up to this a message travels in control lines
    // bytes; from this on the kernel copies between the processes; 0: never; or direct_unknown.
    std::uint64_t direct_from = 0;
    // with two ranks the reader of a queue hands its cache lines back.
    choice hand_back = choice::measured;
    std::uint32_t helping = 1;  // where the kernel copies, the root writes while the others read
    memory_sort sort = memory_sort::memfd;
    char directory[64] = "/dev/shm";
    std::uint32_t huge = 0;  // transparent huge pages for the queues
    place_choice place = place_choice::on;
    // each rank checks where its pages are, and moves those on the wrong node.
    std::uint32_t check_pages = 1;
    // MADV_RANDOM during the set-up as in the paper, for comparison.
    std::uint32_t advise_random = 0;
    std::uint32_t reserve = 1;  // fallocate; 0: pages are allocated at first touch, for comparison
    protocol_kind protocol = protocol_kind::lines;
    // bytes of shared memory for all communicators of a process; 0: a 16th of the machine.
    std::uint64_t memory_limit = 0;
    // polls before yielding the CPU; 0: by the number of ranks per CPU.
    std::uint32_t spins = 0;
    // The collectives that Artel does.
    std::uint32_t bcast = 1;
    std::uint32_t barrier = 1;
    std::uint32_t reduce = 1;
    std::uint32_t allreduce = 1;
    std::uint32_t allgather = 1;
    // of each of the three pieces that a rank has for reductions and allgathers.
    std::uint64_t piece_bytes = 256 * 1024;
    // bytes; above, each rank reduces its share only; 0: by the number of ranks per CPU.
    std::uint64_t whole_limit = 0;
    // bytes of a result from which it is written around the caches; 0: never.
    std::uint64_t stream_from = 4ULL << 20;
};

// One row per variable: name, meaning, and how a word sets it.
struct setting_row {
    const char* variable;  // ARTEL_MPI_...
    const char* allowed;
    const char* meaning;
    bool (*set)(settings& s, const char* word);
    std::string (*print)(const settings& s);
};
std::span<const setting_row> setting_table();

// The settings of the environment. A value that makes no sense, or a variable that is none of them,
// is reported on stderr (once per process and variable) and ignored.
settings settings_of_environment();

// Sets one by the name of its variable without ARTEL_MPI_, in lower case ("fragment"); false if
// there is none or the word makes no sense.
bool set_by_name(settings& s, const char* name, const char* word);

}  // namespace artel::coll
