// Every run of a case sets up anew; the first broadcasts, with cold caches, are not counted. Each
// message's last byte is checked, so that a fast way that delivers nothing is noticed.
#include "artel/mpi_trial.hpp"

#include "artel/command.hpp"
#include "artel/mpi_timing.hpp"
#include "coll/known_times.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace artel::tool {

namespace {

constexpr unsigned recorded_broadcasts = 9;

struct case_report {
    std::uint64_t fragment, queue_bytes;
    double runs[most_trial_runs];
    coll::model_times times;
};

struct report {
    timing_board timing;
    bool works[most_mpi_ranks];
    char story[600];
    case_report cases[most_trial_cases];
};

struct step_report {
    timing_board timing;
    bool works[most_mpi_ranks];
    char story[600];
    std::size_t counts[most_mpi_ranks], left_out[most_mpi_ranks];
    coll::step steps[recorded_broadcasts][most_mpi_ranks][most_trial_steps];
};

unsigned usual_calls(std::uint64_t bytes)
{
    return bytes <= 65536 ? 60 : bytes <= 1 << 20 ? 25 : 7;
}

// Deals out parts of a buffer to the calls in turn: with `off_cache` so many bytes of them that a
// part has left the caches when its turn comes again.
class parts {
public:
    parts(std::uint64_t bytes, std::uint64_t off_cache)
        : step_((bytes + 4095) / 4096 * 4096),
          count_(std::max<std::uint64_t>(off_cache / step_, 1)), buffer_(step_ * count_)
    {}
    unsigned char* next() { return buffer_.data() + step_ * (turn_++ % count_); }

private:
    std::uint64_t step_, count_, turn_ = 0;
    std::vector<unsigned char> buffer_;
};

// The time of one message; its last byte shows whether it has arrived.
double time_of_one(stopwatch& watch, const rank_desk& desk, unsigned char* data,
                   std::uint64_t bytes, unsigned call, unsigned root, bool& good)
{
    const auto mark = static_cast<unsigned char>(call + 1);
    data[bytes - 1] = desk.rank == root ? mark : static_cast<unsigned char>(~mark);
    const double spent = watch.broadcast({data, bytes, nullptr, nullptr}, root, good);
    good = good && data[bytes - 1] == mark;
    return spent;
}

// The model's parameters, as the set-up measures them for messages of so many bytes.
coll::model_times parameters(rank_desk& desk, const trial_case& c)
{
    coll::forget_times();
    coll::settings settings = c.chosen;
    settings.protocol = coll::protocol_kind::lines;
    settings.model_message = c.bytes;
    settings.hand_back = coll::choice::off;  // the paper's protocol does not
    return coll::site::make(desk.bootstrap(), settings)->ranks_here().times;
}

// Tells what was set up; false when that failed.
template <typename Report>
bool made(const rank_desk& desk, const coll::site& site, const trial_case& c, Report& told)
{
    if (desk.rank == 0 && !site.usable())
        std::snprintf(told.story, sizeof told.story, "%s: %s", c.words.c_str(),
                      site.story().c_str());
    return site.usable();
}

void one_run(rank_desk& desk, const trial_plan& plan, std::size_t index, unsigned run, report& told,
             bool& good)
{
    const trial_case& c = plan.cases[index];
    case_report& mine = told.cases[index];
    if (run == 0) {
        const coll::model_times times = parameters(desk, c);
        if (desk.rank == 0)
            mine.times = times;
    }
    const auto site = coll::site::make(desk.bootstrap(), c.chosen);
    if (!made(desk, *site, c, told)) {
        good = false;
        return;
    }
    stopwatch watch(desk, *site, told.timing);
    parts buffer(c.bytes, plan.off_cache);
    const unsigned calls = plan.calls != 0 ? plan.calls : usual_calls(c.bytes);
    std::vector<double> spent;
    // The first call of each root finds cold caches and unmapped pages.
    const unsigned unmeasured = plan.rotate ? desk.size : 2;
    for (unsigned call = 0; call < unmeasured + calls && good; ++call) {
        const unsigned root = plan.rotate ? call % desk.size : 0;
        const double time = time_of_one(watch, desk, buffer.next(), c.bytes, call, root, good);
        if (call >= unmeasured)
            spent.push_back(time);
        // A rank that alone finds something wrong still has to meet the others.
        told.works[desk.rank] = good;
        good = site->all()->barrier() == shm::status::ok &&
               std::all_of(told.works, told.works + desk.size, [](bool w) { return w; });
    }
    if (desk.rank == 0 && good) {
        std::nth_element(spent.begin(), spent.begin() + calls / 2, spent.end());
        mine.runs[run] = spent[calls / 2];
        mine.fragment = site->chosen().fragment;
        mine.queue_bytes = site->chosen().queue_bytes;
    }
    good = site->all()->barrier() == shm::status::ok && good;
}

template <typename Report>
void check_end(const Report& told, unsigned ranks, bool ended_well)
{
    if (!ended_well || !std::all_of(told.works, told.works + ranks, [](bool w) { return w; }))
        throw command_error(failure,
                            fmt::format("{} ranks: {}", ranks,
                                        told.story[0] != '\0' ? told.story : "a rank has ended"));
}

}  // namespace

