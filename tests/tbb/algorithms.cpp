// The algorithms, whose results are compared with those of plain loops.
#include "check.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <oneapi/tbb.h>
#include <random>
#include <string>
#include <vector>

namespace {

template <class Partitioner>
void check_for(Partitioner&& how)
{
    std::vector<int> hits(100000);
    for (int round = 0; round < 20; ++round) {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, hits.size()),
            [&](const tbb::blocked_range<std::size_t>& r) {
                for (std::size_t i = r.begin(); i != r.end(); ++i) {
                    ++hits[i];
                }
            },
            how);
    }
    CHECK(std::all_of(hits.begin(), hits.end(), [](int n) { return n == 20; }));
}

void check_reduce_and_scan()
{
    std::vector<std::int64_t> x(1 << 20);
    std::iota(x.begin(), x.end(), 1);
    const auto n = static_cast<std::int64_t>(x.size());
    const std::int64_t sum = tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, x.size()), std::int64_t{0},
        [&](const tbb::blocked_range<std::size_t>& r, std::int64_t s) {
            return std::accumulate(x.begin() + static_cast<std::ptrdiff_t>(r.begin()),
                                   x.begin() + static_cast<std::ptrdiff_t>(r.end()), s);
        },
        std::plus<>());
    CHECK(sum == n * (n + 1) / 2);
    std::string letters = tbb::parallel_deterministic_reduce(
        tbb::blocked_range<int>(0, 26), std::string(),
        [](const tbb::blocked_range<int>& r, std::string s) {
            for (int i = r.begin(); i != r.end(); ++i) {
                s += static_cast<char>('a' + i);
            }
            return s;
        },
        std::plus<>());
    CHECK(letters == "abcdefghijklmnopqrstuvwxyz");
    std::vector<std::int64_t> sums(x.size());
    tbb::parallel_scan(
        tbb::blocked_range<std::size_t>(0, x.size()), std::int64_t{0},
        [&](const tbb::blocked_range<std::size_t>& r, std::int64_t s, bool last) {
            for (std::size_t i = r.begin(); i != r.end(); ++i) {
                s += x[i];
                if (last) {
                    sums[i] = s;
                }
            }
            return s;
        },
        std::plus<>());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto k = static_cast<std::int64_t>(i + 1);
        CHECK(sums[i] == k * (k + 1) / 2);
    }
}

int fib_invoke(int n)
{
    if (n < 2) {
        return n;
    }
    int a = 0;
    int b = 0;
    tbb::parallel_invoke([&] { a = fib_invoke(n - 1); }, [&] { b = fib_invoke(n - 2); });
    return a + b;
}

int fib_group(int n)
{
    if (n < 2) {
        return n;
    }
    int a = 0;
    int b = 0;
    tbb::task_group g;
    g.run([&] { a = fib_group(n - 1); });
    g.run([&] { b = fib_group(n - 2); });
    CHECK(g.wait() == tbb::task_group_status::complete);
    return a + b;
}

void check_pipeline(tbb::filter_mode first, tbb::filter_mode middle, tbb::filter_mode last)
{
    std::atomic<int> next{0};
    std::vector<int> out;
    std::atomic<int> count{0};
    constexpr int n = 3000;
    tbb::parallel_pipeline(
        8, tbb::make_filter<void, int>(first, [&](tbb::flow_control& stop) {
               const int i = next++;
               if (i >= n) {
                   stop.stop();
               }
               return i;
           }) & tbb::make_filter<int, std::string>(middle, [](int i) {
               return std::to_string(i);
           }) & tbb::make_filter<std::string, void>(last, [&](const std::string& s) {
               ++count;
               if (last != tbb::filter_mode::parallel) {
                   out.push_back(std::stoi(s));
               }
           }));
    CHECK(count == n);
    if (last != tbb::filter_mode::parallel) {
        if (last != tbb::filter_mode::serial_in_order ||
            first != tbb::filter_mode::serial_in_order) {
            std::sort(out.begin(), out.end());
        }
        for (int i = 0; i < n; ++i) {
            CHECK(out[static_cast<std::size_t>(i)] == i);
        }
    }
}

void check_flow_graph()
{
    tbb::flow::graph g;
    std::atomic<long> sum{0};
    tbb::flow::function_node<int, int> square(g, tbb::flow::unlimited, [](int i) { return i * i; });
    tbb::flow::function_node<int, int> halve(g, tbb::flow::serial, [](int i) { return i / 2; });
    tbb::flow::function_node<int> add(g, tbb::flow::unlimited, [&](int i) { sum += i; });
    tbb::flow::make_edge(square, halve);
    tbb::flow::make_edge(halve, add);
    long expected = 0;
    for (int i = 0; i < 10000; ++i) {
        expected += i * i / 2;
        square.try_put(i);
    }
    g.wait_for_all();
    CHECK(sum == expected);
}

}  // namespace

int main()
{
    check_for(tbb::auto_partitioner());
    check_for(tbb::simple_partitioner());
    check_for(tbb::static_partitioner());
    tbb::affinity_partitioner replay;
    check_for(replay);
    check_reduce_and_scan();
    std::vector<unsigned> keys(300000);
    std::mt19937 random(1);
    std::generate(keys.begin(), keys.end(), std::ref(random));
    std::vector<unsigned> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    tbb::parallel_sort(keys.begin(), keys.end());
    CHECK(keys == sorted);
    CHECK(fib_invoke(20) == 6765);
    CHECK(fib_group(20) == 6765);
    std::vector<int> seeds{1, 2, 3};
    std::atomic<int> fed{0};
    tbb::parallel_for_each(seeds.begin(), seeds.end(), [&](int i, tbb::feeder<int>& feeder) {
        ++fed;
        if (i < 10) {
            feeder.add(i + 3);
        }
    });
    CHECK(fed == 12);
    using tbb::filter_mode;
    for (const filter_mode first :
         {filter_mode::serial_in_order, filter_mode::parallel, filter_mode::serial_out_of_order}) {
        for (const filter_mode middle : {filter_mode::parallel, filter_mode::serial_out_of_order}) {
            for (const filter_mode last : {filter_mode::serial_in_order, filter_mode::parallel,
                                           filter_mode::serial_out_of_order}) {
                check_pipeline(first, middle, last);
            }
        }
    }
    check_flow_graph();
    return 0;
}
