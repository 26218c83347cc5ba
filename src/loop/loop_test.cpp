// The loop engine below its templates: how iterations are cut into units, claimed and stolen. Whole
// loops are tested in tests/cpp.
#include "loop/descriptor.hpp"

#include "base/options.hpp"
#include "loop/loop.hpp"
#include "loop/steal.hpp"
#include "sched/crew.hpp"

#include <algorithm>
#include <artel/detail/loop.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace {

using namespace artel::loop;

// Collects the pieces that a body was called with.
struct pieces {
    std::mutex lock;
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    static void add(void* context, std::int64_t begin, std::int64_t end, unsigned)
    {
        auto& self = *static_cast<pieces*>(context);
        const std::scoped_lock hold(self.lock);
        self.all.emplace_back(begin, end);
    }
};

// A descriptor for the length of a test.
class held {
public:
    held(const request& r, unsigned slots) : d_(descriptor::make(r, slots))
    {
        for (unsigned i = 0; i < slots; ++i) {
            d_->lay_out(i);
        }
    }
    ~held()
    {
        d_->close();
        d_->clear();
        d_->drop_reference();
    }
    descriptor* operator->() const { return d_; }
    descriptor& operator*() const { return *d_; }

private:
    descriptor* d_;
};

request counting(std::int64_t begin, std::int64_t end, pieces& p, std::int64_t grain = 1)
{
    request r;
    r.begin = begin;
    r.end = end;
    r.grain = grain;
    r.body = pieces::add;
    r.context = &p;
    return r;
}

}  // namespace

TEST(loop_descriptor, deals_out_even_shares)
{
    pieces p;
    const request r = counting(0, 10, p);
    const held d(r, 4);
    EXPECT_EQ(d->units_in(0), 3u);
    EXPECT_EQ(d->units_in(1), 3u);
    EXPECT_EQ(d->units_in(2), 2u);
    EXPECT_EQ(d->units_in(3), 2u);
}

TEST(loop_descriptor, owner_takes_the_front_and_thieves_the_back_half)
{
    pieces p;
    const request r = counting(0, 20, p);
    const held d(r, 2);
    EXPECT_EQ(d->claim(0, 3).last, 3u);
    EXPECT_EQ(d->claim_all(1).size(), 10u);
    EXPECT_TRUE(d->steal(1, 0, 1));
    EXPECT_EQ(d->units_in(0), 3u);
    EXPECT_EQ(d->units_in(1), 4u);
    const unit_range stolen = d->claim_all(1);
    EXPECT_EQ(stolen.first, 6u);
    EXPECT_EQ(stolen.last, 10u);
    d->claim_all(0);
    EXPECT_FALSE(d->steal(1, 0, 1));
    EXPECT_EQ(find_steal(*d, 0).victim, no_slot);
}

TEST(loop_descriptor, a_single_unit_can_be_stolen)
{
    pieces p;
    const request r = counting(0, 2, p);
    const held d(r, 2);
    d->claim_all(1);
    EXPECT_TRUE(d->steal(1, 0, 1));
    EXPECT_EQ(d->units_in(0), 0u);
    EXPECT_EQ(d->units_in(1), 1u);
    d->claim_all(1);
}

TEST(loop_descriptor, huge_ranges_are_cut_into_units_without_gap_or_overflow)
{
    const std::int64_t low = std::numeric_limits<std::int64_t>::min();
    const std::int64_t high = std::numeric_limits<std::int64_t>::max();
    for (const auto& [begin, end] : {std::pair{low, high},
                                     {std::int64_t{0}, high},
                                     {std::int64_t{-5}, (std::int64_t{1} << 31) + 2}}) {
        pieces p;
        const request r = counting(begin, end, p);
        const held d(r, 3);
        std::int64_t at = begin;
        for (unsigned i = 0; i < 3; ++i) {
            d->run(d->claim(i, 1), i);
            d->run(d->claim_all(i), i);
        }
        for (const auto& [first, last] : p.all) {
            ASSERT_EQ(first, at);
            ASSERT_GT(last, first);
            at = last;
        }
        EXPECT_EQ(at, end);
    }
}

TEST(loop_descriptor, is_closed_to_those_who_come_late)
{
    pieces p;
    const request r = counting(0, 2, p);
    descriptor* const d = descriptor::make(r, 2);
    d->add_references(1);
    EXPECT_TRUE(d->enter());
    d->leave();
    d->close();
    EXPECT_TRUE(d->finished());
    EXPECT_FALSE(d->enter());
    d->drop_reference();
    d->drop_reference();
}

