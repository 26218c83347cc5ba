// What light threads wait on through the C interface: locks and meetings.
#include "support.hpp"

#include <artel.h>
#include <cerrno>
#include <cstdint>

namespace {

constexpr std::int64_t milliseconds = 1'000'000;

}  // namespace

TEST(c_lock, a_mutex_lets_one_in)
{
    artel_mutex m = ARTEL_MUTEX_INIT;
    long count = 0;
    test::on_light_threads(100, [&] {
        for (int i = 0; i < 200; ++i) {
            artel_mutex_lock(&m);
            ++count;
            if (i % 50 == 0) {
                artel_yield();
            }
            artel_mutex_unlock(&m);
        }
    });
    EXPECT_EQ(count, 100 * 200);
    EXPECT_EQ(artel_mutex_trylock(&m), 0);
    EXPECT_EQ(artel_mutex_trylock(&m), EBUSY);
    artel_mutex_unlock(&m);
    artel_mutex_init(&m);
    EXPECT_EQ(artel_mutex_trylock(&m), 0);
}

TEST(c_lock, a_shared_mutex_lets_readers_or_one_writer_in)
{
    artel_shared_mutex m = ARTEL_SHARED_MUTEX_INIT;
    long a = 0;
    long b = 0;
    std::atomic<int> turn{0};
    test::on_light_threads(60, [&] {
        for (int i = 0; i < 100; ++i) {
            if (++turn % 4 == 0) {
                artel_shared_mutex_lock(&m);
                ++a;
                artel_yield();
                ++b;
                artel_shared_mutex_unlock(&m);
            } else {
                artel_shared_mutex_lock_shared(&m);
                EXPECT_EQ(a, b);
                artel_shared_mutex_unlock_shared(&m);
            }
        }
    });
    EXPECT_EQ(a, 60 * 100 / 4);
    EXPECT_EQ(artel_shared_mutex_trylock_shared(&m), 0);
    EXPECT_EQ(artel_shared_mutex_trylock_shared(&m), 0);
    EXPECT_EQ(artel_shared_mutex_trylock(&m), EBUSY);
    artel_shared_mutex_unlock_shared(&m);
    artel_shared_mutex_unlock_shared(&m);
    EXPECT_EQ(artel_shared_mutex_trylock(&m), 0);
    EXPECT_EQ(artel_shared_mutex_trylock_shared(&m), EBUSY);
    artel_shared_mutex_init(&m);
    EXPECT_EQ(artel_shared_mutex_trylock(&m), 0);
}

TEST(c_lock, a_condition_brings_every_item_once)
{
    struct line {
        artel_mutex lock = ARTEL_MUTEX_INIT;
        artel_condition more = ARTEL_CONDITION_INIT;
        int items = 0;
        int taken = 0;
        bool closed = false;
    };
    for (int round = 0; round < 20; ++round) {
        line l;
        std::atomic<int> who{0};
        test::on_light_threads(20, [&] {
            if (++who <= 10) {
                for (int i = 0; i < 50; ++i) {
                    artel_mutex_lock(&l.lock);
                    ++l.items;
                    artel_mutex_unlock(&l.lock);
                    artel_condition_notify_one(&l.more);
                }
                return;
            }
            for (int i = 0; i < 50; ++i) {
                artel_mutex_lock(&l.lock);
                while (l.items == 0) {
                    artel_condition_wait(&l.more, &l.lock);
                }
                --l.items;
                ++l.taken;
                artel_mutex_unlock(&l.lock);
            }
        });
        EXPECT_EQ(l.taken, 500);
        artel_condition_destroy(&l.more);
    }
}

TEST(c_lock, waiting_for_a_condition_ends_in_time)
{
    artel_mutex m;
    artel_condition c;
    artel_mutex_init(&m);
    artel_condition_init(&c);
    artel_mutex_lock(&m);
    const std::int64_t when = artel_now() + 10 * milliseconds;
    int answer = 0;
    while ((answer = artel_condition_wait_until(&c, &m, when)) == 0) {
    }
    EXPECT_EQ(answer, ETIMEDOUT);
    EXPECT_GE(artel_now(), when);
    EXPECT_EQ(artel_mutex_trylock(&m), EBUSY);
    artel_light_thread* t = nullptr;
    struct both {
        artel_mutex* m;
        artel_condition* c;
        bool done = false;
    } b{&m, &c};
    ASSERT_EQ(artel_light_thread_start(
                  &t,
                  [](void* context) {
                      auto& at = *static_cast<both*>(context);
                      artel_mutex_lock(at.m);
                      at.done = true;
                      artel_mutex_unlock(at.m);
                      artel_condition_notify_all(at.c);
                  },
                  &b),
              0);
    while (!b.done) {
        EXPECT_EQ(artel_condition_wait_until(&c, &m, INT64_MAX), 0);
    }
    artel_mutex_unlock(&m);
    EXPECT_EQ(artel_light_thread_join(t), 0);
    artel_condition_destroy(&c);
}

