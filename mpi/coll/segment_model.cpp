// Reuse of shared segments (segment_cache.hpp, setup.cpp) under many interleavings: ranks share
// several communicators one after the other, of other ranks and sizes, some of which get the
// segment of an earlier one. Each rank frees a communicator when its own part is over, while others
// may still read their peers' lines and queues there, and goes on to the next. The real channel and
// the real choice of the segment run here; the set-up is as in site::make_segment, with allgathers
// of simulated memory. A shadow variable per area follows the cleaning: a rank that uses a segment
// while another one cleans it, or before, makes a race, which relacy reports.
#include "coll/lines_model.hpp"

#include "coll/segment_name.cpp"

#include "base/run_model.hpp"

namespace {

constexpr unsigned processes = 3;
constexpr unsigned most_segments = 3;
constexpr std::uint64_t digest = 42;

constexpr std::size_t room = std::size_t{1} << 18;  // of a segment
alignas(4096) std::byte memory[most_segments][room];

void for_each_line(std::byte* segment, unsigned rank, auto visit)
{
    const coll::area_view v = coll::layout::of(small_settings()).view(segment, rank);
    visit(*v.counter);
    visit(*v.direct);
    for (unsigned i = 0; i < small_settings().slots; ++i) {
        visit(v.ring[i]);
    }
}

// The processes in it, by their rank in it.
struct communicator {
    unsigned size;
    unsigned process[processes];
};

// An allgather: a rank that returns has seen the contributions of all.
template <class T>
struct allgather {
    T each[processes];
    std::atomic<unsigned> come{0};
    void operator()(unsigned rank, unsigned size, const T& own)
    {
        each[rank] = own;
        come.fetch_add(1, std::memory_order_acq_rel);
        while (come.load(std::memory_order_acquire) != size) {
            model::yield();
        }
    }
};

struct names {
    coll::segment_name of[coll::most_cached_segments];
};

template <const auto& communicators, unsigned reused>
struct handed_on : rl::test_suite<handed_on<communicators, reused>, processes> {
    static constexpr unsigned count = std::size(communicators);
    shm::waiter waiting{{0, 0}, nothing, nothing, nullptr};
    allgather<names> told[count];
    allgather<int> made[count];
    allgather<int> results[count];
    unsigned segments = 0;  // that were made
    unsigned times_reused = 0;
    unsigned chosen[count];                                    // the segment of each communicator
    model::plain<unsigned> cleaned[most_segments][processes];  // the communicator for which each
                                                               // area was cleaned
    model::plain<unsigned> queue[most_segments][processes][sets];
    std::vector<coll::segment_name> cache[processes];  // what each process keeps

    struct stream {
        handed_on* all;
        unsigned segment, rank, root, next, value;
    };

    handed_on()
    {
        for (auto& segment : memory) {
            for (unsigned r = 0; r < processes; ++r) {
                for_each_line(segment, r, [](auto& line) {
                    new (&line) std::remove_reference_t<decltype(line)>{};
                });
            }
        }
    }
    ~handed_on()
    {
        for (auto& segment : memory) {
            for (unsigned r = 0; r < processes; ++r) {
                for_each_line(segment, r, [](auto& line) { std::destroy_at(&line); });
            }
        }
    }

    // Packs and unpacks: a fragment is one number.
    static int move(void* context, void* packed, std::size_t)
    {
        auto& s = *static_cast<stream*>(context);
        const auto at = static_cast<std::byte*>(packed) -
                        coll::layout::of(small_settings()).view(memory[s.segment], s.root).queue;
        auto& there = s.all->queue[s.segment][s.root][static_cast<std::size_t>(at) / fragment];
        const unsigned value = s.value + s.next++;
        if (s.rank == s.root) {
            there.set(value);
        } else {
            model::check(there.get() == value, "wrong fragment");
        }
        return 0;
    }

    // All areas are as they were cleaned for this communicator.
    void look(unsigned segment, unsigned size, unsigned number)
    {
        for (unsigned r = 0; r < size; ++r) {
            model::check(cleaned[segment][r].get() == number, "another communicator's segment");
        }
    }
    void clean(unsigned segment, unsigned rank, unsigned number)
    {
        cleaned[segment][rank].set(number);
        for_each_line(memory[segment], rank, [](auto& line) {
            std::destroy_at(&line);
            new (&line) std::remove_reference_t<decltype(line)>{};
        });
    }

