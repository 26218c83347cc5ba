// artel mpi model: the parameters of the analytic model on this machine, and the times that it
// predicts beside measured ones.
#include "artel/mpi_model_command.hpp"

#include "artel/json_text.hpp"
#include "artel/mpi_model.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace artel::tool {

namespace {

using json = nlohmann::ordered_json;

struct model_arguments {
    unsigned ranks = 2;
    bool as_json = false;
};

json parameters(const coll::model_times& t)
{
    return {{"per_byte_ns", t.per_byte * 1e9},
            {"quicker_per_byte_ns", (t.quicker != 0 ? t.quicker : t.per_byte) * 1e9},
            {"notify_ns", t.notify * 1e9},
            {"set_wait_ns", t.set_wait * 1e9},
            {"atomic_ns", t.atomic * 1e9}};
}

int model(unsigned ranks, bool as_json)
{
    const auto report = compare_model(ranks, coll::settings_of_environment());
    const auto& t = report.times;
    if (!report.works) {
        fmt::print(stderr, "artel mpi model: the ranks could not be set up: {}\n", report.story);
        return failure;
    }
    json result = parameters(t);
    result.update({{"ranks", ranks},
                   {"queue_bytes", report.queue_bytes},
                   {"sets", report.sets},
                   {"rows", json::array()}});
    for (const auto& r : report.rows) {
        json row = parameters(r.times);
        row.update({{"bytes", r.bytes},
                    {"fragment", r.fragment},
                    {"predicted_us", r.predicted * 1e6},
                    {"measured_us", r.measured * 1e6}});
        result["rows"].push_back(std::move(row));
    }
    if (as_json) {
        fmt::print("{}\n", json_text(result));
        return success;
    }
    fmt::print(
        "{} ranks: a byte t = {:.4f} ns, a notification t_W = {:.0f} ns, opening a set t_WO = "
        "{:.0f} ns, an atomic operation t_A = {:.1f} ns\n",
        ranks, t.per_byte * 1e9, t.notify * 1e9, t.set_wait * 1e9, t.atomic * 1e9);
    for (auto row = report.rows.begin(); row != report.rows.end();) {
        const auto end = std::find_if(row, report.rows.end(),
                                      [&](const auto& r) { return r.bytes != row->bytes; });
        const auto best = std::min_element(
            row, end, [](const auto& a, const auto& b) { return a.measured < b.measured; });
        fmt::print("{} bytes, queue of {}: f* = {:.0f}; best of those measured: {}\n", row->bytes,
                   report.queue_bytes,
                   coll::best_fragment(row->times, report.queue_bytes, row->bytes), best->fragment);
        for (; row != end; ++row)
            fmt::print(
                "  f = {:>6}, t = {:.3f} ns: predicted {:>9.1f} us, measured {:>9.1f} us, measured "
                "/ predicted {:.2f}\n",
                row->fragment, row->times.per_byte * 1e9, row->predicted * 1e6, row->measured * 1e6,
                row->measured / row->predicted);
    }
    return success;
}

}  // namespace

void add_mpi_model(CLI::App& mpi, context& state)
{
    auto arguments = std::make_shared<model_arguments>();
    auto* model_command = mpi.add_subcommand(
        "model",
        "Measure the analytic model's parameters here, and what it predicts for the paper's "
        "protocol beside what that takes");
    model_command->add_option("-n", arguments->ranks, "Number of processes (default 2)");
    model_command->add_flag("--json", arguments->as_json, "The same as JSON");
    model_command->callback(
        [arguments, &state] { state.exit_code = model(arguments->ranks, arguments->as_json); });
}

}  // namespace artel::tool
