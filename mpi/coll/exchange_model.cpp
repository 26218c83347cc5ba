// exchange.hpp's lines and pieces under all interleavings: nothing is read before it is complete,
// nothing is overwritten that a rank still needs, no rank waits for ever. The real exchange runs
// here, with four lines a rank and pieces of two elements. Waiters sleep at once and without
// time-outs, so that a lost wake-up or a circular wait is a deadlock, which relacy reports. A
// shadow variable per 64 bytes follows the contents of shared memory.
#include "base/machine_model.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "coll/copy.hpp"
#include "coll/exchange.hpp"
#include "coll/shm_model.hpp"
#include "shm/memory.hpp"
#include "shm/waiter.hpp"

namespace artel::shm {

std::size_t page_size() noexcept
{
    return 64;
}

}  // namespace artel::shm

namespace {

using namespace artel;

// An element is 64 bytes, of which the first eight are a number.
constexpr std::size_t element = 64;
constexpr std::size_t room = std::size_t{1} << 17;
alignas(4096) std::byte memory[room];

// The shadow variables of the running simulation.
model::plain<std::uint64_t>* shadow = nullptr;

model::plain<std::uint64_t>* shadow_of(const void* at)
{
    const auto offset = static_cast<const std::byte*>(at) - memory;
    return offset < 0 || static_cast<std::size_t>(offset) >= room
               ? nullptr
               : &shadow[static_cast<std::size_t>(offset) / element];
}

std::uint64_t load(const void* at)
{
    if (const auto* const s = shadow_of(at); s != nullptr) {
        return s->get();
    }
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

void store(void* at, std::uint64_t value)
{
    if (auto* const s = shadow_of(at); s != nullptr) {
        s->set(value);
    } else {
        std::memcpy(at, &value, sizeof value);
    }
}

void copy(void* to, const void* from, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; i += element) {
        store(static_cast<std::byte*>(to) + i, load(static_cast<const std::byte*>(from) + i));
    }
}

int add(const artel_operation*, const void* a, const void* b, void* out, std::size_t elements)
{
    for (std::size_t i = 0; i < elements * element; i += element) {
        store(static_cast<std::byte*>(out) + i, load(static_cast<const std::byte*>(a) + i) +
                                                    load(static_cast<const std::byte*>(b) + i));
    }
    return 0;
}

}  // namespace

namespace artel::coll {

void copy_to_shared(std::byte* shared, const void* from, std::size_t bytes) noexcept
{
    copy(shared, from, bytes);
}
void copy_from_shared(void* to, const std::byte* shared, std::size_t bytes) noexcept
{
    copy(to, shared, bytes);
}
void stream_from_shared(std::byte* to, const std::byte* shared, std::size_t bytes) noexcept
{
    copy(to, shared, bytes);
}
void hand_back(std::byte* shared, std::size_t bytes) noexcept
{
    ::copy(shared, shared, bytes);
}

}  // namespace artel::coll

#include "coll/exchange.cpp"
#include "coll/exchange_gather.cpp"
#include "coll/exchange_reduce.cpp"
#include "shm/waiter.cpp"

#include "base/run_model.hpp"

namespace {

int nothing(void*)
{
    return 1;
}

enum class kind { barrier, allreduce, reduce, allgather };
struct step {
    kind what;
    unsigned elements = 1;
    unsigned root = 0;
};

// A sequence of collectives that all ranks call. `whole`: up to this number of elements every rank
// merges all.
template <unsigned ranks, unsigned whole, const auto& steps>
struct collectives : rl::test_suite<collectives<ranks, whole, steps>, ranks> {
    shm::waiter waiting_{{0, 0}, nothing, nothing, nullptr};
    std::array<model::plain<std::uint64_t>, room / element> shadow_;

    static coll::settings small_settings()
    {
        coll::settings s;
        s.piece_bytes = 2 * element;
        s.whole_limit = whole * element;
        return s;
    }
    static void for_each_line(auto visit)
    {
        using shape = coll::exchange_shape;
        const std::size_t each = shape::of(small_settings()).bytes();
        for (unsigned r = 0; r < ranks; ++r) {
            for (unsigned i = 0; i < shape::line_count; ++i) {
                visit(*reinterpret_cast<shm::control_line*>(memory + r * each +
                                                            i * shape::line_stride));
            }
        }
    }
    collectives()
    {
        shadow = shadow_.data();
        for_each_line([](auto& line) { new (&line) shm::control_line{}; });
    }
    ~collectives()
    {
        for_each_line([](auto& line) { std::destroy_at(&line); });
    }

    // The operand of a rank.
    static std::uint64_t given(unsigned rank, unsigned number, unsigned i)
    {
        return number * 1000 + rank * 100 + i + 1;
    }

