// The options table: every good and bad value, the wording of errors, and that the table's columns
// agree.
#include "base/options.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace artel::base {
namespace {

using environment = std::map<std::string, std::string>;

parsed_options parse(const environment& variables)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : variables)
        names.push_back(name);
    return parse_options(
        [&](const char* name) -> const char* {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        },
        names);
}

std::string printed(const parsed_options& parsed, const std::string& variable)
{
    for (const auto& row : option_table())
        if (row.variable == variable)
            return row.print(parsed.values);
    return "no such row";
}

TEST(Options, AreAtTheirDefaultsInAnEmptyEnvironment)
{
    const auto parsed = parse({});
    EXPECT_TRUE(parsed.errors.empty());
    for (const auto source : parsed.sources)
        EXPECT_EQ(source, option_source::by_default);
    EXPECT_EQ(parsed.values.num_threads, 0u);
    EXPECT_EQ(parsed.values.stack_size, 1024u * 1024);
    EXPECT_LT(parsed.values.spin.count(), 0);
    EXPECT_TRUE(parsed.values.numas.empty());
}

TEST(Options, DefaultTextsAreWhatThePrintersSayAndTheParsersAccept)
{
    for (const auto& row : option_table()) {
        option_values values;
        EXPECT_EQ(row.print(values), row.default_text) << row.variable;
        EXPECT_TRUE(row.parse(row.default_text, values)) << row.variable;
        EXPECT_EQ(row.print(values), row.default_text) << row.variable;
        EXPECT_TRUE(std::string(row.variable).starts_with("ARTEL_"));
    }
}

struct good_value {
    const char* variable;
    const char* text;
    const char* printed;
};

class GoodValues : public testing::TestWithParam<good_value> {};

