// Places are computed by binding.cpp, affinity lines are printed by the members themselves
// (start_member).
#include "member_places.hpp"

#include "binding.hpp"
#include "hot_team.hpp"
#include "linking/dialect.hpp"
#include "settings/icv.hpp"
#include "team/root.hpp"

#include <cstdint>

namespace artel::openmp {
namespace {

// The member that the thread of `m` began as, before the regions that it is in. Teams of a league
// run at the same time, each on a thread of its own.
member& beginning_of(member& m) noexcept
{
    member* first = &m;
    for (root* at = root_of(m); first->outer != nullptr; at = root_of(*first)) {
        if (at != nullptr && at->type == root::kind::league) {
            break;
        }
        first = first->outer;
    }
    return *first;
}

// Whether members are to print their affinity, by the rules of the runtime that the program was
// made for. libgomp: not in teams of one; at the top level when the size or a place differs from
// what was printed last; in nested regions always. libomp: when a place differs, or the size or the
// level from those last printed on the thread that meets the region.
bool is_news(const team& t, member& master, bool moved) noexcept
{
    if (!programs_dialect().of_libomp) {
        if (t.size == 1) {
            return false;
        }
        if (t.parent->of == nullptr) {
            return true;
        }
    }
    member& thread = beginning_of(master);
    // Levels beyond 16 bits need not be told apart.
    const auto level = static_cast<std::uint16_t>(t.level);
    const bool same = thread.displayed.size == t.size && thread.displayed.level == level;
    thread.displayed = {static_cast<std::uint16_t>(t.size), level};
    return moved || !same;
}

}  // namespace

void place_members(team& t, member& master, int policy) noexcept
{
    bool moved = false;
    for (unsigned i = 0; i < t.size; ++i) {
        const place_position where = position_of(i, t.size, policy, master.where);
        moved = moved || t.members[i].where.place != where.place;
        t.members[i].where = where;
    }
    const bool resized = moved || (t.hot && static_cast<hot_team&>(t).placed != t.size);
    root* const at = root_of(master);
    const bool of_thread = at != nullptr && at->type == root::kind::thread;
    if (t.hot && of_thread && globals().binds() && resized) {
        find_homes(t.members, t.size);
        static_cast<hot_team&>(t).placed = t.size;
    }
    t.shows_affinity = (globals().display_affinity && is_news(t, master, moved)) ||
                       (globals().kmp.affinity.verbose && resized);
    if (of_thread && globals().binds() && bind_initial(master.where)) {
        t.counted |= frees_initial;
    }
}

}  // namespace artel::openmp
