// The costs of the steps of a loop's distribution on a machine, in nanoseconds; the model has no
// other numbers. `artel tune` measures those that can be measured on the machine at hand; the
// defaults are those of a two-CPU virtual machine on a Zen 4, and for distances it does not have,
// round figures from the literature.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>

namespace artel::model {

// How far apart two CPUs are, by what they share.
enum class distance : unsigned { same, core, cache, node, machine };
inline constexpr unsigned distances = 5;

struct costs {
    // The time until a line that one CPU has written arrives at another that reads it; half a round
    // trip between two spinning threads.
    std::array<double, distances> transfer{0, 12, 50, 90, 180};
    double atomic = 6;        // a read-modify-write of a line in the own cache
    double look = 2;          // a read of a line in the own cache
    double call = 35;         // setting a loop up, before the first invitation
    double claim = 15;        // taking a piece of the own share: the atomic and two clock readings
    double leave = 20;        // ending the participation, besides the line it counts on
    double wake = 22000;      // from the wake-up call to the first instruction of a parked worker
    double wake_call = 2500;  // what the call costs its caller
    double yield = 450;       // giving the CPU to another thread, where workers share CPUs
    // the length of a piece of the own share, which makes the cost of claims negligible.
    double worthwhile = 1600;
    double hold = 800;  // how long the share of a worker that has not come is left alone

    double move(distance d) const { return transfer[static_cast<unsigned>(d)]; }
};

// Reads costs from JSON: a profile of `artel tune` (its notification times) or an object with the
// names above plus "_ns", where transfer_ns is an object of core, cache, node, machine. Missing
// names keep their value. Throws std::runtime_error that names the file and what is wrong in it.
costs read_costs(const std::string& path, costs defaults = {});

// The same as an object that read_costs() takes.
nlohmann::json described(const costs& c);

}  // namespace artel::model