std::vector<trial_result> run_trials(const trial_plan& plan)
{
    const shared_report<report> told;
    const bool ended_well = as_ranks(plan.ranks, [&](rank_desk& desk) {
        bool good = true;
        for (unsigned run = 0; run < plan.runs && good; ++run)
            for (std::size_t i = 0; i < plan.cases.size() && good; ++i)
                one_run(desk, plan, (i + run) % plan.cases.size(), run, *told, good);
        told->works[desk.rank] = good;
        desk.meet();
    });
    check_end(*told, plan.ranks, ended_well);
    std::vector<trial_result> results;
    for (std::size_t i = 0; i < plan.cases.size(); ++i) {
        const case_report& c = told->cases[i];
        results.push_back({c.fragment, c.queue_bytes, {c.runs, c.runs + plan.runs}, c.times});
    }
    return results;
}

double middle_mean(std::vector<double> runs)
{
    std::sort(runs.begin(), runs.end());
    const std::ptrdiff_t off = runs.size() >= 3 ? 1 : 0;
    return std::accumulate(runs.begin() + off, runs.end() - off, 0.0) /
           static_cast<double>(runs.size() - 2 * static_cast<std::size_t>(off));
}

recorded_steps record_steps(const trial_plan& plan, const trial_case& wanted)
{
    const shared_report<step_report> told;
    double spent[recorded_broadcasts] = {};
    const shared_report<double[recorded_broadcasts]> times;
    const bool ended_well = as_ranks(plan.ranks, [&](rank_desk& desk) {
        const auto site = coll::site::make(desk.bootstrap(), wanted.chosen);
        bool good = made(desk, *site, wanted, *told);
        if (good) {
            stopwatch watch(desk, *site, told->timing);
            parts buffer(wanted.bytes, plan.off_cache);
            for (unsigned call = 0; call < 2 && good; ++call)
                time_of_one(watch, desk, buffer.next(), wanted.bytes, call, 0, good);
            for (unsigned call = 0; call < recorded_broadcasts; ++call) {
                coll::step_log log(told->steps[call][desk.rank]);
                site->log_steps(&log);
                const double time = time_of_one(watch, desk, buffer.next(), wanted.bytes, call, 0,
                                                good);
                site->log_steps(nullptr);
                if (desk.rank == 0)
                    (*times)[call] = time;
                told->counts[desk.rank] = log.steps().size();
                told->left_out[desk.rank] = log.left_out();
            }
        }
        told->works[desk.rank] = good;
        desk.meet();
    });
    check_end(*told, plan.ranks, ended_well);
    std::copy_n(*times, recorded_broadcasts, spent);
    unsigned order[recorded_broadcasts];
    std::iota(order, order + recorded_broadcasts, 0U);
    std::sort(order, order + recorded_broadcasts,
              [&](unsigned a, unsigned b) { return spent[a] < spent[b]; });
    const unsigned middle = order[recorded_broadcasts / 2];
    recorded_steps result;
    for (unsigned r = 0; r < plan.ranks; ++r) {
        const coll::step* const from = told->steps[middle][r];
        result.of[r].assign(from, from + told->counts[r]);
        result.left_out += told->left_out[r];
    }
    return result;
}

}  // namespace artel::tool
