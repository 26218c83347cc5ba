// The main function of a model: runs its scenarios intact, then each breakage. Included last by
// x_model.cpp, which ends with ARTEL_MODEL_MAIN.
#pragma once

#include "base/machine_model.hpp"

namespace artel::model {

struct scenario {
    const char* name;
    rl::simulate_f simulate;         // rl::simulate<a rl::test_suite>
    unsigned long iterations;        // random interleavings of the intact code
    unsigned long until_caught = 0;  // of broken code; 0: as many
    rl::scheduler_type_e search = rl::sched_random;
    unsigned preemptions = 2;  // for rl::sched_bound, which tries all interleavings with so many
};

// Relacy's output; in fixed memory, because inside a simulation operator new is relacy's own.
class report : public std::streambuf {
public:
    report() { setp(text_.data(), text_.data() + text_.size()); }
    void print() const
    {
        std::fwrite(pbase(), 1, static_cast<std::size_t>(pptr() - pbase()), stdout);
    }
    void clear() { setp(text_.data(), text_.data() + text_.size()); }

private:
    static inline std::array<char, 1 << 20> text_;
};

struct outcome {
    bool holds;
    unsigned long iterations;
};

inline report& last_report()
{
    static report r;
    return r;
}

inline outcome run(const scenario& s, unsigned long iterations)
{
    last_report().clear();
    std::ostream text(&last_report());
    std::ostream progress(nullptr);
    rl::test_params p;
    p.iteration_count = iterations;
    p.search_type = s.search;
    p.context_bound = s.preemptions;
    p.execution_depth_limit = 20000;
    p.output_stream = &text;
    p.progress_stream = &progress;
    const bool holds = s.simulate(p);
    return {holds, static_cast<unsigned long>(p.stop_iteration)};
}

inline int usage(int status)
{
    std::puts(
        "Usage: MODEL [--intact | --broken [NAME]] [--iterations N] [--list] [--help]\n"
        "Runs every scenario, which must hold, and then every breakage, which must be caught. "
        "--broken NAME: only that one, with the\n"
        "interleaving that catches it. Exit status: 0 as expected, 1 not, 2 wrong usage.");
    return status;
}

inline int main(int argc, char** argv, const std::vector<scenario>& scenarios,
                const std::vector<breakage>& breakages)
{
    bool intact = true;
    bool broken_too = true;
    const char* only = nullptr;
    unsigned long iterations = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string_view a = argv[i];
        if (a == "--help") {
            return usage(0);
        } else if (a == "--list") {
            for (const scenario& s : scenarios) {
                std::printf("scenario  %s\n", s.name);
            }
            for (const breakage& b : breakages) {
                std::printf("breakage  %s\n", b.name);
            }
            return 0;
        } else if (a == "--intact") {
            broken_too = false;
        } else if (a == "--broken") {
            intact = false;
            if (i + 1 < argc && argv[i + 1][0] != '-') {
                only = argv[++i];
            }
        } else if (a == "--iterations" && i + 1 < argc) {
            iterations = std::strtoul(argv[++i], nullptr, 10);
        } else {
            return usage(2);
        }
    }
    bool good = true;
    for (const scenario& s : scenarios) {
        if (!intact) {
            break;
        }
        const outcome o = run(s, iterations != 0 ? iterations : s.iterations);
        std::printf("%-40s %s after %lu interleavings\n", s.name, o.holds ? "holds" : "FAILS",
                    o.iterations);
        if (!o.holds) {
            last_report().print();
            good = false;
        }
        std::fflush(stdout);
    }
    bool found = only == nullptr;
    for (const breakage& b : breakages) {
        if (!broken_too || (only != nullptr && std::string_view(only) != b.name)) {
            continue;
        }
        found = true;
        const scenario& s = scenarios[b.scenario];
        in_force = &b;
        const outcome o = run(s, iterations != 0
                                     ? iterations
                                     : (s.until_caught != 0 ? s.until_caught : s.iterations));
        in_force = nullptr;
        std::printf("broken: %-32s %s after %lu interleavings\n", b.name,
                    o.holds ? "NOT CAUGHT" : "caught", o.iterations);
        if (only != nullptr) {
            last_report().print();
        }
        std::fflush(stdout);
        good &= !o.holds;
    }
    if (!found) {
        return usage(2);
    }
    return good ? 0 : 1;
}

}  // namespace artel::model

// Simulated objects of the last iteration are left as they are: their destructors need the
// simulation.
#define ARTEL_MODEL_MAIN(scenarios, breakages)                                   \
    int main(int argc, char** argv)                                              \
    {                                                                            \
        const int status = artel::model::main(argc, argv, scenarios, breakages); \
        std::fflush(stdout);                                                     \
        std::_Exit(status);                                                      \
    }
