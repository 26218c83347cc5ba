// The examples of docs/cpp-api.md that are loops, sorts and reductions. What lies between a pair of
// markers, "// [name]" and "// [/name]", is copied into the page by examples_in_docs.py --update,
// and the test of the same name checks that the page has it.
#include "support.hpp"

#include <cmath>
#include <functional>
#include <list>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

TEST(examples, per_worker)
{
    const std::size_t n = 10000;
    // [per_worker]
    artel::per_worker<long> sums;
    artel::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
        sums.local() += static_cast<long>(i);  // nobody else's value
    });
    const long sum = sums.combine();
    // [/per_worker]
    EXPECT_EQ(sum, 49995000);
}

TEST(examples, sort)
{
    struct person {
        int age = 0;
        std::string name;
    };
    std::vector<person> people{{30, "c"}, {20, "b"}, {30, "a"}};
    std::vector<double> values{3, 1, 2};
    // [sort]
    artel::parallel_sort(values);
    artel::parallel_stable_sort(people,
                                [](const person& a, const person& b) { return a.age < b.age; });
    // [/sort]
    EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(people[0].name + people[1].name + people[2].name, "bca");
}

TEST(examples, for_each)
{
    std::list<std::string> names{"x", "y"};
    const auto load = [](std::string& name) { name += "!"; };
    struct page {
        std::vector<page> links;
    };
    const std::vector<page> roots{{{page{}, page{}}}, {}};
    std::atomic<int> pages{0};
    // [for_each]
    artel::parallel_for_each(names, load);  // a std::list
    artel::parallel_for_each(roots, [&](const page& p, artel::feeder<page>& more) {
        ++pages;
        for (const page& link : p.links) {
            more.add(link);  // the same body, for one more
        }
    });
    // [/for_each]
    EXPECT_EQ(names.front() + names.back(), "x!y!");
    EXPECT_EQ(pages, 4);
}

TEST(examples, width)
{
    std::atomic<int> done{0};
    const auto body = [&](int) { ++done; };
    const auto render = [&] { artel::parallel_for(0, 10, body); };
    // [width]
    {
        const artel::width_scope scope(2);  // the caller and one more, for all of this
        artel::parallel_for(0, 100, body);
        artel::parallel_invoke(render, render);  // and for the loops in there
    }
    // [/width]
    EXPECT_EQ(done, 120);
}

TEST(examples, isolation)
{
    std::mutex lock;
    std::vector<int> table;
    // [isolation]
    const auto fill = [&](std::size_t size) {
        const artel::isolation alone;  // before the lock, so that it ends after it
        const std::scoped_lock hold(lock);
        table.resize(size);
        artel::parallel_for(std::size_t{0}, size,
                            [&](std::size_t i) { table[i] = static_cast<int>(i); });
    };
    // [/isolation]
    artel::parallel_for(0, 8, [&](int i) { fill(static_cast<std::size_t>(100 + i)); });
    EXPECT_EQ(table[99], 99);
}

TEST(examples, boxes)
{
    const std::size_t n = 100;
    std::vector<double> a(n * n, 1.0);
    std::vector<double> b(n * n);
    // [boxes]
    // Blocks of 32 rows and 32 columns, one at a time: the transpose of a matrix.
    artel::parallel_for(
        artel::blocked_range2d<std::size_t>({0, n}, {0, n}, 32, 32),
        [&](const auto& block) {
            for (std::size_t i = block.rows().begin(); i < block.rows().end(); ++i) {
                for (std::size_t j = block.columns().begin(); j < block.columns().end(); ++j) {
                    b[j * n + i] = a[i * n + j];
                }
            }
        },
        artel::simple{});

    // Every second row, from the last one up.
    artel::parallel_for(std::int64_t{98}, std::int64_t{-1}, -2,
                        [&](std::int64_t i) { b[static_cast<std::size_t>(i) * n] += 1; });
    // [/boxes]
    EXPECT_EQ(b[0], 2.0);
    EXPECT_EQ(b[n], 1.0);
    EXPECT_EQ(b[98 * n], 2.0);
}

TEST(examples, deterministic)
{
    const std::vector<double> x(1000, 0.1);
    // [deterministic]
    const double sum = artel::parallel_deterministic_reduce(
        std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i]; }, std::plus<>{}, 64);
    // [/deterministic]
    EXPECT_NEAR(sum, 100.0, 1e-9);
}

TEST(examples, loop)
{
    std::vector<double> x(1000, 4.0);
    std::vector<double> y(1000);
    // [loop]
    artel::parallel_for(std::size_t{0}, x.size(), [&](std::size_t i) { y[i] = std::sqrt(x[i]); });

    // The same over a container's elements, and over pieces of the range.
    artel::parallel_for(y, [](double& element) { element *= 2; });
    artel::parallel_for(artel::blocked_range<std::size_t>(0, x.size()), [&](const auto& piece) {
        std::vector<double> scratch(16);  // once per piece
        for (std::size_t i = piece.begin(); i < piece.end(); ++i) {
            scratch[i % 16] = x[i];
            y[i] += scratch[i % 16];
        }
    });
    // [/loop]
    EXPECT_EQ(y[999], 8.0);
}

TEST(examples, partitioners)
{
    const std::size_t n = 1000;
    std::vector<double> a(n, 1.0);
    const auto body = [&](std::size_t i) { a[i] += 1.0; };
    // [partitioners]
    artel::parallel_for(std::size_t{0}, n, body);  // adapts; the default
    // equal shares, always the same ones.
    artel::parallel_for(std::size_t{0}, n, body, artel::static_{});
    // four iterations at a time.
    artel::parallel_for(std::size_t{0}, n, body, artel::simple{.grain = 4});
    // [/partitioners]
    EXPECT_EQ(a[0], 4.0);
}

TEST(examples, limits)
{
    std::atomic<int> count{0};
    // [limits]
    std::stop_source enough;
    artel::parallel_for(
        0, 1000000,
        [&](int) {
            if (++count == 1000) {
                enough.request_stop();
            }
        },
        artel::automatic{},
        artel::limit{.concurrency = 2, .numas = {0}, .stop = enough.get_token()});
    // [/limits]
    EXPECT_GE(count, 1000);
}

TEST(examples, reduce)
{
    const std::vector<double> x(1000, 0.5);
    // [reduce]
    const double sum = artel::parallel_reduce(
        std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i]; }, std::plus<>{});
    // [/reduce]
    EXPECT_EQ(sum, 500.0);
}

TEST(examples, scan)
{
    std::vector<long> x(1000);
    std::iota(x.begin(), x.end(), 1);
    // [scan]
    std::vector<long> running(x.size());
    const long total = artel::parallel_scan(
        artel::blocked_range<std::size_t>(0, x.size()), 0L,
        [&](const auto& piece, long before, bool is_final) {
            for (std::size_t i = piece.begin(); i < piece.end(); ++i) {
                before += x[i];
                if (is_final) {
                    running[i] = before;
                }
            }
            return before;
        },
        std::plus<>{});
    // [/scan]
    EXPECT_EQ(total, 500500);
    EXPECT_EQ(running[999], 500500);
}

TEST(examples, exceptions)
{
    std::string said;
    // [exceptions]
    try {
        artel::parallel_for(0, 100, [](int i) {
            if (i == 50) {
                throw std::runtime_error("fifty");
            }
        });
    } catch (const std::runtime_error& e) {
        said = e.what();  // once, after everybody has left the loop
    }
    // [/exceptions]
    EXPECT_EQ(said, "fifty");
}
