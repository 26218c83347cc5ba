// Light threads and what they wait for through the C interface.
#include "support.hpp"

#include <artel.h>
#include <cerrno>
#include <cstdint>
#include <thread>

namespace {

constexpr std::int64_t milliseconds = 1'000'000;

// Runs f() on so many light threads, and returns when all have ended.
template <class F>
void on_light_threads(int how_many, F f)
{
    std::vector<artel_light_thread*> threads(static_cast<std::size_t>(how_many));
    for (auto*& t : threads) {
        ASSERT_EQ(artel_light_thread_start(&t, [](void* c) { (*static_cast<F*>(c))(); }, &f), 0);
    }
    for (auto* t : threads) {
        EXPECT_EQ(artel_light_thread_join(t), 0);
    }
}

}  // namespace

TEST(c_light_thread, joined_and_detached)
{
    std::atomic<int> ran{0};
    on_light_threads(1000, [&] { ++ran; });
    EXPECT_EQ(ran, 1000);

    artel_latch all = ARTEL_LATCH_INIT(200);
    const auto arrive = [](void* c) { artel_latch_count_down(static_cast<artel_latch*>(c), 1); };
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(artel_light_thread_start(nullptr, arrive, &all), 0);
        artel_light_thread* t = nullptr;
        EXPECT_EQ(artel_light_thread_start(&t, arrive, &all), 0);
        EXPECT_EQ(artel_light_thread_detach(t), 0);
    }
    artel_latch_wait(&all);
}

TEST(c_light_thread, wrong_joins_are_errors)
{
    EXPECT_EQ(artel_light_thread_join(nullptr), EINVAL);
    EXPECT_EQ(artel_light_thread_detach(nullptr), EINVAL);
    artel_future self = ARTEL_FUTURE_INIT;
    artel_light_thread* t = nullptr;
    ASSERT_EQ(artel_light_thread_start(
                  &t,
                  [](void* c) {
                      auto* const me = static_cast<artel_light_thread*>(
                          artel_future_get(static_cast<artel_future*>(c)));
                      EXPECT_EQ(artel_light_thread_join(me), EDEADLK);
                      EXPECT_EQ(artel_light_thread_id(), reinterpret_cast<std::uintptr_t>(me));
                  },
                  &self),
              0);
    artel_future_set(&self, t);
    EXPECT_EQ(artel_light_thread_join(t), 0);
    EXPECT_EQ(artel_light_thread_id(), 0u);
}

TEST(c_light_thread, yielding_lets_others_run)
{
    std::atomic<bool> flag{false};
    std::atomic<int> seen{0};
    on_light_threads(20, [&, n = std::atomic<int>(0)]() mutable {
        if (++n == 20) {
            flag = true;
        }
        while (!flag) {
            artel_yield();
        }
        ++seen;
    });
    EXPECT_EQ(seen, 20);
}

TEST(c_light_thread, sleeps_at_least_as_long_as_asked)
{
    const std::int64_t begin = artel_now();
    on_light_threads(50, [&] { artel_sleep_for(20 * milliseconds); });
    EXPECT_GE(artel_now() - begin, 20 * milliseconds);
    const std::int64_t when = artel_now() + 10 * milliseconds;
    artel_sleep_until(when);
    EXPECT_GE(artel_now(), when);
    artel_sleep_until(when);
    artel_sleep_for(0);
    artel_sleep_for(-5);
    artel_sleep_for(INT64_MIN);
}

TEST(c_suspend, resumed_early_and_late_by_any_thread)
{
    // Before arrange() has returned.
    artel_suspend([](artel_suspend_point here, void*) { artel_resume(here); }, nullptr);
    std::atomic<int> resumed{0};
    on_light_threads(20, [&] {
        std::thread late;
        artel_suspend(
            [](artel_suspend_point here, void* c) {
                *static_cast<std::thread*>(c) = std::thread([here] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    artel_resume(here);
                });
            },
            &late);
        ++resumed;
        late.join();
    });
    EXPECT_EQ(resumed, 20);
}

TEST(c_key, values_belong_to_light_threads_and_end_with_them)
{
    static std::atomic<int> destroyed;
    destroyed = 0;
    artel_key a;
    artel_key b;
    artel_key_init(&a, [](void* value) { destroyed += *static_cast<int*>(value); });
    artel_key_init(&b, nullptr);
    static int one = 1;
    artel_barrier meet;
    ASSERT_EQ(artel_barrier_init(&meet, 100, nullptr, nullptr), 0);
    on_light_threads(100, [&] {
        EXPECT_EQ(artel_key_get(&a), nullptr);
        int mine = 5;
        EXPECT_EQ(artel_key_set(&a, &mine), 0);
        EXPECT_EQ(artel_key_set(&b, &mine), 0);
        artel_barrier_wait(&meet);
        EXPECT_EQ(artel_key_get(&a), &mine);
        EXPECT_EQ(artel_key_get(&b), &mine);
        EXPECT_EQ(artel_key_set(&a, &one), 0);
        EXPECT_EQ(artel_key_get(&a), &one);
    });
    EXPECT_EQ(destroyed, 100);
    on_light_threads(10, [&] {
        EXPECT_EQ(artel_key_set(&a, &one), 0);
        EXPECT_EQ(artel_key_set(&a, nullptr), 0);
    });
    EXPECT_EQ(destroyed, 100);
    EXPECT_EQ(artel_key_get(&a), nullptr);
}