TEST_P(GoodValues, AreTaken)
{
    const auto& [variable, text, expected] = GetParam();
    const auto parsed = parse({{variable, text}});
    EXPECT_TRUE(parsed.errors.empty()) << parsed.errors.front();
    EXPECT_EQ(printed(parsed, variable), expected);
    const auto again = parse({{variable, expected}});
    EXPECT_TRUE(again.errors.empty());
    EXPECT_EQ(printed(again, variable), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Options, GoodValues,
    testing::Values(
        good_value{"ARTEL_NUM_THREADS", "1", "1"}, good_value{"ARTEL_NUM_THREADS", " 16 ", "16"},
        good_value{"ARTEL_NUM_THREADS", "1024", "1024"},
        good_value{"ARTEL_NUM_THREADS", "AUTO", "auto"},
        good_value{"ARTEL_MAX_WORKERS", "200", "200"},
        good_value{"ARTEL_MAX_WORKERS", "4096", "4096"}, good_value{"ARTEL_BIND", "none", "none"},
        good_value{"ARTEL_BIND", "cores", "cores"}, good_value{"ARTEL_BIND", "Threads", "threads"},
        good_value{"ARTEL_BIND", "numa", "numa"}, good_value{"ARTEL_BIND", "auto", "auto"},
        good_value{"ARTEL_NUMAS", "0", "0"}, good_value{"ARTEL_NUMAS", "3,1", "1,3"},
        good_value{"ARTEL_NUMAS", "0,2-4,3", "0,2,3,4"}, good_value{"ARTEL_NUMAS", "all", "all"},
        good_value{"ARTEL_STACK_SIZE", "16k", "16k"}, good_value{"ARTEL_STACK_SIZE", "2M", "2m"},
        good_value{"ARTEL_STACK_SIZE", "16385", "20k"},
        good_value{"ARTEL_STACK_SIZE", "1024m", "1024m"},
        good_value{"ARTEL_WAIT", "active", "active"},
        good_value{"ARTEL_WAIT", "passive", "passive"}, good_value{"ARTEL_WAIT", "auto", "auto"},
        good_value{"ARTEL_SPIN", "0", "0"}, good_value{"ARTEL_SPIN", "250", "250"},
        good_value{"ARTEL_MONITOR", "0", "0"}, good_value{"ARTEL_MONITOR", "10000", "10000"},
        good_value{"ARTEL_STATS", "1", "true"}, good_value{"ARTEL_STATS", "no", "false"},
        good_value{"ARTEL_DISPLAY_ENV", "TRUE", "true"},
        good_value{"ARTEL_DISPLAY_ENV", "off", "false"},
        good_value{"ARTEL_LOOP", "static", "static"}, good_value{"ARTEL_LOOP", "automatic", "auto"},
        good_value{"ARTEL_LOOP", "Auto,64", "auto,64"},
        good_value{"ARTEL_LOOP", " dynamic , 16 ", "dynamic,16"},
        good_value{"ARTEL_LOOP", "timespan-grain", "timespan-grain"},
        good_value{"ARTEL_LOOP", "heartbeat,1", "heartbeat,1"},
        good_value{"ARTEL_LOOP", "lazy", "lazy"},
        good_value{"ARTEL_LOOP", "guided,4611686018427387904", "guided,4611686018427387904"}));

struct bad_value {
    const char* variable;
    const char* text;
};

class BadValues : public testing::TestWithParam<bad_value> {};

TEST_P(BadValues, AreReportedAndTheDefaultIsUsed)
{
    const auto& [variable, text] = GetParam();
    const auto parsed = parse({{variable, text}});
    ASSERT_EQ(parsed.errors.size(), 1u) << variable << "=" << text;
    for (std::size_t i = 0; i < option_table().size(); ++i) {
        const auto& row = option_table()[i];
        EXPECT_EQ(row.print(parsed.values), row.default_text);
        if (row.variable == std::string(variable)) {
            EXPECT_EQ(parsed.sources[i], option_source::rejected);
            EXPECT_EQ(parsed.errors[0], std::string(variable) + "=" + text + ": expected " +
                                            row.allowed + "; using the default, " +
                                            row.default_text);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Options, BadValues,
    testing::Values(bad_value{"ARTEL_NUM_THREADS", "0"}, bad_value{"ARTEL_NUM_THREADS", "-1"},
                    bad_value{"ARTEL_NUM_THREADS", "65537"}, bad_value{"ARTEL_NUM_THREADS", "4x"},
                    bad_value{"ARTEL_NUM_THREADS", "4 8"}, bad_value{"ARTEL_NUM_THREADS", "0x4"},
                    bad_value{"ARTEL_NUM_THREADS", "99999999999999999999999"},
                    bad_value{"ARTEL_NUM_THREADS", "+4"}, bad_value{"ARTEL_NUM_THREADS", "1.5"},
                    bad_value{"ARTEL_MAX_WORKERS", "many"}, bad_value{"ARTEL_MAX_WORKERS", "4097"},
                    bad_value{"ARTEL_BIND", "core"}, bad_value{"ARTEL_BIND", "cores,threads"},
                    bad_value{"ARTEL_BIND", "true"}, bad_value{"ARTEL_NUMAS", "1,"},
                    bad_value{"ARTEL_NUMAS", ","}, bad_value{"ARTEL_NUMAS", "3-1"},
                    bad_value{"ARTEL_NUMAS", "1-"}, bad_value{"ARTEL_NUMAS", "-1"},
                    bad_value{"ARTEL_NUMAS", "1024"}, bad_value{"ARTEL_NUMAS", "0-4294967295"},
                    bad_value{"ARTEL_NUMAS", "1 2"}, bad_value{"ARTEL_STACK_SIZE", "15k"},
                    bad_value{"ARTEL_STACK_SIZE", "k"}, bad_value{"ARTEL_STACK_SIZE", "1025m"},
                    bad_value{"ARTEL_STACK_SIZE", "64kb"}, bad_value{"ARTEL_STACK_SIZE", "1g"},
                    bad_value{"ARTEL_STACK_SIZE", "18446744073709551615m"},
                    bad_value{"ARTEL_STACK_SIZE", "-64k"}, bad_value{"ARTEL_WAIT", "activ"},
                    bad_value{"ARTEL_WAIT", "1"}, bad_value{"ARTEL_SPIN", "-1"},
                    bad_value{"ARTEL_SPIN", "10us"}, bad_value{"ARTEL_SPIN", "10000001"},
                    bad_value{"ARTEL_MONITOR", "10001"}, bad_value{"ARTEL_MONITOR", "off"},
                    bad_value{"ARTEL_STATS", "2"}, bad_value{"ARTEL_DISPLAY_ENV", "verbose"},
                    bad_value{"ARTEL_LOOP", "dynamic,0"}, bad_value{"ARTEL_LOOP", "dynamic,"},
                    bad_value{"ARTEL_LOOP", "dynamic 16"}, bad_value{"ARTEL_LOOP", ",16"},
                    bad_value{"ARTEL_LOOP", "16"}, bad_value{"ARTEL_LOOP", "static,-1"},
                    bad_value{"ARTEL_LOOP", "guided,1,2"},
                    bad_value{"ARTEL_LOOP", "timespan_grain"},
                    bad_value{"ARTEL_LOOP", "lazy,4611686018427387905"}));

TEST(Options, TreatAnEmptyValueAsUnset)
{
    const auto parsed = parse({{"ARTEL_NUM_THREADS", ""}, {"ARTEL_WAIT", "  "}});
    EXPECT_TRUE(parsed.errors.empty());
    EXPECT_EQ(parsed.sources[0], option_source::by_default);
}

TEST(Options, ReportUnknownVariables)
{
    const auto parsed = parse(
        {{"ARTEL_NUM_THREAD", "4"}, {"ARTEL_STATS", "1"}, {"ARTEL_SOMETHING_ELSE", "1"}});
    ASSERT_EQ(parsed.errors.size(), 2u);
    EXPECT_EQ(parsed.errors[0],
              "ARTEL_NUM_THREAD is not an option and has no effect; did you mean "
              "ARTEL_NUM_THREADS? `artel info` shows all that there are");
    EXPECT_EQ(parsed.errors[1],
              "ARTEL_SOMETHING_ELSE is not an option and has no effect; "
              "`artel info` shows all that there are");
}

TEST(Options, LeaveVariablesOfOtherPartsAlone)
{
    const auto parsed = parse({{"ARTEL_MPI", "off"},
                               {"ARTEL_MPI_QUEUE", "1M"},
                               {"ARTEL_PYTHON_TOOL", "artel"},
                               {"ARTEL_BENCH_NAME", "artel bench"},
                               {"ARTEL_TEST_TOOL", "artel"},
                               {"ARTEL_ROOT", "/opt"}});
    EXPECT_TRUE(parsed.errors.empty()) << parsed.errors.front();
}

TEST(Options, SayWhichVariableWasMeant)
{
    for (const auto& [wrong, meant] :
         {std::pair{"ARTEL_THREADS", "ARTEL_NUM_THREADS"},
          std::pair{"ARTEL_WORKERS", "ARTEL_MAX_WORKERS"}, std::pair{"ARTEL_STAT", "ARTEL_STATS"},
          std::pair{"ARTEL_ORCHESTRA", "nothing"}, std::pair{"ARTEL_ROOTS", "nothing"}}) {
        const auto parsed = parse({{wrong, "1"}});
        ASSERT_EQ(parsed.errors.size(), 1u) << wrong;
        const auto at = parsed.errors[0].find("did you mean ");
        EXPECT_EQ(at == std::string::npos
                      ? "nothing"
                      : parsed.errors[0].substr(at + 13, parsed.errors[0].find('?') - at - 13),
                  meant);
    }
}

TEST(Options, DescribeEveryOptionWithItsSource)
{
    const auto text = describe_options(parse({{"ARTEL_WAIT", "passive"}, {"ARTEL_SPIN", "x"}}));
    EXPECT_NE(text.find("  ARTEL_WAIT=passive  (environment)\n"), text.npos) << text;
    EXPECT_NE(text.find("  ARTEL_SPIN=auto  (default, bad value in the environment)\n"), text.npos)
        << text;
    EXPECT_NE(text.find("  ARTEL_BIND=auto  (default)\n"), text.npos) << text;
}

TEST(Options, AreReadFromTheEnvironmentOnce)
{
    const auto* first = &options();
    EXPECT_EQ(first, &options());
    EXPECT_EQ(first, &options_and_sources().values);
}

}  // namespace
}  // namespace artel::base
