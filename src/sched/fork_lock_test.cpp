// What the child of a fork finds: free locks and complete data, wherever other threads were at the
// fork.
#include "sched/fork_lock.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace artel::sched {
namespace {

// What a test does between the first handlers of a fork and the copying of the process.
void (*during_fork)() = nullptr;
void other_handlers()
{
    if (during_fork != nullptr) {
        during_fork();
    }
}

// Twice, as by several interfaces, of which one may be loaded without another.
[[maybe_unused]] const std::array<int, 3> fork_handlers = {
    ::pthread_atfork(other_handlers, nullptr, nullptr),
    ::pthread_atfork(fork_exclusion::begin_fork, fork_exclusion::end_fork,
                     fork_exclusion::end_fork_in_child),
    ::pthread_atfork(fork_exclusion::begin_fork, fork_exclusion::end_fork,
                     fork_exclusion::end_fork_in_child),
};

fork_lock lock;
// They differ only while the lock is held. volatile: the two writes are not to become one.
volatile unsigned one = 0;
volatile unsigned other = 0;

void change()
{
    const std::scoped_lock hold(lock);
    one = one + 1;
    other = other + 1;
}

enum finding : int { well, lock_is_taken, lock_is_free, data_is_incomplete };

int status_of(pid_t child)
{
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int what_is_found()
{
    if (!lock.try_lock()) {
        return lock_is_taken;
    }
    const bool complete = one == other;
    lock.unlock();
    return complete ? well : data_is_incomplete;
}

// In a child and in one of its own, which shows that it can fork.
int what_children_find()
{
    ::alarm(60);
    const int found = what_is_found();
    const pid_t later = ::fork();
    if (later == 0) {
        ::_exit(what_is_found());
    }
    return found != well ? found : status_of(later);
}

int found_in_a_child()
{
    const pid_t child = ::fork();
    if (child == 0) {
        during_fork = nullptr;
        ::_exit(what_children_find());
    }
    return status_of(child);
}

TEST(fork_lock, is_free_with_complete_data_in_children)
{
    std::atomic<bool> stop{false};
    std::array<std::thread, 4> users;
    for (std::thread& user : users) {
        user = std::thread([&] {
            while (!stop.load(std::memory_order_relaxed)) {  // relaxed: seen some time
                change();
            }
        });
    }
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(found_in_a_child(), well) << "fork " << i;
    }
    stop.store(true, std::memory_order_relaxed);  // relaxed: as above
    for (std::thread& user : users) {
        user.join();
    }
}

TEST(fork_lock, is_held_in_a_child_of_its_holder)
{
    lock.lock();
    const pid_t child = ::fork();
    if (child == 0) {
        const bool held = !lock.try_lock();
        lock.unlock();
        ::_exit(held ? what_children_find() : lock_is_free);
    }
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
    EXPECT_EQ(status_of(child), well);
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// A thread that takes the lock while another forks, instruction by instruction: the processor traps
// after each one, and the handler holds the thread at the one that the test asks for.
class stepping_user {
public:
    explicit stepping_user(unsigned stop_at)
    {
        to_go = stop_at;
        begins = false;
        stands = false;
        goes_on = false;
        catch_traps(before_);
        user_ = std::thread([] {
            wait_for(begins);
            begin_stepping();
            change();
            end_stepping();
        });
        during_fork = [] {
            begins = true;
            wait_for(stands);
        };
    }
    stepping_user(const stepping_user&) = delete;
    stepping_user& operator=(const stepping_user&) = delete;
    ~stepping_user()
    {
        during_fork = nullptr;
        goes_on = true;
        user_.join();
        ::sigaction(SIGTRAP, &before_, nullptr);
    }

    // Not under every emulator.
    static bool processor_traps()
    {
        struct sigaction before{};
        catch_traps(before);
        to_go = 1000;
        begin_stepping();
        end_stepping();
        ::sigaction(SIGTRAP, &before, nullptr);
        return to_go != 1000;
    }

private:
    static void catch_traps(struct sigaction& before)
    {
        struct sigaction action{};
        action.sa_handler = after_instruction;
        ::sigaction(SIGTRAP, &action, &before);
    }
    // Below the red zone. 0x100: the trap flag.
    static void begin_stepping()
    {
        asm volatile(
            "lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq;"
            "lea 128(%%rsp), %%rsp" ::
                : "memory", "cc");
    }
    static void end_stepping()
    {
        asm volatile(
            "lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq;"
            "lea 128(%%rsp), %%rsp" ::
                : "memory", "cc");
    }
    static void wait_for(const std::atomic<bool>& flag)
    {
        while (!flag) {
            base::os::yield();
        }
    }
    static void after_instruction(int)
    {
        if (to_go != 0 && --to_go == 0) {
            stands = true;
            wait_for(goes_on);
        }
    }

    static inline std::atomic<unsigned> to_go;
    static inline std::atomic<bool> begins;
    static inline std::atomic<bool> stands;
    static inline std::atomic<bool> goes_on;

    struct sigaction before_{};
    std::thread user_;
};

// It waits for the fork after some 50 instructions, and goes round in that wait.
TEST(fork_lock, is_free_in_children_forked_at_each_instruction_of_its_taking)
{
    if (!stepping_user::processor_traps()) {
        GTEST_SKIP() << "no trap after an instruction here";
    }
    for (unsigned i = 1; i <= 200; ++i) {
        const stepping_user user(i);
        ASSERT_EQ(found_in_a_child(), well) << "after " << i << " instructions";
    }
}

#endif

}  // namespace
}  // namespace artel::sched