TEST(c_lock, a_mutex_lets_one_in)
{
    artel_mutex m = ARTEL_MUTEX_INIT;
    long count = 0;
    on_light_threads(100, [&] {
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
    on_light_threads(60, [&] {
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
        on_light_threads(20, [&] {
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
    on_light_threads(50, [&] {
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
    on_light_threads(40, [&] {
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
    on_light_threads(10, [&] {
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
    on_light_threads(20, [&] {
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

TEST(c_feb, hands_every_value_over_once)
{
    artel_feb word = ARTEL_FEB_EMPTY;
    std::atomic<std::uint64_t> sum{0};
    std::atomic<int> who{0};
    on_light_threads(40, [&] {
        const int mine = who++;
        for (std::uint64_t i = 1; i <= 100; ++i) {
            if (mine % 2 == 0) {
                artel_feb_write_ef(&word, i);
            } else {
                sum += artel_feb_read_fe(&word);
            }
        }
    });
    EXPECT_EQ(sum, 20u * 5050u);
    EXPECT_EQ(artel_feb_is_full(&word), 0);
}

TEST(c_feb, states_are_as_the_names_say)
{
    artel_feb word = ARTEL_FEB_FULL(7);
    std::uint64_t v = 0;
    EXPECT_EQ(artel_feb_is_full(&word), 1);
    EXPECT_EQ(artel_feb_read_ff(&word), 7u);
    EXPECT_EQ(artel_feb_try_write_ef(&word, 8), EAGAIN);
    EXPECT_EQ(artel_feb_try_read_ff(&word, &v), 0);
    EXPECT_EQ(v, 7u);
    artel_feb_write_ff(&word, 9);
    EXPECT_EQ(artel_feb_read_fe(&word), 9u);
    EXPECT_EQ(artel_feb_is_full(&word), 0);
    EXPECT_EQ(artel_feb_try_read_fe(&word, &v), EAGAIN);
    EXPECT_EQ(artel_feb_try_read_ff(&word, &v), EAGAIN);
    EXPECT_EQ(v, 7u);
    EXPECT_EQ(artel_feb_try_write_ef(&word, 10), 0);
    EXPECT_EQ(artel_feb_try_read_fe(&word, &v), 0);
    EXPECT_EQ(v, 10u);
    artel_feb_write_f(&word, 11);
    artel_feb_write_f(&word, 12);
    EXPECT_EQ(artel_feb_read_ff(&word), 12u);
    artel_feb_purge(&word);
    EXPECT_EQ(artel_feb_is_full(&word), 0);
    artel_feb_init_full(&word, 13);
    EXPECT_EQ(artel_feb_read_fe(&word), 13u);
    artel_feb_init_empty(&word);
    artel_feb_write_ef(&word, 14);
    EXPECT_EQ(artel_feb_read_fe(&word), 14u);
}

TEST(c_future, all_who_wait_get_the_value)
{
    for (int round = 0; round < 50; ++round) {
        artel_future f = ARTEL_FUTURE_INIT;
        EXPECT_EQ(artel_future_is_ready(&f), 0);
        void* got = nullptr;
        EXPECT_EQ(artel_future_get_until(&f, artel_now() + milliseconds, &got), ETIMEDOUT);
        std::atomic<int> number{0};
        int value = 5;
        on_light_threads(10, [&] {
            if (number++ == 5) {
                artel_future_set(&f, &value);
            } else {
                EXPECT_EQ(artel_future_get(&f), &value);
            }
        });
        EXPECT_EQ(artel_future_is_ready(&f), 1);
        EXPECT_EQ(artel_future_get_until(&f, 0, &got), 0);
        EXPECT_EQ(got, &value);
        artel_future_init(&f);
        EXPECT_EQ(artel_future_is_ready(&f), 0);
    }
}

TEST(c_future, a_function_gives_it_what_it_returns)
{
    struct call {
        artel_future result = ARTEL_FUTURE_INIT;
        int n = 0;
    };
    std::vector<call> calls(200);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i].n = static_cast<int>(i);
        EXPECT_EQ(artel_async(
                      &calls[i].result,
                      [](void* c) -> void* {
                          artel_yield();
                          return &static_cast<call*>(c)->n;
                      },
                      &calls[i]),
                  0);
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
        EXPECT_EQ(*static_cast<int*>(artel_future_get(&calls[i].result)), static_cast<int>(i));
    }
}
