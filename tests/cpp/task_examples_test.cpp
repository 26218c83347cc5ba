// The examples of docs/cpp-api.md that are tasks, light threads, futures and coroutines. What the
// markers are for is said in loop_examples_test.cpp.
#include "support.hpp"

#include <functional>
#include <mutex>
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

}  // namespace

TEST(examples, tasks)
{
    EXPECT_EQ(fib(25), 75025);
    EXPECT_EQ(sum_of_tree(node{1, {node{2, {}}, node{3, {node{4, {}}}}}}), 10);
}

TEST(examples, light_threads)
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

TEST(examples, per_light_thread)
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

TEST(examples, futures)
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

TEST(examples, coroutine)
{
    using coroutine_example::sum_of_squares;
    // [start]
    const int sum = artel::start(sum_of_squares(10)).get();
    // [/start]
    EXPECT_EQ(sum, 385);
}
#endif

TEST(examples, suspension)
{
    EXPECT_EQ(read(), 42);
    callback_thread.join();
}
