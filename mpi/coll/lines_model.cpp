// lines.hpp's rings, queue and sleeping under all interleavings: no fragment is overwritten before
// all ranks have copied it, none is read before it is complete, and no rank sleeps for ever. The
// real channel runs here, with rings of four lines and a queue of two sets of one fragment. Waiters
// sleep at once and without time-outs, so that a lost wake-up is a deadlock, which relacy reports.
// A shadow variable per fragment and rank follows the contents of the queue. Messages inside the
// lines have no shadows, only their contents are compared: nothing but the bound on the lines keeps
// a parent from writing a line that is being read.
#include "coll/lines_model.hpp"

#include "base/run_model.hpp"

namespace {

template <unsigned ranks, unsigned fragments, bool rotate, bool hand_back = false>
struct broadcasts : rl::test_suite<broadcasts<ranks, fragments, rotate, hand_back>, ranks> {
    static constexpr std::size_t room = std::size_t{1} << 20;

    struct stream {
        broadcasts* all;
        unsigned rank, root, next, value;
        model::plain<unsigned>* last = nullptr;  // fragment that was copied
    };

    alignas(4096) static inline std::byte memory_[room];
    shm::waiter waiting_{{0, 0}, nothing, nothing, nullptr};
    model::plain<unsigned> shadow_[ranks][sets];  // of each rank's queue
    static inline broadcasts* running_ = nullptr;

    broadcasts()
    {
        for_each_line([](auto& line) { new (&line) std::remove_reference_t<decltype(line)>{}; });
        running_ = this;
        coll::handed_back = [](std::byte* shared) {
            const coll::layout l = coll::layout::of(small_settings());
            for (unsigned r = 0; r < ranks; ++r) {
                const auto at = shared - l.view(memory_, r).queue;
                if (at >= 0 && at < static_cast<std::ptrdiff_t>(sets * fragment)) {
                    model::plain<unsigned>&
                        there = running_->shadow_[r][static_cast<std::size_t>(at) / fragment];
                    there.set(there.get());
                }
            }
        };
    }
    ~broadcasts()
    {
        for_each_line([](auto& line) { std::destroy_at(&line); });
    }
    static void for_each_line(auto visit)
    {
        const coll::layout l = coll::layout::of(small_settings());
        static_assert(room >= ranks * 65536);
        for (unsigned r = 0; r < ranks; ++r) {
            const coll::area_view v = l.view(memory_, r);
            visit(*v.counter);
            visit(*v.direct);
            for (unsigned i = 0; i < small_settings().slots; ++i) {
                visit(v.ring[i]);
            }
        }
    }

    // Packs and unpacks: a fragment is one number.
    static int move(void* context, void* packed, std::size_t)
    {
        auto& s = *static_cast<stream*>(context);
        const coll::layout l = coll::layout::of(small_settings());
        const auto at = static_cast<std::size_t>(static_cast<std::byte*>(packed) -
                                                 l.view(memory_, s.root).queue);
        model::plain<unsigned>& fragment_there = s.all->shadow_[s.root][at / fragment];
        const unsigned value = s.value + s.next++;
        s.last = &fragment_there;
        if (s.rank == s.root) {
            fragment_there.set(value);
        } else {
            model::check(fragment_there.get() == value, "wrong fragment");
        }
        return 0;
    }

    static coll::party party_of(unsigned rank, const coll::settings& chosen)
    {
        coll::party p;
        p.rank = rank;
        p.chosen = chosen;
        p.crowded = true;
        p.segment = memory_;
        p.members.resize(ranks);
        p.times.hand_back = hand_back;
        return p;
    }

    void thread(unsigned rank)
    {
        coll::lines_channel channel(party_of(rank, small_settings()), waiting_);
        for (unsigned i = 0; i < 2; ++i) {
            stream s{this, rank, rotate ? i % ranks : 0, 0, 100 * (i + 1)};
            const artel_message m{nullptr, fragments * fragment, move, &s};
            model::check(channel.broadcast(m, s.root) == shm::status::ok, "a broadcast failed");
        }
    }
};

// The queue's sets are reused with other messages in between: longer ones, shorter ones, those of
// other roots.
struct sizes_and_roots : broadcasts<2, 0, true> {
    struct message {
        unsigned root, fragments;
    };
    static constexpr std::array messages{message{0, 3}, message{0, 2}, message{1, 1}, message{1, 3},
                                         message{0, 2}};

