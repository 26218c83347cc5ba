// The options of the library: what the user may set through ARTEL_ environment variables.
//
// ONE table (option_table(), in options_table.cpp) holds each option's name, variable, allowed
// values, default, help text, parser and printer. It drives parsing, the error messages,
// ARTEL_DISPLAY_ENV, `artel info`, artel(7) and docs/OPTIONS.md (the last two through `artel info
// --dump-options`, checked by a test to be current). To add an option: a field in option_values and
// a row in the table, then run tools/update_docs.
//
// Invariants: a bad value never stops the program; it is reported once on stderr, and the default
// is used. An empty value counts as unset. The environment is read once, at the first call of
// options(), and never written by the library. Rejected: a configuration file, and setters at run
// time; both make it impossible to say what was in force and when.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace artel::base {

// How idle or waiting workers pass the time. automatic: spin for a short, measured time, then park.
enum class wait_policy { automatic, active, passive };

// light: light threads that the crew's workers carry. threads: an OS thread for each.
enum class member_kind { light, threads };

inline constexpr unsigned widest_crew = 1024;   // the largest num_threads
inline constexpr unsigned largest_crew = 4096;  // the largest max_workers

// Binding of workers. automatic: the scheduler decides from the machine, the quota and the number
// of workers.
enum class bind_policy { automatic, none, cores, threads, numa };

// The algorithm of loops that ask for none; in the order of loop::algorithms().
enum class loop_choice {
    automatic,
    static_,
    simple,
    dynamic,
    guided,
    lazy,
    heartbeat,
    timespan,
    timespan_grain
};

struct option_values {
    unsigned num_threads = 0;                   // width of the crew; 0 = effective CPUs
    bind_policy bind = bind_policy::automatic;  //
    // OS indices of the NUMA nodes to use, sorted; empty = all.
    std::vector<unsigned> numas;
    // bytes, of a plain fiber; already a multiple of 4096.
    std::size_t stack_size = 1024 * 1024;
    wait_policy wait = wait_policy::automatic;  //
    // how long an idle worker spins before it parks; negative = automatic.
    std::chrono::microseconds spin{-1};
    loop_choice loop = loop_choice::automatic;  //
    std::uint64_t loop_grain = 0;               // its grain or chunk; 0 = not given
    // most OS threads the crew may ever have; 0 = automatic.
    unsigned max_workers = 0;
    // tick of the progress monitor while teams run; 0 = no monitor.
    std::chrono::milliseconds monitor{5};
    // what the members of OpenMP teams are.
    member_kind members = member_kind::light;
    // Artel sets the number of threads of OpenBLAS libraries with threads of their own.
    bool blas = false;
    // OpenBLAS's calls inside regions may use idle workers.
    bool blas_gangs = false;
    // print the counters of the crew on stderr when the process ends.
    bool stats = false;
    // print the table in force on stderr when the crew starts.
    bool display_env = false;
};

// The source of the value in force. rejected: the variable had a value that is not allowed, so the
// default is used.
enum class option_source { by_default, environment, rejected };

struct option_row {
    const char* name;          // as in option_values
    const char* variable;      // "ARTEL_..."
    const char* type;          // "count", "bytes", "word", ...
    const char* default_text;  // as the user would write it
    const char* allowed;       // reads well after "expected "
    // one sentence or two, plain text, no markup.
    const char* doc;
    // false: not allowed, values unchanged.
    bool (*parse)(std::string_view text, option_values& values);
    std::string (*print)(const option_values& values);  // in the form that parse accepts
};

// The table, in the order in which it is shown to users. Constant, any thread.
std::span<const option_row> option_table() noexcept;

struct parsed_options {
    option_values values;
    std::vector<option_source> sources;  // one per row of the table
    // one line per bad value or unknown variable, as the user sees it.
    std::vector<std::string> errors;
};

// Parses the table's variables as `lookup` gives them (nullptr = unset). `names` are all variables
// that exist; those that start with ARTEL_ and that no part of Artel reads are reported. May throw
// std::bad_alloc.
parsed_options parse_options(const std::function<const char*(const char*)>& lookup,
                             std::span<const std::string> names = {});

// The options in force, read from the environment on the first call, which also prints the errors.
// Any thread, never blocks, never throws; valid until the process is gone (never destroyed). A
// set-uid program gets the defaults.
const option_values& options() noexcept;

// As options(), with the source of each value and the errors.
const parsed_options& options_and_sources() noexcept;

// The options in force as text, one "  ARTEL_X=value  (source)" per line: what ARTEL_DISPLAY_ENV
// prints.
std::string describe_options(const parsed_options& parsed);

// Prints describe_options() on stderr if ARTEL_DISPLAY_ENV is on. Called once, when the crew
// starts.
void display_options_if_asked() noexcept;

}  // namespace artel::base
