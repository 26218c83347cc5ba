// parallel_for_each over lists, streams, arrays and sequences that grow.
#include "support.hpp"

#include <algorithm>
#include <forward_list>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <ranges>
#include <sstream>
#include <string>

namespace {

TEST(parallel_for_each, calls_the_body_once_for_each_element_of_a_list)
{
    for (const int n : {0, 1, 7, 8, 9, 1000, 20000}) {
        std::list<std::atomic<int>> hits(static_cast<std::size_t>(n));
        artel::parallel_for_each(hits, [](std::atomic<int>& h) { ++h; });
        artel::parallel_for_each(hits.begin(), hits.end(), [](std::atomic<int>& h) { ++h; });
        EXPECT_TRUE(std::all_of(hits.begin(), hits.end(), [](const auto& h) { return h == 2; }));
    }
    std::forward_list<int> squares(5000, 3);
    artel::parallel_for_each(squares, [](int& x) { x *= x; });
    EXPECT_EQ(std::accumulate(squares.begin(), squares.end(), 0), 45000);
}

TEST(parallel_for_each, takes_elements_out_of_a_stream)
{
    std::string text;
    for (int i = 1; i <= 3000; ++i) {
        text += std::to_string(i) + " ";
    }
    std::istringstream in(text);
    std::atomic<long> sum{0};
    artel::parallel_for_each(std::istream_iterator<int>(in), std::istream_iterator<int>(),
                             [&](int x) { sum += x; });
    EXPECT_EQ(sum, 4501500);
}

TEST(parallel_for_each, takes_arrays_as_parallel_for_does)
{
    std::vector<int> v(100000, 1);
    artel::parallel_for_each(v, [](int& x) { ++x; });
    EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 200000);
    const std::vector<int>& fixed = v;
    std::atomic<long> sum{0};
    artel::parallel_for_each(fixed.begin(), fixed.begin() + 10, [&](const int& x) { sum += x; });
    EXPECT_EQ(sum, 20);
    // A view whose difference type is no integer.
    std::atomic<std::size_t> indices{0};
    artel::parallel_for_each(std::views::iota(std::size_t{0}, std::size_t{100}),
                             [&](std::size_t i) { indices += i; });
    EXPECT_EQ(indices, 4950u);
}

// A tree that unfolds: each number below the limit adds two.
namespace {

// Numbers that can only be walked, and how many of them have not been worked on.
struct stream_of_numbers {
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    int* furthest_ahead;
    const std::atomic<int>* done;
    int at = 0;
    int operator*() const { return at; }
    stream_of_numbers& operator++()
    {
        *furthest_ahead = std::max(*furthest_ahead, ++at - *done);
        return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(int end) const { return at == end; }
};

}  // namespace

// A thread that walks the sequence faster than the others work calls the body itself, instead of
// filling the memory with tasks.
TEST(parallel_for_each, does_not_run_far_ahead_of_the_work)
{
    constexpr int n = 200000;
    std::atomic<int> done{0};
    int furthest_ahead = 0;
    artel::parallel_for_each(stream_of_numbers{&furthest_ahead, &done}, n, [&](int) { ++done; });
    EXPECT_EQ(done, n);
    EXPECT_LE(furthest_ahead, 1024 * static_cast<int>(artel::num_threads()) + 2);
}

TEST(parallel_for_each, works_on_what_its_body_adds)
{
    std::atomic<int> calls{0};
    const std::vector<int> roots{1};
    artel::parallel_for_each(roots, [&](int x, artel::feeder<int>& more) {
        ++calls;
        if (2 * x < 40000) {
            more.add(2 * x);
            more.add(2 * x + 1);
        }
    });
    EXPECT_EQ(calls, 39999);
}

TEST(parallel_for_each, adds_what_can_only_be_moved)
{
    std::atomic<int> sum{0};
    std::list<std::unique_ptr<int>> first;
    first.push_back(std::make_unique<int>(100));
    artel::parallel_for_each(
        first, [&](std::unique_ptr<int>& x, artel::feeder<std::unique_ptr<int>>& more) {
            sum += *x;
            if (*x > 1) {
                more.add(std::make_unique<int>(*x - 1));
            }
        });
    EXPECT_EQ(sum, 5050);
}

TEST(parallel_for_each, passes_the_first_exception_on_and_drops_the_rest)
{
    std::list<int> numbers(10000);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::atomic<int> calls{0};
    EXPECT_THROW(artel::parallel_for_each(numbers,
                                          [&](int x, artel::feeder<int>& more) {
                                              ++calls;
                                              if (x == 100) {
                                                  throw test::failure(x);
                                              }
                                              if (x >= 0) {
                                                  more.add(-1);
                                              }
                                          }),
                 test::failure);
    EXPECT_LE(calls, 20000);
    // Nothing of it is left.
    std::atomic<int> again{0};
    artel::parallel_for_each(numbers, [&](int) { ++again; });
    EXPECT_EQ(again, 10000);
}

TEST(parallel_for_each, may_be_nested_and_called_by_many_threads)
{
    std::atomic<int> calls{0};
    test::on_threads(6, [&](unsigned) {
        const std::list<int> outer(20);
        artel::parallel_for_each(outer, [&](int) {
            const std::list<int> inner(30);
            artel::parallel_for_each(inner, [&](int) { ++calls; });
        });
    });
    EXPECT_EQ(calls, 6 * 20 * 30);
}

}  // namespace