    // site::make: the segment of communicator `number`.
    unsigned set_up(unsigned number, unsigned rank, unsigned process)
    {
        const unsigned size = communicators[number].size;
        names own;
        std::copy(cache[process].begin(), cache[process].end(), own.of);
        if (model::broken("cleaned before all have offered it") && !cache[process].empty() &&
            own.of[0].ranks == size) {
            clean(static_cast<unsigned>(own.of[0].token[0]) - 1, rank, number);
        }
        told[number](rank, size, own);
        const coll::segment_name* offered[processes];
        for (unsigned r = 0; r < size; ++r) {
            offered[r] = told[number].each[r].of;
        }
        std::size_t found = coll::common_segment({offered, size}, digest);
        unsigned segment = 0;
        if (found != coll::most_cached_segments) {
            segment = static_cast<unsigned>(offered[0][found].token[0]) - 1;
            std::erase_if(cache[process], [&](const auto& n) { return n.token[0] == segment + 1; });
            times_reused += rank == 0 ? 1 : 0;
        } else if (rank == 0) {
            segment = segments++;
            if (model::broken("a segment of another size is used") && number != 0) {
                segment = 0;
            }
            model::check(segment < most_segments, "more segments than expected");
            chosen[number] = segment;
        }
        if (found == coll::most_cached_segments) {
            made[number](rank, size, 0);  // stands for the offer of the first rank
            segment = chosen[number];
        }
        if (model::broken("offered before its last use") && number != 0 && process == 2) {
            static_cast<void>(cleaned[segment][0].get());
        }
        clean(segment, rank, number);
        if (!model::broken("used before all have cleaned it")) {
            results[number](rank, size, 0);
        }
        return segment;
    }

    // site::~site.
    void keep(unsigned segment, unsigned rank, unsigned size, unsigned process)
    {
        cache[process].push_back({{segment + 1, 7}, digest, rank, size});
    }

    void use(unsigned number, unsigned rank, unsigned segment)
    {
        const unsigned size = communicators[number].size;
        coll::party p;
        p.rank = rank;
        p.chosen = small_settings();
        p.crowded = true;
        p.segment = memory[segment];
        p.members.resize(size);
        coll::lines_channel channel(p, waiting);
        look(segment, size, number);
        for (unsigned i = 0; i < 2; ++i) {
            stream s{this, segment, rank, i, 0, 1000 * (number + 1) + 100 * i};
            const artel_message m{nullptr, (1 + (number + i) % 2) * fragment, move, &s};
            model::check(channel.broadcast(m, i) == shm::status::ok, "a broadcast failed");
        }
        look(segment, size, number);
    }

    void thread(unsigned process)
    {
        for (unsigned number = 0; number < count; ++number) {
            const communicator& c = communicators[number];
            const auto* const end = c.process + c.size;
            const auto* const at = std::find(c.process, end, process);
            if (at == end) {
                continue;
            }
            const auto rank = static_cast<unsigned>(at - c.process);
            const unsigned segment = set_up(number, rank, process);
            use(number, rank, segment);
            keep(segment, rank, c.size, process);
        }
    }
    void after() { model::check(times_reused == reused, "reused less often than possible"); }
};

// The three, two of them meanwhile, the three again.
constexpr communicator smaller_between[] = {{3, {0, 1, 2}}, {2, {0, 1}}, {3, {0, 1, 2}}};
// Two and two others, then the first two again, in their order and in another.
constexpr communicator pairs[] = {{2, {0, 1}}, {2, {1, 2}}, {2, {0, 1}}, {2, {1, 0}}};
// One after the other, with a smaller one that comes between them twice.
constexpr communicator in_turn[] = {
    {2, {0, 2}}, {3, {0, 1, 2}}, {2, {0, 2}}, {3, {0, 1, 2}}, {2, {0, 2}}};

const std::vector<model::scenario> scenarios{
    {"a smaller one in between", rl::simulate<handed_on<smaller_between, 1>>, 20000},
    {"pairs", rl::simulate<handed_on<pairs, 1>>, 20000},
    {"sizes in turn", rl::simulate<handed_on<in_turn, 3>>, 10000, 20000},
};

const std::vector<model::breakage> breakages{
    {"cleaned before all have offered it", 0, model::damage::custom},
    {"used before all have cleaned it", 0, model::damage::custom},
    {"offered before its last use", 0, model::damage::custom},
    {"a segment of another size is used", 0, model::damage::custom},
    {"words are published relaxed", 0, model::damage::relaxed, "ring.hpp", "::publish("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
