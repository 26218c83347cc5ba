// Repeats combined: medians, spread, refusals, and what is missing.
#include "lab/testing.hpp"

#include <gtest/gtest.h>

using namespace artel::lab;
using namespace artel::lab::testing;

TEST(LabResults, MediansAndSpreadOfRepeats)
{
    const auto r = entries()
                       .times("alloc", "T", 2, {3, 1, 2})
                       .times("alloc", "P", 2, {4, 1, 2, 3})
                       .times("alloc", "P", 4, {7})
                       .made();
    EXPECT_EQ(r.seconds("alloc", "T", 2), 2);
    EXPECT_EQ(r.seconds("alloc", "P", 2), 2.5);
    const auto& m = *r.find("alloc", "P", 2);
    EXPECT_EQ(m.least(), 1);
    EXPECT_EQ(m.most(), 4);
    EXPECT_DOUBLE_EQ(m.spread(), 3 / 2.5);
    EXPECT_EQ(r.find("alloc", "P", 4)->spread(), 0);
    EXPECT_DOUBLE_EQ(*r.ratio("alloc", "T", "P", 2), 2 / 2.5);
    EXPECT_FALSE(r.ratio("alloc", "T", "P", 4));
    EXPECT_EQ(r.best("alloc", "P")->first, 2u);
    EXPECT_FALSE(r.best("alloc", "T-N"));
    EXPECT_EQ(r.tasks(), (std::set<unsigned>{2, 4}));
    EXPECT_FALSE(r.has("rows"));
}

TEST(LabResults, OneGoodRepeatIsEnoughAndRefusalsSayWhy)
{
    const auto r = entries()
                       .add(cell_of("rows", "T", 1, 0), not_ok("fail", "no memory"))
                       .add(cell_of("rows", "T", 1, 1), ok(5))
                       .add(cell_of("rows", "P", 1, 0), not_ok("fail", "ulimit -u"))
                       .add(cell_of("rows", "P", 1, 1), not_ok("missing", "not measured yet"))
                       .add(cell_of("rows", "T-M", 1, 0), not_ok("missing", "not measured yet"))
                       .made();
    EXPECT_EQ(r.seconds("rows", "T", 1), 5);
    EXPECT_FALSE(r.seconds("rows", "P", 1));
    EXPECT_EQ(r.find("rows", "P", 1)->status, "fail");
    EXPECT_EQ(r.find("rows", "P", 1)->reason, "ulimit -u");
    EXPECT_EQ(r.find("rows", "T-M", 1)->status, "missing");
}

TEST(LabResults, OneWrongRepeatMakesTheMeasurementFail)
{
    const auto r = entries()
                       .add(cell_of("rows", "T", 1, 0), not_ok("fail", "wrong result: row 7"))
                       .add(cell_of("rows", "T", 1, 1), ok(5))
                       .add(cell_of("rows", "T", 1, 2), not_ok("fail", "no memory"))
                       .add(cell_of("rows", "T", 1, 3), ok(6))
                       .add(cell_of("rows", "P", 1, 0), ok(4))
                       .add(cell_of("rows", "P", 1, 1), not_ok("missing", "not measured yet"))
                       .add(cell_of("rows", "P", 1, 2), not_ok("fail", "wrong result: row 8"))
                       .made();
    EXPECT_FALSE(r.seconds("rows", "T", 1));
    EXPECT_FALSE(r.ratio("rows", "T", "P", 1));
    EXPECT_FALSE(r.best("rows", "P"));
    EXPECT_EQ(r.find("rows", "T", 1)->status, "fail");
    EXPECT_EQ(r.find("rows", "T", 1)->reason, "wrong result: row 7");
    EXPECT_EQ(r.find("rows", "P", 1)->reason, "wrong result: row 8");
}

TEST(LabResults, EvidenceByMedianAndWhatIsNotAvailable)
{
    const auto r = entries()
                       .times("alloc", "T", 1, {1},
                              {{"minor_faults", 10},
                               {"cycles", nullptr},
                               {"unavailable", {{"cycles", "no counter"}}}})
                       .add(cell_of("alloc", "T", 1, 1),
                            ok(1, {{"minor_faults", 30}, {"cycles", nullptr}}))
                       .add(cell_of("alloc", "T", 1, 2), ok(1, {{"minor_faults", 11}}))
                       .made();
    const auto& m = *r.find("alloc", "T", 1);
    EXPECT_EQ(m.evidence.at("minor_faults"), 11);
    EXPECT_EQ(m.evidence.count("cycles"), 0u);
    EXPECT_EQ(m.unavailable.at("cycles"), "no counter");
}

TEST(LabResults, AllocatorsAreKeptApart)
{
    const auto r = entries()
                       .times("alloc", "T", 1, {1})
                       .times("alloc", "T", 1, {2}, json::object(), "jemalloc")
                       .made();
    EXPECT_EQ(r.seconds("alloc", "T", 1), 1);
    EXPECT_EQ(r.seconds("alloc", "T", 1, "jemalloc"), 2);
    EXPECT_FALSE(r.seconds("alloc", "T", 1, "mimalloc"));
}