TEST(c_lock, a_semaphore_gives_out_its_permits)
{
    artel_semaphore s = ARTEL_SEMAPHORE_INIT(3);
    std::atomic<int> inside{0};
    test::on_light_threads(50, [&] {
        artel_semaphore_acquire(&s);
        EXPECT_LE(++inside, 3);
        artel_yield();
        --inside;
        artel_semaphore_release(&s, 1);
    });
    artel_semaphore_init(&s, 1);
    EXPECT_EQ(artel_semaphore_try_acquire(&s), 0);
    EXPECT_EQ(artel_semaphore_try_acquire(&s), EAGAIN);
    const std::int64_t when = artel_now() + 5 * milliseconds;
    EXPECT_EQ(artel_semaphore_acquire_until(&s, when), ETIMEDOUT);
    EXPECT_GE(artel_now(), when);
    artel_semaphore_release(&s, 2);
    EXPECT_EQ(artel_semaphore_acquire_until(&s, when), 0);
    artel_semaphore_acquire(&s);
}

TEST(c_meeting, a_barrier_ends_each_phase_when_all_have_come)
{
    struct phases {
        int completed = 0;
    } p;
    artel_barrier b;
    EXPECT_EQ(artel_barrier_init(&b, 0, nullptr, nullptr), EINVAL);
    EXPECT_EQ(artel_barrier_init(&b, UINT32_MAX, nullptr, nullptr), EINVAL);
    ASSERT_EQ(
        artel_barrier_init(&b, 40, [](void* c) { ++static_cast<phases*>(c)->completed; }, &p), 0);
    test::on_light_threads(40, [&] {
        for (int i = 1; i <= 50; ++i) {
            artel_barrier_wait(&b);
            EXPECT_EQ(p.completed, 2 * i - 1);
            const std::uint32_t phase = artel_barrier_arrive(&b);
            artel_barrier_wait_for(&b, phase);
            EXPECT_EQ(p.completed, 2 * i);
        }
    });
    EXPECT_EQ(p.completed, 100);
}

TEST(c_meeting, who_drops_out_of_a_barrier_is_not_expected)
{
    artel_barrier b;
    ASSERT_EQ(artel_barrier_init(&b, 10, nullptr, nullptr), 0);
    std::atomic<int> number{0};
    test::on_light_threads(10, [&] {
        const int mine = number++;
        for (int i = 0; i < mine; ++i) {
            artel_barrier_wait(&b);
        }
        artel_barrier_drop(&b);
    });
    EXPECT_EQ(number, 10);
}

TEST(c_meeting, a_latch_opens_at_zero)
{
    artel_latch l;
    artel_latch_init(&l, 30);
    EXPECT_EQ(artel_latch_is_open(&l), 0);
    std::atomic<int> done{0};
    std::atomic<int> who{0};
    test::on_light_threads(20, [&] {
        if (++who <= 10) {
            ++done;
            artel_latch_count_down(&l, 3);
        } else {
            artel_latch_wait(&l);
            EXPECT_EQ(done, 10);
        }
    });
    EXPECT_EQ(artel_latch_is_open(&l), 1);
    artel_latch_wait(&l);
}

namespace {

struct unknown_tree {
    artel_sinc done;
    std::atomic<int> leaves{0};
};
struct branch {
    unknown_tree* of;
    int depth;
};
void branch_out(void* context)
{
    branch* const b = static_cast<branch*>(context);
    unknown_tree& t = *b->of;
    if (b->depth == 0) {
        ++t.leaves;
    } else {
        artel_sinc_expect(&t.done, 2);
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(artel_light_thread_start(nullptr, branch_out, new branch{&t, b->depth - 1}),
                      0);
        }
    }
    delete b;
    artel_sinc_submit(&t.done, 1);
}

}  // namespace

TEST(c_meeting, a_sinc_may_be_told_to_expect_more)
{
    unknown_tree t{ARTEL_SINC_INIT(1)};
    EXPECT_EQ(artel_sinc_is_complete(&t.done), 0);
    branch_out(new branch{&t, 9});
    artel_sinc_wait(&t.done);
    EXPECT_EQ(artel_sinc_is_complete(&t.done), 1);
    EXPECT_EQ(t.leaves, 512);
    artel_sinc_init(&t.done, 1);
    branch_out(new branch{&t, 3});
    artel_sinc_wait(&t.done);
    EXPECT_EQ(t.leaves, 520);
}
