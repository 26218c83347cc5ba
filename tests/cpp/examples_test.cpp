// The examples of docs/cpp-api.md. What lies between a pair of markers, "// [name]" and "//
// [/name]", is copied into the page by examples_in_docs.py --update, and the test of the same name
// checks that the page has it.
#include "support.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <list>
#include <mutex>
#include <numeric>
#include <queue>
#include <string>
#include <thread>
#include <vector>

namespace {

// [fib]
long fib(int n)
{
    if (n < 20) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);  // too little work to share
    }
    long left = 0;
    long right = 0;
    artel::parallel_invoke([&] { left = fib(n - 1); },  //
                           [&] { right = fib(n - 2); });
    return left + right;
}
// [/fib]

// [walk]
struct node {
    int value = 0;
    std::vector<node> children;
};

void visit(const node& n, artel::task_group& group, std::atomic<int>& sum)
{
    sum += n.value;
    for (const node& child : n.children) {
        group.run([&] { visit(child, group, sum); });
    }
}

int sum_of_tree(const node& root)
{
    std::atomic<int> sum{0};
    artel::task_group group;
    visit(root, group, sum);
    group.wait();
    return sum;
}
// [/walk]

// [channel]
class channel {
public:
    void send(std::string message)
    {
        const std::scoped_lock hold(lock_);
        messages_.push(std::move(message));
        not_empty_.notify_one();
    }

    // Suspends the light thread until there is a message; its worker does other work meanwhile.
    std::string receive()
    {
        std::unique_lock hold(lock_);
        not_empty_.wait(hold, [&] { return !messages_.empty(); });
        std::string message = std::move(messages_.front());
        messages_.pop();
        return message;
    }

private:
    artel::mutex lock_;
    artel::condition_variable not_empty_;
    std::queue<std::string> messages_;
};
// [/channel]

// Stands for any library that calls back from a thread of its own.
std::thread callback_thread;
void read_asynchronously(std::function<void(int)> done)
{
    callback_thread = std::thread([done] { done(42); });
}

// [suspend]
int read()
{
    int result = 0;
    artel::suspend([&](artel::suspend_point here) {
        read_asynchronously([&result, here](int value) {
            result = value;
            artel::resume(here);
        });
    });
    return result;
}
// [/suspend]

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

}  // namespace

TEST(example, boxes)
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

TEST(example, deterministic)
{
    const std::vector<double> x(1000, 0.1);
    // [deterministic]
    const double sum = artel::parallel_deterministic_reduce(
        std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i]; }, std::plus<>{}, 64);
    // [/deterministic]
    EXPECT_NEAR(sum, 100.0, 1e-9);
}

TEST(example, loop)
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

TEST(example, partitioners)
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

TEST(example, limits)
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

TEST(example, reduce)
{
    const std::vector<double> x(1000, 0.5);
    // [reduce]
    const double sum = artel::parallel_reduce(
        std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i]; }, std::plus<>{});
    // [/reduce]
    EXPECT_EQ(sum, 500.0);
}

TEST(example, scan)
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

TEST(example, tasks)
{
    EXPECT_EQ(fib(25), 75025);
    EXPECT_EQ(sum_of_tree(node{1, {node{2, {}}, node{3, {node{4, {}}}}}}), 10);
}

TEST(example, exceptions)
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

TEST(example, light_threads)
{
    // [light_threads]
    channel questions;
    channel answers;
    artel::light_thread server([&] {
        for (int i = 0; i < 3; ++i) {
            answers.send("re: " + questions.receive());
        }
    });
    for (const char* question : {"a", "b", "c"}) {
        questions.send(question);
    }
    const std::string first = answers.receive();
    server.join();
    // [/light_threads]
    EXPECT_EQ(first, "re: a");
}

TEST(example, per_light_thread)
{
    // [own_values]
    artel::per_light_thread<std::string> name;
    artel::light_thread t([&] {
        name.local() = "worker";
        artel::this_light_thread::yield();  // perhaps on another OS thread from here on
        EXPECT_EQ(name.local(), "worker");
    });
    t.join();
    // [/own_values]
    EXPECT_EQ(name.find(), nullptr);
}

TEST(example, futures)
{
    // [futures]
    artel::future<int> sum = artel::async([](int a, int b) { return a + b; }, 40, 2);
    artel::promise<std::string> reply;
    artel::future<std::string> text = reply.get_future();
    artel::light_thread server([&] { reply.set_value("yes"); });
    const std::string all = text.get() + " " + std::to_string(sum.get());
    // [/futures]
    server.join();
    EXPECT_EQ(all, "yes 42");
}

#if defined(__cpp_impl_coroutine)
namespace coroutine_example {
// [coroutine]
artel::task<int> square(int i)
{
    co_await artel::on_crew();  // the rest is a light thread of its own
    const int result = i * i;
    co_return result;
}

artel::task<int> sum_of_squares(int n)
{
    std::vector<artel::task<int>> squares;
    for (int i = 1; i <= n; ++i) {
        squares.push_back(square(i));
    }
    int sum = 0;
    for (const int s : co_await artel::when_all(std::move(squares))) {
        sum += s;
    }
    co_return sum;
}
// [/coroutine]
}  // namespace coroutine_example

TEST(example, coroutine)
{
    using coroutine_example::sum_of_squares;
    // [start]
    const int sum = artel::start(sum_of_squares(10)).get();
    // [/start]
    EXPECT_EQ(sum, 385);
}
#endif

TEST(example, suspension)
{
    EXPECT_EQ(read(), 42);
    callback_thread.join();
}
