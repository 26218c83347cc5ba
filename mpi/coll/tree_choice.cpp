// The model of notifications, by which a table of the best tree for each class of sizes is made
// where none was measured.
#include "coll/tree_choice.hpp"

#include "shm/memory.hpp"
#include "shm/ring.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace artel::coll {
namespace {

constexpr double worth_it = 0.95;

double distance(double a, double b)
{
    return std::abs(std::log2(a) - std::log2(b));
}

// The cost of a tree for each piece of a message, in seconds: until the last rank has been
// notified, and the time that the rank with most children spends on notifications.
struct tree_pace {
    double last = 0, telling = 0;
};

tree_pace pace_of(const model_times& times, const tree_form& form, const notified_ranks& notified)
{
    // To notify all takes the time to reach one rank, and a store for each of the others.
    const double hop = times.hop > 0 ? std::min(times.hop, times.notify) : times.notify;
    const double store = notified.ranks > 2 ? (times.notify - hop) / (notified.ranks - 2) : 0;
    const tree_shape shape(form.kind, form.k, notified.group);
    std::vector<double> notified_at(notified.group, 0.0);
    tree_pace pace;
    for (unsigned v = 0; v < notified.group; ++v) {  // parents come before their children
        unsigned tells = v == 0 ? notified.leaders : 0;
        shape.for_each_child(v, [&](unsigned child) {
            notified_at[child] = notified_at[v] + ++tells * store + hop;
            pace.last = std::max(pace.last, notified_at[child]);
        });
        pace.telling = std::max(pace.telling, tells * store);
    }
    if (notified.leaders > 0) {
        // The last leader is notified before the root's own group, and has a group to notify, too.
        pace.last += hop;
    }
    return pace;
}

double time_of(const tree_pace& pace, const model_times& times, std::uint64_t bytes,
               std::uint64_t fragment)
{
    const auto whole = static_cast<double>(std::min(bytes, fragment)) * times.per_byte;
    const std::uint64_t pieces = std::max<std::uint64_t>((bytes + fragment - 1) / fragment, 1);
    // The rank with most work for a piece decides the speed of the pipeline.
    return 2 * whole + pace.last + static_cast<double>(pieces - 1) * (whole + pace.telling);
}

}  // namespace

unsigned number_of(const tree_form& form) noexcept
{
    const bool plain = form.kind != tree_kind::kary && form.kind != tree_kind::knomial;
    const auto at = std::find_if(tree_forms.begin(), tree_forms.end(), [&](const tree_form& f) {
        return f.kind == form.kind && (plain || f.k == form.k);
    });
    return static_cast<unsigned>(at - tree_forms.begin());
}

std::string words_of(const tree_form& form)
{
    const bool plain = form.kind != tree_kind::kary && form.kind != tree_kind::knomial;
    return plain ? name_of(form.kind)
                 : std::string(name_of(form.kind)) + ' ' + std::to_string(form.k);
}

std::string words_of(const tree_table& table)
{
    std::string words;
    for (std::size_t c = 0; c < tree_table::classes; ++c) {
        if (c > 0 && table.of[c] == table.of[c - 1]) {
            continue;
        }
        if (c > 0) {
            words += " up to " + std::to_string(tree_table::bytes_of(c - 1)) + " bytes, then ";
        }
        words += words_of(tree_forms.at(table.of[c]));
    }
    return words + (table.measured ? ", as measured" : "");
}

std::size_t tree_table::class_of(std::uint64_t bytes) noexcept
{
    if (bytes <= bytes_of(0)) {
        return 0;
    }
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(bytes - 1)) - 3,
                                 classes - 1);
}

notified_ranks notified_ranks_of(const std::vector<locality>& localities)
{
    return {static_cast<unsigned>(localities.size()), largest_group(localities),
            most_notified_leaders(localities)};
}

double tree_time(const model_times& times, const tree_form& form, const notified_ranks& notified,
                 std::uint64_t bytes, std::uint64_t fragment)
{
    return time_of(pace_of(times, form, notified), times, bytes, fragment);
}

tree_table model_trees(const model_times& times, const notified_ranks& notified, bool crowded,
                       const settings& chosen)
{
    tree_table table;
    if (notified.group <= 2 || crowded) {
        return table;
    }
    std::array<tree_pace, tree_forms.size()> paces;
    std::transform(tree_forms.begin(), tree_forms.end(), paces.begin(),
                   [&](const tree_form& form) { return pace_of(times, form, notified); });
    for (std::size_t c = 0; c < tree_table::classes; ++c) {
        const std::uint64_t bytes = tree_table::bytes_of(c);
        std::uint64_t fragment = shm::inline_bytes;
        if (bytes > chosen.inline_limit) {
            fragment = chosen.fragment != 0
                           ? chosen.fragment
                           : best_fragment_in_pages(times, chosen.queue_bytes, chosen.sets, bytes,
                                                    shm::page_size());
        }
        double least = time_of(paces[0], times, bytes, fragment) * worth_it;
        for (unsigned t = 1; t < paces.size(); ++t) {
            const double time = time_of(paces[t], times, bytes, fragment);
            if (time < least) {
                least = time;
                table.of[c] = static_cast<std::uint8_t>(t);
            }
        }
    }
    return table;
}

bool measured_trees(std::span<const tree_row> rows, unsigned group, bool crowded, tree_table& table)
{
    unsigned nearest = 0;
    for (const tree_row& row : rows) {
        if (row.crowded == crowded &&
            (nearest == 0 || distance(row.group, group) < distance(nearest, group))) {
            nearest = row.group;
        }
    }
    if (nearest == 0) {
        return false;
    }
    for (std::size_t c = 0; c < tree_table::classes; ++c) {
        const auto bytes = static_cast<double>(tree_table::bytes_of(c));
        double least = -1;
        for (const tree_row& row : rows) {
            const double far = distance(static_cast<double>(row.bytes), bytes);
            if (row.crowded == crowded && row.group == nearest && (least < 0 || far < least)) {
                least = far;
                table.of[c] = static_cast<std::uint8_t>(row.tree);
            }
        }
    }
    table.measured = true;
    return true;
}

}  // namespace artel::coll
