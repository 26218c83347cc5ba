// Broadcasts with given settings among processes of this tool: how long they take, and when each
// rank does which step. `artel mpi bench --paper` uses them: the paper's experiments vary the queue
// and the tree, which needs no MPI.
#pragma once

#include "artel/mpi_ranks.hpp"
#include "coll/model.hpp"
#include "coll/settings.hpp"
#include "coll/steps.hpp"

#include <string>
#include <vector>

namespace artel::tool {

inline constexpr std::size_t most_trial_cases = 256, most_trial_runs = 100, most_trial_steps = 1024;

struct trial_case {
    std::string words;  // as it was asked for
    std::uint64_t bytes = 0;
    coll::settings chosen;
};

// "bytes=16M,fragment=8K,length=64,tree=chain": bytes of the message, and settings by the names of
// their variables. With `length` the queue has so many fragments, unless a rule is given, too.
// Throws command_error, which says what is wrong and what is allowed.
trial_case parse_trial_case(const std::string& words, const coll::settings& others);

struct trial_plan {
    unsigned ranks = 2, runs = 5, calls = 0;  // calls in each run; 0: by the size of the message
    std::uint64_t off_cache = 0;              // every call takes another part of so many bytes
    bool rotate = false;                      // every call has another root
    std::vector<trial_case> cases;
};

struct trial_result {
    std::uint64_t fragment = 0, queue_bytes = 0;  // as set up; a fragment of 0: by the model
    // Seconds from the common start until the last rank has everything: the median of each run.
    std::vector<double> runs;
    // The model's parameters, measured with messages of this size before the first run.
    coll::model_times times{};
};

// All cases in turns, each run beginning with another one. Throws command_error.
std::vector<trial_result> run_trials(const trial_plan& plan);

// The mean of the runs without the shortest and the longest, as in the paper; of fewer than three
// runs, the mean of all.
double middle_mean(std::vector<double> runs);

// The steps of one broadcast by rank: of several recorded ones, that with the median time.
struct recorded_steps {
    std::vector<coll::step> of[most_mpi_ranks];
    std::size_t left_out = 0;
};
recorded_steps record_steps(const trial_plan& plan, const trial_case& wanted);

}  // namespace artel::tool