    void thread(unsigned rank)
    {
        coll::lines_channel channel(party_of(rank, small_settings()), waiting_);
        unsigned i = 0;
        for (const message& each : messages) {
            stream s{this, rank, each.root, 0, 100 * ++i};
            const artel_message m{nullptr, each.fragments * fragment, move, &s};
            model::check(channel.broadcast(m, s.root) == shm::status::ok, "a broadcast failed");
            // A rank that has returned has announced that it needs nothing of the queue any more.
            if (rank != s.root && model::broken("a fragment is read once more")) {
                static_cast<void>(s.last->get());
            }
        }
    }
};

// Enough items to use every line three times, all inside the lines.
template <bool hand_back>
struct lines_only : broadcasts<2, 0, false, hand_back> {
    void thread(unsigned rank)
    {
        constexpr std::size_t items = 12;
        coll::settings chosen = small_settings();
        chosen.inline_limit = items * shm::inline_bytes;
        coll::lines_channel channel(this->party_of(rank, chosen), this->waiting_);
        std::array<unsigned, items * shm::inline_bytes / sizeof(unsigned)> message{};
        for (unsigned i = 0; rank == 0 && i < message.size(); ++i) {
            message[i] = i + 1;
        }
        const artel_message m{message.data(), sizeof message, nullptr, nullptr};
        model::check(channel.broadcast(m, 0) == shm::status::ok, "a broadcast failed");
        for (unsigned i = 0; i < message.size(); ++i) {
            model::check(message[i] == i + 1, "wrong bytes");
        }
    }
};

// Roots that take another tree each time: a rank's parent changes from item to item, while ranks
// are still behind with earlier ones.
struct trees_change : broadcasts<3, 0, true> {
    struct message {
        unsigned root, tree, fragments;
    };
    // In tree_forms: 0 is flat, 1 a chain.
    static constexpr std::array messages{message{0, 1, 3}, message{0, 0, 2}, message{2, 1, 2},
                                         message{1, 0, 3}};

    void thread(unsigned rank)
    {
        coll::settings chosen = small_settings();
        chosen.shape = coll::tree_kind::automatic;
        coll::lines_channel channel(party_of(rank, chosen), waiting_);
        unsigned i = 0;
        for (const message& each : messages) {
            // The tables of the other ranks are not used.
            coll::tree_table table;
            table.of.fill(static_cast<std::uint8_t>(rank == each.root ? each.tree : 2));
            channel.use_trees(table);
            stream s{this, rank, each.root, 0, 100 * ++i};
            const artel_message m{nullptr, each.fragments * fragment, move, &s};
            model::check(channel.broadcast(m, s.root) == shm::status::ok, "a broadcast failed");
        }
    }
};

const std::vector<model::scenario> scenarios{
    {"two ranks, the queue used twice", rl::simulate<broadcasts<2, 3, false>>, 40000, 40000},
    {"two ranks, the reader hands back", rl::simulate<broadcasts<2, 6, true, true>>, 40000, 40000},
    {"two ranks, in the lines alone", rl::simulate<lines_only<false>>, 20000, 40000},
    {"two ranks, lines handed back", rl::simulate<lines_only<true>>, 40000, 40000},
    {"two ranks, sizes and roots change", rl::simulate<sizes_and_roots>, 20000, 40000},
    {"three ranks in a chain, roots rotate", rl::simulate<broadcasts<3, 3, true>>, 20000, 40000},
    {"three ranks, trees and roots change", rl::simulate<trees_change>, 20000, 40000},
};

const std::vector<model::breakage> breakages{
    {"words are published relaxed", 0, model::damage::relaxed, "ring.hpp", "::publish("},
    {"words are read relaxed", 0, model::damage::relaxed, "ring.hpp", "::reached("},
    // The simulated futex contains the sleeper's half of the fence; the sleeper's heavy fence adds
    // the writer's half, which is broken here:
    {"the writer makes no fence", 0, model::damage::no_fence, "shm_model.hpp", "light_fence"},
    {"a fragment is read once more", 4, model::damage::custom},
    {"sleepers are not counted", 0, model::damage::no_write, "ring.hpp", "::sleep("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
