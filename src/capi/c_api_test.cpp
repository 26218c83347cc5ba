// Calls through the C interface are remembered with their costs.
#include "loop/site.hpp"

#include <artel.h>
#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using artel::loop::site;
using artel::loop::site_key;

thread_local volatile int sink = 0;  // so that an iteration is not optimised away

template <int cost>
void body(void*, std::int64_t begin, std::int64_t end)
{
    for (; begin < end; ++begin) {
        for (int i = 0; i < cost; ++i) {
            sink = i;
        }
    }
}

template <int cost>
std::uint32_t learned()
{
    for (int turn = 0; turn < 20; ++turn) {
        artel_parallel_for(0, 10000, 1, body<cost>, nullptr);
    }
    return site::of(reinterpret_cast<site_key>(body<cost>)).average.cost();
}

}  // namespace

TEST(c_api, each_body_is_a_place_of_its_own)
{
    if (artel_num_threads() == 1) {
        GTEST_SKIP() << "nothing is learned without others";
    }
    const std::uint32_t cheap = learned<10>();
    const std::uint32_t dear = learned<1000>();
    EXPECT_GT(cheap, 0u);
    EXPECT_GT(dear, 5 * cheap);
    EXPECT_EQ(site::of(reinterpret_cast<site_key>(body<10>)).average.cost(), cheap);
}

TEST(c_api, an_exception_ends_the_program)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto thrower = [](void*, std::int64_t, std::int64_t) { throw 1; };
    for (const int iterations : {1, 2, 100}) {
        EXPECT_DEATH(
            {
                try {
                    artel_parallel_for(0, iterations, 1, thrower, nullptr);
                } catch (int) {
                    std::_Exit(0);
                }
            },
            "");
    }
}
