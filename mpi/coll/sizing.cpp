// What is explained (`artel mpi info`) is computed by the functions that the set-up uses, on a copy
// of the settings, so the two cannot disagree.
#include "coll/sizing.hpp"

#include "coll/channel.hpp"
#include "coll/exchange.hpp"
#include "coll/model.hpp"
#include "shm/memory.hpp"

#include <algorithm>
#include <unistd.h>

namespace artel::coll {
namespace {

constexpr std::uint64_t usual_fragment = 8192;
constexpr std::uint64_t largest_queue = std::uint64_t{1} << 30;
constexpr std::uint64_t smallest_piece = 4096;

std::uint64_t in_sets(std::uint64_t length, const settings& s)
{
    return shm::round_up(std::max<std::uint64_t>(length, 1), s.sets);
}

// One fragment of a page in each set.
std::uint64_t smallest_queue(const settings& s)
{
    return s.sets * shm::page_size();
}

bool fits(const settings& s, const std::vector<node_room>& nodes)
{
    return std::all_of(nodes.begin(), nodes.end(), [&](const node_room& n) {
        return n.ranks < 2 || segment_bytes(s, n.ranks) <= n.bytes;
    });
}

}  // namespace

void apply_rule(settings& s, std::uint64_t memory_per_core)
{
    const std::size_t page = shm::page_size();
    const std::uint64_t root = shape_for_message(s.largest, page).fragment;
    switch (s.rule) {
    case sizing_rule::queue: return;
    case sizing_rule::message:
        s.fragment = root;
        s.queue_bytes = in_sets(shape_for_message(s.largest, page).length, s) * root;
        break;
    case sizing_rule::fragment:
        s.fragment = shm::round_up(s.fragment == 0 ? usual_fragment : s.fragment, page);
        s.queue_bytes = in_sets((s.largest + s.fragment - 1) / s.fragment, s) * s.fragment;
        break;
    case sizing_rule::length:
        s.fragment = root;
        s.queue_bytes = in_sets(s.length, s) * root;
        break;
    case sizing_rule::memory:
        s.fragment = 0;
        s.queue_bytes = memory_per_core / 100 / page * page;
        break;
    }
    s.queue_bytes = std::clamp(s.queue_bytes, smallest_queue(s), largest_queue);
}

std::vector<sized_number> explain_rule(const settings& chosen, std::uint64_t memory_per_core)
{
    settings s = chosen;
    apply_rule(s, memory_per_core);
    const std::string m = "ARTEL_MPI_LARGEST, " + std::to_string(chosen.largest) + " bytes";
    sized_number f{"f", s.fragment == 0 ? "" : std::to_string(s.fragment), ""};
    sized_number length{"s", s.fragment == 0 ? "" : std::to_string(s.queue_bytes / s.fragment), ""};
    sized_number b{"b", std::to_string(s.queue_bytes), "s f"};
    switch (chosen.rule) {
    case sizing_rule::queue:
        f.origin = s.fragment == 0 ? "the model's f* for each message" : "ARTEL_MPI_FRAGMENT";
        length.origin = "b / f";
        b.origin = "ARTEL_MPI_QUEUE";
        break;
    case sizing_rule::message:
        f.origin = "rule 1: sqrt(m) in whole pages, m being " + m;
        length.origin = "rule 1: m / f, in sets";
        break;
    case sizing_rule::fragment:
        f.origin = chosen.fragment == 0 ? "8 KiB, since ARTEL_MPI_FRAGMENT is 0"
                                        : "ARTEL_MPI_FRAGMENT in whole pages";
        length.origin = "rule 2: m / f, in sets, m being " + m;
        break;
    case sizing_rule::length:
        f.origin = "rule 3: sqrt(m) in whole pages, m being " + m;
        length.origin = "ARTEL_MPI_LENGTH, in sets";
        break;
    case sizing_rule::memory:
        f.origin = "the model's f* for each message";
        length.origin = "b / f";
        b.origin = "1 % of the memory per core, " + std::to_string(memory_per_core) + " bytes";
        break;
    }
    return {f, length, b};
}

std::uint64_t segment_bytes(const settings& s, unsigned ranks)
{
    const segment_shape shape = s.protocol == protocol_kind::paper ? paper_shape(s)
                                                                   : lines_shape(s);
    return shape.head + ranks * (shape.area + exchange_shape::of(s).bytes());
}

bool fit(settings& s, const std::vector<node_room>& nodes, bool& cut)
{
    cut = false;
    const std::size_t page = shm::page_size();
    // Fewer fragments, down to one in each set; then smaller ones. If fragments depend on the
    // message the model makes them small enough for a set.
    const std::uint64_t fragment = s.fragment == 0 ? page : shm::round_up(s.fragment, page);
    std::uint64_t length = s.queue_bytes / fragment / s.sets * s.sets;
    while (!fits(s, nodes) && length > s.sets) {
        length = std::max<std::uint64_t>(length / 2 / s.sets * s.sets, s.sets);
        s.queue_bytes = length * fragment;
        cut = true;
    }
    while (!fits(s, nodes) && s.queue_bytes > smallest_queue(s)) {
        const std::uint64_t smaller = std::max<std::uint64_t>(
            s.queue_bytes / s.sets / 2 / page * page, page);
        s.fragment = s.fragment == 0 ? 0 : smaller;
        s.queue_bytes = smaller * s.sets;
        cut = true;
    }
    while (!fits(s, nodes) && s.piece_bytes > smallest_piece) {
        s.piece_bytes = std::max(s.piece_bytes / 2, smallest_piece);
        cut = true;
    }
    return fits(s, nodes);
}

sized_number explain_limit(const settings& chosen, std::uint64_t memory_per_core,
                           std::uint64_t limit, unsigned ranks)
{
    settings s = chosen;
    apply_rule(s, memory_per_core);
    const std::uint64_t wanted = segment_bytes(s, ranks);
    bool cut = false;
    const bool fits_at_last = fit(s, {{ranks, limit}}, cut);
    std::string words = chosen.memory_limit != 0 ? "ARTEL_MPI_LIMIT"
                                                 : "a 16th of the machine's memory";
    words += "; a segment of " + std::to_string(ranks) + " ranks has " + std::to_string(wanted) +
             " bytes";
    if (!fits_at_last) {
        words += " and does not fit, cut or not: the MPI library's collectives are used";
    } else if (cut) {
        words += " and is cut to " + std::to_string(segment_bytes(s, ranks)) +
                 ": b = " + std::to_string(s.queue_bytes) +
                 (s.fragment == 0 ? "" : ", f = " + std::to_string(s.fragment));
    } else {
        words += " and fits";
    }
    return {"limit", std::to_string(limit), words};
}

std::uint64_t memory_per_core() noexcept
{
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
    const auto cpus = static_cast<std::uint64_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
    return pages * shm::page_size() / cpus;
}

}  // namespace artel::coll
