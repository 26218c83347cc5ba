// The table of options: one row each, with its parser and its printer. See options.hpp for what the
// table drives.
//
// Parsers accept exactly the values of `allowed`; printers return text that the parser accepts.
// Both are plain functions, so that the table is constant data and needs no initialisation.
#include "base/option_text.hpp"
#include "base/options.hpp"

#include <fmt/format.h>

#include <array>

namespace artel::base {

namespace {

constexpr std::array bind_words{"auto", "none", "cores", "threads", "numa"};
constexpr std::array wait_words{"auto", "active", "passive"};
constexpr std::array member_words{"light", "threads"};
constexpr std::array loop_words{"auto", "static",    "simple",   "dynamic",       "guided",
                                "lazy", "heartbeat", "timespan", "timespan-grain"};
constexpr std::uint64_t largest_grain = std::uint64_t{1} << 62;

// "dynamic" or "dynamic,16".
bool parse_loop(std::string_view text, loop_choice& loop, std::uint64_t& grain)
{
    const auto comma = text.find(',');
    std::uint64_t number = 0;
    if (comma != text.npos) {
        const auto first = text.find_first_not_of(" \t", comma + 1);
        const auto given = parse_number(
            first == text.npos ? std::string_view{} : text.substr(first), 1, largest_grain);
        if (!given)
            return false;
        number = *given;
    }
    auto word = text.substr(0, comma);
    if (const auto last = word.find_last_not_of(" \t"); last != word.npos)
        word = word.substr(0, last + 1);
    if (!parse_word(same_word(word, "automatic") ? "auto" : word, loop_words, loop))
        return false;
    grain = number;
    return true;
}

bool parse_spin(std::string_view text, std::chrono::microseconds& spin)
{
    if (same_word(text, "auto")) {
        spin = std::chrono::microseconds{-1};
        return true;
    }
    const auto number = parse_number(text, 0, 10'000'000);
    if (number)
        spin = std::chrono::microseconds{*number};
    return number.has_value();
}

using text_in = std::string_view;
using values_in = const option_values&;
using values_out = option_values&;

constexpr option_row rows[] = {
    {"num_threads", "ARTEL_NUM_THREADS", "count", "auto", "a whole number from 1 to 1024, or auto",
     "Width of the crew: how many workers run at once. auto is the number of effective CPUs, which "
     "`artel info` explains.",
     [](text_in text, values_out v) { return parse_count(text, v.num_threads, widest_crew); },
     [](values_in v) { return print_count(v.num_threads); }},

    {"max_workers", "ARTEL_MAX_WORKERS", "count", "auto", "a whole number from 1 to 4096, or auto",
     "The most OS threads that the crew may ever have, including those added because light threads "
     "that wait for each other without yielding made no progress. auto sets no limit besides the "
     "system's own and that of the crew: 4096 threads, with those of the program that take part.",
     [](text_in text, values_out v) { return parse_count(text, v.max_workers, largest_crew); },
     [](values_in v) { return print_count(v.max_workers); }},

    {"bind", "ARTEL_BIND", "word", "auto", "one of auto, none, cores, threads, numa",
     "What workers are bound to: nothing (none), a core each (cores), a hardware thread each "
     "(threads), or the CPUs of their NUMA node (numa). auto lets the scheduler choose. Workers "
     "never leave the affinity mask that the process inherited.",
     [](text_in text, values_out v) { return parse_word(text, bind_words, v.bind); },
     [](values_in v) { return std::string(bind_words[static_cast<std::size_t>(v.bind)]); }},

    {"numas", "ARTEL_NUMAS", "list", "all",
     "NUMA node numbers such as 0,2-3 (each 0 to 1023), or all",
     "The NUMA nodes whose CPUs the crew uses. Nodes that have no usable CPU are ignored.",
     [](text_in text, values_out v) { return parse_list(text, v.numas); },
     [](values_in v) { return print_list(v.numas); }},

    {"stack_size", "ARTEL_STACK_SIZE", "bytes", "1m",
     "a number of bytes from 16k to 1024m, with an optional suffix k or m",
     "Stack of a light thread that runs native tasks, rounded up to whole pages. Memory is taken "
     "only as it is touched. Members of OpenMP teams take theirs from OMP_STACKSIZE.",
     [](text_in text, values_out v) { return parse_bytes(text, v.stack_size); },
     [](values_in v) { return print_bytes(v.stack_size); }},

    {"wait", "ARTEL_WAIT", "word", "auto", "one of auto, active, passive",
     "How idle workers wait: auto spins for a short while and then sleeps, active never sleeps "
     "while the crew is in use, passive sleeps at once.",
     [](text_in text, values_out v) { return parse_word(text, wait_words, v.wait); },
     [](values_in v) { return std::string(wait_words[static_cast<std::size_t>(v.wait)]); }},

    {"spin", "ARTEL_SPIN", "microseconds", "auto",
     "a whole number of microseconds from 0 to 10000000, or auto",
     "How long an idle worker spins before it sleeps, where ARTEL_WAIT is auto.",
     [](text_in text, values_out v) { return parse_spin(text, v.spin); },
     [](values_in v) { return v.spin.count() < 0 ? "auto" : fmt::format("{}", v.spin.count()); }},

    {"loop", "ARTEL_LOOP", "word", "auto",
     "one of auto, static, simple, dynamic, guided, lazy, heartbeat, timespan, timespan-grain, "
     "with an optional grain such as dynamic,16",
     "How parallel loops that ask for no partitioner of their own deal out their iterations, and "
     "the fewest iterations at a time. Loops of OpenMP programs are dealt out by their schedule "
     "clause and OMP_SCHEDULE instead.",
     [](text_in text, values_out v) { return parse_loop(text, v.loop, v.loop_grain); },
     [](values_in v) {
         const char* const word = loop_words[static_cast<std::size_t>(v.loop)];
         return v.loop_grain == 0 ? std::string(word) : fmt::format("{},{}", word, v.loop_grain);
     }},

    {"monitor", "ARTEL_MONITOR", "milliseconds", "5",
     "a whole number of milliseconds from 0 to 10000",
     "Tick of the progress monitor, which adds an OS thread when a light thread that is ready to "
     "run has waited this long for a worker that never comes back. 0 turns it off; programs that "
     "spin on flags may then hang.",
     [](text_in text, values_out v) {
         const auto number = parse_number(text, 0, 10'000);
         if (number)
             v.monitor = std::chrono::milliseconds{*number};
         return number.has_value();
     },
     [](values_in v) { return fmt::format("{}", v.monitor.count()); }},

    {"members", "ARTEL_MEMBERS", "word", "light", "one of light, threads",
     "What the members of OpenMP teams are: light threads that the workers carry, or an OS thread "
     "for each. Threads cost what they cost under other runtimes when there are more of them than "
     "CPUs, and are for programs, debuggers and profilers that take a member for a thread of the "
     "kernel.",
     [](text_in text, values_out v) { return parse_word(text, member_words, v.members); },
     [](values_in v) { return std::string(member_words[static_cast<std::size_t>(v.members)]); }},

    {"blas", "ARTEL_BLAS", "switch", "false", "true or false (also yes, no, on, off, 1, 0)",
     "Let every call of an OpenBLAS with threads of its own, such as the wheels of numpy and scipy "
     "bring, use as many of them as there are CPUs that nobody else in the process uses: all when "
     "it is alone, one when others fill the machine. Not for programs that load and call them on "
     "stacks of their own making, or that are linked to them statically. The last bits of results "
     "depend on the number of threads, so with true they may differ from run to run in programs "
     "with several threads.",
     [](text_in text, values_out v) { return parse_switch(text, v.blas); },
     [](values_in v) { return print_switch(v.blas); }},

    {"blas_gangs", "ARTEL_BLAS_GANGS", "switch", "false",
     "true or false (also yes, no, on, off, 1, 0)",
     "Let calls of an OpenBLAS built for OpenMP use several threads inside of regions, too, while "
     "the crew has idle workers. The last bits of results may then differ from run to run, since "
     "OpenBLAS sums up in another order with another number of threads.",
     [](text_in text, values_out v) { return parse_switch(text, v.blas_gangs); },
     [](values_in v) { return print_switch(v.blas_gangs); }},

    {"stats", "ARTEL_STATS", "switch", "false", "true or false (also yes, no, on, off, 1, 0)",
     "When the process ends, print on standard error what each thread of the crew has done: "
     "switches of light threads, tasks and light threads taken from others, sleeps, wake-ups from "
     "them that found nothing to do, moves to another CPU, naps to let the kernel move a "
     "colleague, how often it gave its CPU away while it waited; and how many OS threads there "
     "were at most, and for what.",
     [](text_in text, values_out v) { return parse_switch(text, v.stats); },
     [](values_in v) { return print_switch(v.stats); }},

    {"display_env", "ARTEL_DISPLAY_ENV", "switch", "false",
     "true or false (also yes, no, on, off, 1, 0)",
     "Print these options, as they are in force, on standard error when the crew starts.",
     [](text_in text, values_out v) { return parse_switch(text, v.display_env); },
     [](values_in v) { return print_switch(v.display_env); }},
};

}  // namespace

std::span<const option_row> option_table() noexcept
{
    return rows;
}

}  // namespace artel::base
