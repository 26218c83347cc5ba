// A line of a profile: the region's place, number of calls, wall time and work in seconds, and
// members. The bound on members is the work per call divided by worth_a_thread; there is none if
// the region had no more members than that.
#include "profile.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace cpt {
namespace {

// Roughly the time that a region costs each member, in seconds: a member pays for more work than
// this.
constexpr double worth_a_thread = 20e-6;

}  // namespace

bool read_profile(const std::string& file, bounds_of_places& bounds, std::string& error)
{
    std::ifstream in(file);
    std::string line;
    if (!in || !std::getline(in, line)) {
        error = "cannot read the profile '" + file + "'";
        return false;
    }
    if (line.rfind("# cpt profile 1", 0) != 0) {
        error = "'" + file + "' is no profile; cpt run --profile FILE writes one";
        return false;
    }
    for (unsigned number = 2; std::getline(in, line); ++number) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        std::istringstream words(line);
        std::string place;
        double calls = 0, wall = 0, work = 0, members = 0;
        if (!std::getline(words, place, '\t') || !(words >> calls >> wall >> work >> members) ||
            calls < 1) {
            error = "'" + file + "', line " + std::to_string(number) + ": no line of a profile";
            return false;
        }
        const double worth = std::ceil(work / calls / worth_a_thread);
        if (worth < members) {
            bounds[place] = static_cast<unsigned>(std::max(1.0, worth));
        }
    }
    return true;
}

}  // namespace cpt
