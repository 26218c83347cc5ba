// The exchange with threads as ranks: in any sequence of collectives of any sizes, every rank gets
// what MPI promises. The model (exchange_model.cpp) checks all interleavings of few steps; this
// test covers many sizes, with real memory, also under the sanitizers.
#include "coll/exchange.hpp"

#include "coll/kernels.hpp"
#include "coll/ranks_test.hpp"
#include "shm/memory.hpp"
#include "shm/os.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <thread>

namespace {

using namespace artel;

using body = std::function<void(coll::exchange&, unsigned rank)>;

// Runs `body` in this many threads; `reserve` is called in each, with the rank's number as its
// context.
void with_ranks(unsigned ranks, coll::settings s, const body& run,
                coll::exchange::hook reserve = nullptr)
{
    const std::size_t each = coll::exchange_shape::of(s).bytes();
    const shm::memory memory = shm::memory::create(shm::memory::sort::memfd, "", false,
                                                   shm::page_size() + ranks * each);
    std::byte* const areas = memory.data() + shm::page_size();  // behind the token
    const shm::waiter waiting(shm::crowded_limits, coll::nothing, coll::nothing, nullptr);
    std::vector<unsigned> numbers(ranks);
    std::iota(numbers.begin(), numbers.end(), 0U);
    coll::run_ranks(ranks, [&](unsigned r) {
        coll::party p;
        p.rank = r;
        p.chosen = s;
        p.crowded = true;
        p.members.resize(ranks);
        p.times.hand_back = ranks % 2 == 0;
        coll::exchange all(p, waiting, areas, reserve, &numbers[r]);
        run(all, r);
    });
}

// Affine maps x -> factor x + offset, composed modulo 2^32: associative, and the order of operands
// matters.
struct affine {
    std::uint32_t factor, offset;
    bool operator==(const affine&) const = default;
};

affine composed(affine a, affine b)
{
    return {a.factor * b.factor, a.factor * b.offset + a.offset};
}

int compose(const artel_operation*, const void* a, const void* b, void* out, std::size_t elements)
{
    const auto* const left = static_cast<const affine*>(a);
    const auto* const right = static_cast<const affine*>(b);
    for (std::size_t i = 0; i < elements; ++i) {
        static_cast<affine*>(out)[i] = composed(left[i], right[i]);
    }
    return 0;
}

// With and without best_into_b, which select the two ways to merge shares.
const artel_operation compositions[] = {{compose, sizeof(affine), nullptr, 0},
                                        {compose, sizeof(affine), nullptr, 1}};

affine given(unsigned rank, unsigned round, std::size_t i)
{
    return {static_cast<std::uint32_t>(2 * (i * 77 + rank * 31 + round) + 1),
            static_cast<std::uint32_t>(i * 13 + rank * 101 + round * 7)};
}

std::vector<affine> given_row(unsigned rank, unsigned round, std::size_t count)
{
    std::vector<affine> row(count);
    for (std::size_t i = 0; i < count; ++i) {
        row[i] = given(rank, round, i);
    }
    return row;
}

// Counts elements that differ from the composition of all ranks' in the order of ranks.
std::size_t wrong_elements(const std::vector<affine>& got, unsigned ranks, unsigned round)
{
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        affine expected = given(ranks - 1, round, i);
        for (unsigned r = ranks - 1; r-- > 0;) {
            expected = composed(given(r, round, i), expected);
        }
        wrong += got[i] == expected ? 0 : 1;
    }
    return wrong;
}

struct settings_case {
    std::uint64_t piece, whole, stream = 0;
};

std::string name_of(const testing::TestParamInfo<settings_case>& of)
{
    return "piece_" + std::to_string(of.param.piece) + "_whole_" + std::to_string(of.param.whole) +
           "_stream_" + std::to_string(of.param.stream);
}

class Exchange : public testing::TestWithParam<settings_case> {};

