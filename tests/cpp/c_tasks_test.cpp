// Sorting and groups of tasks through the C interface.
#include "support.hpp"

#include <algorithm>
#include <artel.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <random>

namespace {

template <class T>
int compare(const void* a, const void* b, void* calls)
{
    ++*static_cast<std::atomic<int>*>(calls);
    T x;
    T y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

}  // namespace

TEST(c_sort, sorts_elements_of_any_size)
{
    std::mt19937 random(11);
    for (const std::size_t n : {0u, 1u, 2u, 100u, 30000u}) {
        for (const std::size_t size : {4u, 8u, 5u, 12u, 24u, 200u}) {
            // Also where elements of 4 and 8 bytes are not aligned.
            for (const std::size_t shift : {0u, 1u}) {
                std::vector<char> bytes(n * size + shift);
                std::vector<std::uint32_t> keys(n);
                char* const base = bytes.data() + shift;
                for (std::size_t i = 0; i < n; ++i) {
                    keys[i] = static_cast<std::uint32_t>(random() % 5000);
                    std::memcpy(base + i * size, &keys[i], 4);
                }
                std::sort(keys.begin(), keys.end());
                std::atomic<int> calls{0};
                EXPECT_EQ(artel_parallel_sort(base, n, size, compare<std::uint32_t>, &calls), 0);
                EXPECT_EQ(calls > 0, n > 1);
                for (std::size_t i = 0; i < n; ++i) {
                    EXPECT_EQ(std::memcmp(base + i * size, &keys[i], 4), 0) << size << ' ' << i;
                }
            }
        }
    }
}

TEST(c_sort, the_stable_one_keeps_the_order_of_equals)
{
    struct element {
        std::uint32_t key;
        std::uint32_t place;
    };
    std::mt19937 random(12);
    std::vector<element> elements(40000);
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        elements[i] = {static_cast<std::uint32_t>(random() % 50), i};
    }
    std::atomic<int> calls{0};
    EXPECT_EQ(artel_parallel_stable_sort(elements.data(), elements.size(), sizeof(element),
                                         compare<std::uint32_t>, &calls),
              0);
    for (std::size_t i = 1; i < elements.size(); ++i) {
        const element& a = elements[i - 1];
        const element& b = elements[i];
        EXPECT_TRUE(a.key < b.key || (a.key == b.key && a.place < b.place)) << i;
    }
}

TEST(c_sort, elements_without_size_are_an_error)
{
    int none = 0;
    EXPECT_EQ(artel_parallel_sort(&none, 1, 0, compare<int>, nullptr), EINVAL);
    EXPECT_EQ(artel_parallel_stable_sort(&none, 1, 0, compare<int>, nullptr), EINVAL);
}

namespace {

struct tree {
    artel_task_group group;
    std::atomic<int> leaves{0};
};
struct node {
    tree* of;
    int depth;
};
void grow(void* context)
{
    node* const n = static_cast<node*>(context);
    if (n->depth == 0) {
        ++n->of->leaves;
    } else {
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(artel_task_group_run(&n->of->group, grow, new node{n->of, n->depth - 1}), 0);
        }
    }
    delete n;
}

}  // namespace

TEST(c_task_group, tasks_may_add_tasks_and_a_group_is_used_again)
{
    tree t{};
    EXPECT_EQ(artel_task_group_init(&t.group, nullptr), 0);
    for (int turn = 1; turn <= 3; ++turn) {
        grow(new node{&t, 10});
        EXPECT_EQ(artel_task_group_wait(&t.group), 0);
        EXPECT_EQ(t.leaves, turn * 1024);
    }
    grow(new node{&t, 10});
    artel_task_group_destroy(&t.group);
    EXPECT_EQ(t.leaves, 4 * 1024);
}

TEST(c_task_group, what_has_not_begun_is_dropped_when_cancelled)
{
    tree t{};
    const artel_limit alone{1, 0, nullptr, nullptr};
    EXPECT_EQ(artel_task_group_init(&t.group, &alone), 0);
    const auto cancel = [](void* context) {
        auto& all = *static_cast<tree*>(context);
        ++all.leaves;
        artel_task_group_cancel(&all.group);
        EXPECT_EQ(artel_task_group_is_cancelled(&all.group), 1);
    };
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(artel_task_group_run(&t.group, cancel, &t), 0);
    }
    EXPECT_EQ(artel_task_group_wait(&t.group), ECANCELED);
    EXPECT_EQ(t.leaves, 1);
    EXPECT_EQ(artel_task_group_is_cancelled(&t.group), 0);
    EXPECT_EQ(artel_task_group_wait(&t.group), 0);
    artel_task_group_destroy(&t.group);
}