TEST(loop_descriptor, every_free_slot_is_taken_by_one)
{
    pieces p;
    const request r = counting(0, 3, p);
    descriptor* const d = descriptor::make(r, 4);
    EXPECT_FALSE(d->any_free());
    EXPECT_EQ(d->take_slot(), no_slot);
    d->mark(0, ownership::owned);
    d->lay_out(1);
    d->mark(2, ownership::offered);
    d->lay_out(3);
    EXPECT_EQ(d->take_slot(), 1u);
    EXPECT_EQ(d->take_slot(), 3u);
    EXPECT_EQ(d->take_slot(), no_slot);
    d->claim_all(1);
    d->claim_all(3);
    d->close();
    d->drop_reference();
}

TEST(loop_algorithm, has_a_name)
{
    EXPECT_EQ(by_name("automatic"), &automatic);
    EXPECT_EQ(by_name("static"), &static_);
    EXPECT_EQ(by_name("timespan-grain"), &timespan_grain);
    for (const algorithm* const a : algorithms()) {
        EXPECT_EQ(by_name(a->name), a);
    }
    EXPECT_EQ(by_name("no such"), nullptr);
}

TEST(loop, covers_the_range_with_every_algorithm)
{
    for (const algorithm* const how : algorithms()) {
        for (const std::int64_t n : {1, 2, 7, 100, 5000}) {
            pieces p;
            request r = counting(-3, n - 3, p, 3);
            r.how = how;
            run(r);
            std::sort(p.all.begin(), p.all.end());
            std::int64_t at = -3;
            for (const auto& [first, last] : p.all) {
                ASSERT_EQ(first, at) << how->name;
                at = last;
            }
            EXPECT_EQ(at, n - 3) << how->name;
        }
    }
}

TEST(loop_algorithm, is_the_one_that_the_public_enumeration_and_the_option_mean)
{
    using public_names = artel::detail::loop_algorithm;
    using option_names = artel::base::loop_choice;
    const auto all = algorithms();
    const auto expect = [&](public_names number, option_names option, const algorithm& a) {
        EXPECT_EQ(all[static_cast<std::size_t>(number)], &a) << a.name;
        EXPECT_EQ(all[static_cast<std::size_t>(option)], &a) << a.name;
    };
    expect(public_names::automatic, option_names::automatic, automatic);
    expect(public_names::static_, option_names::static_, static_);
    expect(public_names::simple, option_names::simple, simple);
    expect(public_names::dynamic, option_names::dynamic, dynamic);
    expect(public_names::guided, option_names::guided, guided);
    expect(public_names::lazy, option_names::lazy, lazy);
    expect(public_names::heartbeat, option_names::heartbeat, heartbeat);
    expect(public_names::timespan, option_names::timespan, timespan);
    expect(public_names::timespan_grain, option_names::timespan_grain, timespan_grain);
    EXPECT_EQ(all.size(), 9u);
}

TEST(loop_descriptor, the_common_counter_gives_each_unit_once)
{
    pieces p;
    request r = counting(0, 100, p);
    r.how = &guided;
    const held d(r, 4);
    EXPECT_EQ(d->units_in(0), 0u);
    const unit_range first = d->take_common(7);
    EXPECT_EQ(first.first, 0u);
    EXPECT_EQ(first.last, 7u);
    const unit_range part = d->take_part_of_common(8, 1);
    EXPECT_EQ(part.first, 7u);
    EXPECT_EQ(part.last, 19u);  // 93 left
    EXPECT_EQ(d->take_part_of_common(8, 50).last, 69u);
    EXPECT_EQ(d->take_part_of_common(8, 50).last, 100u);
    EXPECT_TRUE(d->take_part_of_common(8, 50).empty());
    EXPECT_TRUE(d->take_common(7).empty());
}

TEST(loop, dynamic_gives_pieces_of_the_grain_in_rising_order)
{
    for (const std::int64_t grain : {std::int64_t{16}, std::int64_t{0}}) {
        pieces p;
        request r = counting(0, 10000, p, grain);
        r.how = &dynamic;
        run(r);
        std::sort(p.all.begin(), p.all.end());
        const std::int64_t expected = grain != 0
                                          ? grain
                                          : std::max<std::int64_t>(1, 10000 / (32 * width(0)));
        for (const auto& [first, last] : p.all) {
            EXPECT_TRUE(last - first == expected || last == 10000) << first;
        }
    }
}
