// Each fragment size and message is measured right after the parameters that predict it, in a
// set-up of its own, with queues of one set.
#include "artel/mpi_model.hpp"

#include "artel/mpi_timing.hpp"
#include "coll/known_times.hpp"

#include <algorithm>
#include <cstdio>

namespace artel::tool {

namespace {

constexpr std::size_t fragments[] = {4096, 8192, 16384, 32768, 65536, 131072, 262144};
constexpr std::size_t messages[] = {65536, 1048576, 8388608};
constexpr std::size_t configurations = std::size(fragments);
constexpr unsigned repeats = 15;

struct report {
    coll::model_times times[std::size(messages)][configurations];
    timing_board timing;
    double median[std::size(messages)][configurations];
    int works[most_mpi_ranks];
    char story[600];
};

// The model's parameters, as the set-up measures them for messages of so many bytes.
coll::model_times parameters(rank_desk& desk, coll::settings settings, std::size_t message,
                             report& told, bool& good)
{
    coll::forget_times();
    settings.model_message = message;
    settings.hand_back = coll::choice::off;  // the paper's protocol does not
    const auto site = coll::site::make(desk.bootstrap(), settings);
    good = site->usable() && good;
    if (desk.rank == 0)
        std::snprintf(told.story, sizeof told.story, "%s", site->story().c_str());
    return site->ranks_here().times;
}

void be_rank(rank_desk& desk, coll::settings settings, report& told)
{
    bool good = true;
    settings.sets = 1;
    std::vector<unsigned char> bytes(*std::max_element(std::begin(messages), std::end(messages)));
    for (std::size_t f = 0; f < configurations; ++f) {
        settings.fragment = fragments[f];
        for (std::size_t m = 0; m < std::size(messages); ++m) {
            // Measured right before what they are to predict: the host of a virtual machine moves
            // its CPUs.
            settings.protocol = coll::protocol_kind::lines;
            const coll::model_times times = parameters(desk, settings, messages[m], told, good);
            settings.protocol = coll::protocol_kind::paper;
            const auto site = coll::site::make(desk.bootstrap(), settings);
            // A rank that alone finds an error goes on, because the others meet it below.
            good = site->usable() && good;
            std::vector<double> spent(repeats, 0.0);
            for (unsigned i = 0; i < repeats && site->usable(); ++i) {
                std::fill_n(bytes.begin(), messages[m],
                            static_cast<unsigned char>(desk.rank == 0 ? i + 1 : 0));
                spent[i] = stopwatch(desk, *site, told.timing)
                               .broadcast({bytes.data(), messages[m], nullptr, nullptr}, 0, good);
                good = good && bytes[messages[m] - 1] == i + 1;
            }
            std::nth_element(spent.begin(), spent.begin() + repeats / 2, spent.end());
            if (desk.rank == 0) {
                told.times[m][f] = times;
                told.median[m][f] = spent[repeats / 2];
            }
        }
    }
    told.works[desk.rank] = good;
    desk.meet();
}

}  // namespace

model_report compare_model(unsigned ranks, const coll::settings& own)
{
    const shared_report<report> told;
    const bool ended_well = as_ranks(ranks, [&](rank_desk& desk) { be_rank(desk, own, *told); });
    model_report result{told->times[0][0], own.queue_bytes, 1, {}, false, told->story};
    result.works = ended_well &&
                   std::all_of(told->works, told->works + ranks, [](int w) { return w != 0; });
    for (std::size_t m = 0; m < std::size(messages) && result.works; ++m)
        for (std::size_t f = 0; f < configurations; ++f) {
            const coll::queue_shape queue{
                fragments[f], std::max<std::size_t>(own.queue_bytes / fragments[f], 1), 1};
            const coll::model_times& times = told->times[m][f];
            result.rows.push_back({messages[m], fragments[f], times,
                                   coll::broadcast_time(times, queue, messages[m]),
                                   told->median[m][f]});
        }
    return result;
}

}  // namespace artel::tool
