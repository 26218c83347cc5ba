// Tables, charts and the page, with squares that were measured, refused, skipped or are missing.
#include "lab/tables.hpp"

#include "lab/chart.hpp"
#include "lab/html_report.hpp"
#include "lab/machine.hpp"
#include "lab/summary.hpp"
#include "lab/testing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

using namespace artel::lab;
using namespace artel::lab::testing;

namespace {

results mixed()
{
    return entries()
        .times("rows", "T-M", 1, {2, 2.2, 1.8})
        .times("rows", "P", 1, {1, 1, 1})
        .times("rows", "T-M", 512, {4, 4, 4})
        .add(cell_of("rows", "P", 512), not_ok("fail", "ulimit -u"))
        .add(cell_of("rows", "HP.P", 1), not_ok("skip", "enable: sysctl -w vm.nr_hugepages=3"))
        .add(cell_of("rows", "HP.P", 512), not_ok("missing", "not measured yet"))
        .made();
}

const table_row& row_of(const table& t, const std::string& name)
{
    const auto it = std::find_if(t.rows.begin(), t.rows.end(),
                                 [&](const auto& row) { return row.name == name; });
    if (it == t.rows.end())
        throw std::runtime_error("no row " + name);
    return *it;
}

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size())
        ++n;
    return n;
}

}  // namespace

TEST(LabTables, AWrongResultIsShownHoweverManyRepeatsWereRight)
{
    const auto r = entries()
                       .add(cell_of("rows", "P", 1, 0), not_ok("fail", "wrong result: row 7"))
                       .add(cell_of("rows", "P", 1, 1), ok(1))
                       .add(cell_of("rows", "P", 1, 2), ok(9))
                       .made();
    const auto tables = make_tables(r);
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(row_of(tables[0], "P").squares, (std::vector<std::string>{"FAIL"}));
    EXPECT_EQ(tables[0].notes, (std::vector<std::string>{"P, N = 1: FAIL: wrong result: row 7"}));
}

TEST(LabTables, SquaresRatiosAndNotes)
{
    const auto tables = make_tables(mixed());
    ASSERT_EQ(tables.size(), 1u);
    const auto& t = tables[0];
    EXPECT_NE(t.title.find("Table 3"), std::string::npos);
    EXPECT_EQ(t.columns, (std::vector<std::string>{"1", "512"}));
    EXPECT_EQ(row_of(t, "T-M").squares, (std::vector<std::string>{"2.00", "4.00"}));
    EXPECT_EQ(row_of(t, "P").squares, (std::vector<std::string>{"1.00", "FAIL"}));
    EXPECT_EQ(row_of(t, "HP.P").squares, (std::vector<std::string>{"SKIP", "-"}));
    EXPECT_EQ(row_of(t, "T-M / P here").squares, (std::vector<std::string>{"2.00", ""}));
    // 87.240 / 87.135, 11.875 / 8.221.
    EXPECT_EQ(row_of(t, "T-M / P X5675").squares, (std::vector<std::string>{"1.00", "1.44"}));
    EXPECT_EQ(row_of(t, "T-M").hints[0], "1.80 to 2.20 s, 3 repeats");
    EXPECT_TRUE(contains(t.notes, "P, N = 512: FAIL: ulimit -u"));
    EXPECT_TRUE(contains(t.notes, "SKIP: enable: sysctl"));
    EXPECT_TRUE(contains(t.notes, "1 squares are not measured yet"));
    EXPECT_TRUE(contains(t.notes, "20 % at most (T-M, N = 1)"));
}

TEST(LabTables, TextHasOneLineForEachRowAndAlignsColumns)
{
    const auto t = make_tables(mixed())[0];
    std::istringstream lines(as_text(t));
    std::string title, line;
    std::getline(lines, title);
    std::set<std::size_t> lengths;
    for (std::size_t i = 0; i <= t.rows.size() && std::getline(lines, line); ++i)
        lengths.insert(line.size());
    EXPECT_EQ(lengths.size(), 1u) << as_text(t);
}

TEST(LabTables, AllocatorsOnlyWhereTheyWereCompared)
{
    EXPECT_TRUE(make_allocator_table(
                    entries().times("alloc", "T", 1, {1}).times("alloc", "P", 1, {1}).made())
                    .rows.empty());
    const auto t = make_allocator_table(entries()
                                            .times("alloc", "T", 1, {3})
                                            .times("alloc", "P", 1, {1})
                                            .times("alloc", "T", 1, {2}, json::object(), "mimalloc")
                                            .times("alloc", "P", 1, {4}, json::object(), "mimalloc")
                                            .made());
    EXPECT_EQ(row_of(t, "T / P mimalloc").squares[0], "0.50");
    EXPECT_EQ(row_of(t, "T glibc").squares[0], "3.00");
}

TEST(LabChart, PointsWhiskersAndEscapes)
{
    EXPECT_EQ(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
    EXPECT_EQ(line_chart("none", "s", {series{"empty"}}), "");
    const auto svg = line_chart(
        "t<", "s",
        {series{"a", {{1, 2}, {2, 4}}, false, {{1, 3}, {4, 4}}}, series{"b", {{1, 1}}, true}},
        true);
    EXPECT_EQ(count(svg, "<circle"), 3u);
    EXPECT_EQ(count(svg, "<polyline"), 2u);
    EXPECT_NE(svg.find("t&lt;"), std::string::npos);
    EXPECT_NE(svg.find("class=\"u\""), std::string::npos);
    // One whisker more for each extent: vertical lines have the same x twice.
    const auto bare = line_chart(
        "t<", "s", {series{"a", {{1, 2}, {2, 4}}}, series{"b", {{1, 1}}, true}}, true);
    EXPECT_EQ(count(svg, "<line"),
              count(bare, "<line") + 2 + (count(svg, "class=\"g\"") - count(bare, "class=\"g\"")));
}

TEST(LabReport, IsOneFileThatNoTextCanBreak)
{
    entries all;
    all.times(
        "alloc", "T", 1, {1},
        {{"minor_faults", 7}, {"cycles", nullptr}, {"unavailable", {{"cycles", "</script><b>"}}}});
    json document{{"version", "test"},
                  {"machine", describe_machine()},
                  {"options", {{"tmpfs", "</script>"}}}};
    const auto page = html_report(document, all.made());
    EXPECT_EQ(count(page, "</script>"), 1u);  // the end of the embedded results
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    // a row of its own for what was not counted.
    EXPECT_NE(page.find("not available"), std::string::npos);
    EXPECT_EQ(count(page, "src="), 0u);
    EXPECT_EQ(count(page, "href="), 0u);
}
