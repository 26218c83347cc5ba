// cpt: the compiler driver. Its commands and help; compiling is in compilation.cpp. Exit status: 0,
// 1 where something is refused or wrong, 2 on wrong usage, else that of the compiler.
#include "bench.hpp"
#include "command_line.hpp"
#include "compilation.hpp"
#include "process.hpp"
#include "run.hpp"
#include "runtimes.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr const char* usage =
    R"(Usage: cpt c [RUNTIME] [--cc=COMPILER] [--keep] [--use-profile FILE] [any option of gcc or clang]
                    FILE.c ... [-o OUT]
       cpt show [options of the compiler] FILE.c      prints the translation
       cpt run [--runtime NAME] [SETTINGS] PROGRAM [ARGUMENTS...]
       cpt run [SETTINGS] --info                      prints the table of settings
       cpt bench [zones] [together] [--help]          experiments with two levels of parallelism:
                                                      JSON and a page
       cpt --help

cpt c compiles C with OpenMP: the directives become calls of one runtime interface (cp.h), the rest
is compiled as it is by COMPILER (gcc, or what CPT_CC says). Works in place of a compiler:
CC="cpt c".

  RUNTIME    --artel (Artel's crew), --abt, --qthreads, --tbb, --taskflow, --task, --taskloop: the
             program always runs on it. Without one it is linked to none and takes what cpt run
             names, artel otherwise
  --use-profile FILE
             bounds the threads of regions by what cpt run --profile FILE has measured
  --keep     leaves FILE.cpt.i, the translation, beside the output
  SETTINGS   --streams N, --numas LIST, --bind, --gang, --stack-size BYTES, --partitioner KIND,
             --min-threads N, --max-threads N, --profile FILE, or the variables CP_NUM_STREAMS,
             CP_NUMAS, CP_STREAM_BIND, CP_GANG, CP_STACK_SIZE, CP_PARTITIONER_KIND, CP_MIN_THREADS,
             CP_MAX_THREADS, CP_PROFILE; the runtime: CP_RUNTIME

What cannot be translated is an error that names the construct, its file, line and column.
Exit status: 0; 1 when something is refused or wrong; 2 on wrong usage; 127 or 126 when the compiler
or the program cannot be run; else that of the compiler or the program.
)";

int execute(int count, char** arguments)
{
    const std::string command = count > 1 ? arguments[1] : "";
    if (command == "--help" || command == "-h" || command == "help") {
        std::cout << usage;
        return 0;
    }
    if (command == "run") {
        return cpt::run_program(count, arguments, usage);
    }
    if (command == "bench") {
        return cpt::run_experiments(count, arguments);
    }
    if (command != "c" && command != "show") {
        std::cerr << "cpt: error: "
                  << (command.empty() ? "no command" : "there is no command '" + command + "'")
                  << "; there are c, show, run and bench (see cpt --help)\n";
        return 2;
    }
    try {
        cpt::command_line line(std::vector<std::string>(arguments + 2, arguments + count));
        if (line.help) {
            std::cout << usage;
            return 0;
        }
        if (line.error.empty() && !line.runtime.empty() && !cpt::is_installed(line.runtime)) {
            line.error = "the runtime '" + line.runtime + "' is not installed; there are " +
                         cpt::installed_runtimes();
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
        // The folder with intermediate files is removed whatever signal ends the compilers.
        cpt::outlive_signals();
        const int status = cpt::compile(std::move(line), command == "show");
        cpt::end_by_signal();
        return status;
    } catch (const std::exception& e) {
        std::cerr << "cpt: error: " << e.what() << "\n";
        return 1;
    }
}

}  // namespace

int main(int count, char** arguments)
{
    const int status = execute(count, arguments);
    if (!std::cout.flush() && status == 0) {
        std::cerr << "cpt: error: cannot write the output: " << std::strerror(errno) << "\n";
        return 1;
    }
    return status;
}