// All collectives in turn, with sizes around those of lines and pieces; every rank is late now and
// then.
TEST_P(Exchange, EverythingInTurns)
{
    coll::settings s;
    s.piece_bytes = GetParam().piece;
    s.whole_limit = GetParam().whole;
    s.stream_from = GetParam().stream;
    constexpr std::size_t counts[] = {1,   6,   7,    100,  127,  128,  129,  511,
                                      512, 513, 1024, 1025, 1600, 3000, 5000, 20001};
    for (const unsigned ranks : {2U, 3U, 5U}) {
        std::atomic<std::size_t> wrong{0};
        with_ranks(ranks, s, [&](coll::exchange& all, unsigned rank) {
            std::mt19937 common(ranks), own(rank + 100);
            std::size_t mine = 0;
            for (unsigned round = 0; round < 300; ++round) {
                const std::size_t count = counts[common() % std::size(counts)];
                const unsigned kind = common() % 5, root = common() % ranks;
                const artel_operation& composition = compositions[common() % 2];
                if (own() % 20 == 0) {
                    std::this_thread::sleep_for(std::chrono::microseconds(200));
                }
                const std::vector<affine> in = given_row(rank, round, count);
                std::vector<affine> out(count, affine{5, 5});
                const std::uint64_t bytes = count * sizeof(affine);
                bool can = false;
                mine += all.prepare(bytes, can) == shm::status::ok && can ? 0 : 1;
                switch (kind) {
                case 0: mine += all.barrier() == shm::status::ok ? 0 : 1; break;
                case 1:
                    mine += all.allreduce(in.data(), out.data(), bytes, composition) ==
                                    shm::status::ok
                                ? 0
                                : 1;
                    mine += wrong_elements(out, ranks, round);
                    break;
                case 2:
                    out = in;
                    mine += all.allreduce(out.data(), out.data(), bytes, composition) ==
                                    shm::status::ok
                                ? 0
                                : 1;
                    mine += wrong_elements(out, ranks, round);
                    break;
                case 3:
                    mine += all.reduce(in.data(), out.data(), bytes, composition, root) ==
                                    shm::status::ok
                                ? 0
                                : 1;
                    if (rank == root) {
                        mine += wrong_elements(out, ranks, round);
                    } else {
                        mine += out == std::vector<affine>(count, affine{5, 5}) ? 0 : 1;
                    }
                    break;
                default: {
                    std::vector<affine> together(count * ranks);
                    mine += all.allgather(in.data(), bytes, together.data()) == shm::status::ok ? 0
                                                                                                : 1;
                    for (unsigned r = 0; r < ranks; ++r) {
                        for (std::size_t i = 0; i < count; ++i) {
                            mine += together[r * count + i] == given(r, round, i) ? 0 : 1;
                        }
                    }
                }
                }
            }
            // relaxed: read after the threads have been joined.
            wrong.fetch_add(mine, std::memory_order_relaxed);
        });
        // relaxed: as above.
        EXPECT_EQ(wrong.load(std::memory_order_relaxed), 0U) << ranks << " ranks";
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, Exchange,
                         testing::Values(settings_case{4096, 1}, settings_case{4096, 8192},
                                         settings_case{4096, 1 << 30},
                                         settings_case{256 << 10, 8192},
                                         settings_case{64 << 10, 1, 1000}),
                         name_of);

// Rank 1 gets no memory for its pieces: all ranks learn of it, once, and small messages still work.
TEST(ExchangeRoom, OneRankWithoutPieces)
{
    std::atomic<int> wrong{0};
    with_ranks(
        3, {},
        [&](coll::exchange& all, unsigned rank) {
            int mine = 0;
            bool can = true;
            const auto sum_of = [&] {
                const double in = rank + 1;
                double out = 0;
                const artel_operation sum{coll::find_kernel(coll::scalar::f64, coll::op_kind::sum),
                                          sizeof(double), nullptr, 0};
                mine += all.allreduce(&in, &out, sizeof in, sum) == shm::status::ok ? 0 : 1;
                return out;
            };
            mine += sum_of() == 6 ? 0 : 1;
            for (int i = 0; i < 3; ++i) {
                mine += all.prepare(100000, can) == shm::status::ok && !can ? 0 : 1;
                mine += all.prepare(100, can) == shm::status::ok && can ? 0 : 1;
                mine += sum_of() == 6 ? 0 : 1;
            }
            wrong += mine;
        },
        [](void* rank) { return *static_cast<unsigned*>(rank) == 1 ? 28 : 0; });
    EXPECT_EQ(wrong, 0);
}

// Ranks that disagree about the size get an error.
TEST(ExchangeMistakes, DifferentSizes)
{
    std::atomic<int> told{0};
    with_ranks(2, {}, [&](coll::exchange& all, unsigned rank) {
        const affine in[2] = {{1, 2}, {3, 4}};
        affine out[2];
        told += all.allreduce(in, out, (rank + 1) * sizeof(affine), compositions[0]) ==
                        shm::status::truncated
                    ? 1
                    : 0;
        told += all.barrier() == shm::status::ok ? 1 : 0;
    });
    EXPECT_EQ(told, 4);
}

// An operation that fails in one rank is an error there, and the others go on.
TEST(ExchangeMistakes, OperationsThatFail)
{
    static constexpr auto failing = [](const artel_operation* self, const void*, const void*, void*,
                                       std::size_t) { return self->context == nullptr ? 0 : 1; };
    std::atomic<int> told{0};
    with_ranks(2, {}, [&](coll::exchange& all, unsigned rank) {
        std::vector<affine> in(5000, affine{1, 2}), out(5000);
        int something = 0;
        const artel_operation op{failing, sizeof(affine), rank == 1 ? &something : nullptr, 0};
        bool can = false;
        told += all.prepare(in.size() * sizeof(affine), can) == shm::status::ok && can ? 1 : 0;
        told += all.allreduce(in.data(), out.data(), in.size() * sizeof(affine), op) ==
                        (rank == 1 ? shm::status::failed : shm::status::ok)
                    ? 1
                    : 0;
        told += all.allreduce(in.data(), out.data(), in.size() * sizeof(affine), compositions[1]) ==
                        shm::status::ok
                    ? 1
                    : 0;
    });
    EXPECT_EQ(told, 6);
}

// One of three ranks is dead. A rank that has found this is out of step with the others, and takes
// no part in further collectives.
TEST(ExchangeDeath, NothingMoreIsSaid)
{
    coll::settings s;
    const std::size_t each = coll::exchange_shape::of(s).bytes();
    const shm::memory memory = shm::memory::create(shm::memory::sort::memfd, "", false,
                                                   shm::page_size() + 3 * each);
    std::byte* const areas = memory.data() + shm::page_size();
    const auto dead = [](void*) { return 0; };
    const shm::waiter waiting(shm::crowded_limits, coll::nothing, dead, nullptr);
    coll::party p;
    p.chosen = s;
    p.crowded = true;
    p.members.resize(3);
    coll::exchange all(p, waiting, areas, nullptr, nullptr);
    EXPECT_FALSE(all.has_lost_somebody());
    EXPECT_EQ(all.barrier(), shm::status::peer_died);
    EXPECT_TRUE(all.has_lost_somebody());
    const affine in[2] = {{1, 2}, {3, 4}};
    affine out[6];
    bool can = false;
    EXPECT_EQ(all.barrier(), shm::status::peer_died);
    EXPECT_EQ(all.hear_of(0), shm::status::peer_died);
    EXPECT_EQ(all.reduce(in, out, sizeof in, compositions[0], 1), shm::status::peer_died);
    EXPECT_EQ(all.allreduce(in, out, sizeof in, compositions[0]), shm::status::peer_died);
    EXPECT_EQ(all.allgather(in, sizeof in, out), shm::status::peer_died);
    EXPECT_EQ(all.prepare(100000, can), shm::status::peer_died);
    // Its lines: of the first round only.
    for (unsigned i = 1; i < coll::exchange_shape::line_count; ++i) {
        const auto& line = *reinterpret_cast<const shm::control_line*>(
            areas + i * coll::exchange_shape::line_stride);
        EXPECT_EQ(line.number.value.load(), 0U) << i;
    }
}

}  // namespace