    void thread(unsigned rank)
    {
        coll::party p;
        p.rank = rank;
        p.chosen = small_settings();
        p.members.resize(ranks);
        p.times.hand_back = true;
        coll::exchange all(p, waiting_, memory, nullptr, nullptr);
        constexpr unsigned most = 8;
        std::uint64_t in[most * element / 8] = {}, out[most * ranks * element / 8] = {};
        unsigned number = 0;
        for (const step& s : steps) {
            ++number;
            // A rank that begins the collective after the next has announced that it needs nothing
            // of these pieces.
            if (number > 2 && model::broken("a piece is read once more")) {
                using shape = coll::exchange_shape;
                const shape each = shape::of(small_settings());
                for (unsigned i = 0; i < shape::piece_count; ++i) {
                    load(memory + (rank + 1) % ranks * each.bytes() + each.lines +
                         i * small_settings().piece_bytes);
                }
            }
            for (unsigned i = 0; i < s.elements; ++i) {
                in[i * element / 8] = given(rank, number, i);
            }
            const artel_operation op{add, element, nullptr, number % 2 == 0 ? 1 : 0};
            const std::size_t bytes = s.elements * element;
            shm::status result = shm::status::ok;
            switch (s.what) {
            case kind::barrier: result = all.barrier(); break;
            case kind::allreduce: result = all.allreduce(in, out, bytes, op); break;
            case kind::reduce: result = all.reduce(in, out, bytes, op, s.root); break;
            case kind::allgather: result = all.allgather(in, bytes, out); break;
            }
            model::check(result == shm::status::ok, "a collective failed");
            const bool sum = s.what == kind::allreduce ||
                             (s.what == kind::reduce && s.root == rank);
            for (unsigned i = 0; i < s.elements && sum; ++i) {
                std::uint64_t expected = 0;
                for (unsigned r = 0; r < ranks; ++r) {
                    expected += given(r, number, i);
                }
                model::check(out[i * element / 8] == expected, "wrong sum");
            }
            for (unsigned i = 0; i < s.elements * ranks && s.what == kind::allgather; ++i) {
                model::check(out[i * element / 8] == given(i / s.elements, number, i % s.elements),
                             "wrong gathered element");
            }
        }
    }
};

// More rounds than there are lines.
constexpr std::array small{step{kind::allreduce},    step{kind::reduce, 1, 1},
                           step{kind::reduce, 1, 1}, step{kind::reduce, 1, 1},
                           step{kind::reduce, 1, 1}, step{kind::reduce, 1, 0},
                           step{kind::barrier},      step{kind::allgather}};
// More pieces than there are; the last are still read when the next collective begins.
constexpr std::array shares{step{kind::allreduce, 6}, step{kind::reduce, 4, 1},
                            step{kind::allreduce, 3}};
constexpr std::array pieces{step{kind::reduce, 4, 0}, step{kind::reduce, 4, 0},
                            step{kind::allreduce, 3}, step{kind::reduce, 2, 1}};
constexpr std::array gathers{step{kind::allgather, 7}, step{kind::allgather, 2},
                             step{kind::allgather, 1}, step{kind::allgather, 4}};
constexpr std::array mixed{step{kind::allgather, 3}, step{kind::reduce, 2, 2},
                           step{kind::allreduce, 1}, step{kind::reduce, 4, 0},
                           step{kind::allreduce, 4}};

// The same lines and pieces for short and long ones, and other roots.
constexpr std::array sizes_and_roots{step{kind::allreduce, 5}, step{kind::reduce, 1, 1},
                                     step{kind::allgather, 5}, step{kind::reduce, 3, 0},
                                     step{kind::allreduce, 1}, step{kind::reduce, 5, 1},
                                     step{kind::allgather, 1}, step{kind::allreduce, 2}};

// A rank that gathers runs ahead into pieces from which others still fetch the last shares.
constexpr std::array ahead{step{kind::allreduce, 4}, step{kind::reduce, 2, 0},
                           step{kind::reduce, 2, 0}, step{kind::reduce, 2, 0},
                           step{kind::allreduce, 4}};

const std::vector<model::scenario> scenarios{
    {"two ranks, lines", rl::simulate<collectives<2, 0, small>>, 20000, 40000},
    {"two ranks, shares", rl::simulate<collectives<2, 0, shares>>, 20000, 40000},
    {"two ranks, whole pieces", rl::simulate<collectives<2, 8, pieces>>, 20000, 40000},
    {"two ranks, gathered pieces", rl::simulate<collectives<2, 0, gathers>>, 20000, 40000},
    {"two ranks, whole pieces after shares", rl::simulate<collectives<2, 2, ahead>>, 20000, 40000},
    {"two ranks, sizes and roots change", rl::simulate<collectives<2, 2, sizes_and_roots>>, 20000,
     40000},
    {"three ranks, everything", rl::simulate<collectives<3, 2, mixed>>, 10000, 40000},
};

const std::vector<model::breakage> breakages{
    {"words are published relaxed", 0, model::damage::relaxed, "ring.hpp", "::publish("},
    {"words are read relaxed", 0, model::damage::relaxed, "ring.hpp", "::reached("},
    {"shares are published relaxed", 1, model::damage::relaxed, "ring.hpp", "::publish("},
    {"the writer makes no fence", 0, model::damage::no_fence, "shm_model.hpp", "light_fence"},
    {"a piece is read once more", 5, model::damage::custom},
    {"sleepers are not counted", 0, model::damage::no_write, "ring.hpp", "::sleep("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
