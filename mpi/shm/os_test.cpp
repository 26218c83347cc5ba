// Whether another process lives, also when the caller cannot check.
#include "shm/os.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace artel;

// A process that waits to be killed.
class other_process {
public:
    other_process() : pid_(::fork())
    {
        if (pid_ == 0) {
            for (;;) {
                ::pause();
            }
        }
    }
    ~other_process()
    {
        die();
        ::waitpid(pid_, nullptr, 0);
    }
    other_process(const other_process&) = delete;
    other_process& operator=(const other_process&) = delete;

    pid_t pid() const { return pid_; }
    // And stays a zombie.
    void die()
    {
        ::kill(pid_, SIGKILL);
        siginfo_t seen;
        ::waitid(P_PID, static_cast<id_t>(pid_), &seen, WEXITED | WNOWAIT);
    }

private:
    pid_t pid_;
};

// Nothing can be opened while it lives.
class no_descriptors {
public:
    no_descriptors()
    {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit none = before_;
        none.rlim_cur = 0;
        ::setrlimit(RLIMIT_NOFILE, &none);
    }
    ~no_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    no_descriptors(const no_descriptors&) = delete;
    no_descriptors& operator=(const no_descriptors&) = delete;

private:
    rlimit before_{};
};

TEST(Process, LivesUntilItHasEnded)
{
    other_process other;
    const std::uint64_t start = shm::process_start(other.pid());
    EXPECT_NE(start, 0u);
    EXPECT_FALSE(shm::has_ended(other.pid(), start));
    EXPECT_FALSE(shm::has_ended(other.pid(), 0)) << "its start is not known";
    EXPECT_TRUE(shm::has_ended(other.pid(), start + 1)) << "another one of that number";
    other.die();
    EXPECT_TRUE(shm::has_ended(other.pid(), start)) << "a zombie";
}

// Waits until the system reports the process as a zombie.
void wait_for_zombie(pid_t pid)
{
    for (std::string text; text.find(") Z") == std::string::npos;) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::getline(file, text);
    }
}

// Also its memory can still be copied, though not under its first thread's number.
TEST(Process, LivesOnWithoutItsFirstThread)
{
    static std::uint64_t number = 5;
    const pid_t pid = ::fork();
    if (pid == 0) {
        number = 7;
        std::thread([] {
            for (;;) {
                ::pause();
            }
        }).detach();
        ::syscall(SYS_exit, 0);
    }
    wait_for_zombie(pid);
    const std::uint64_t start = shm::process_start(pid);
    EXPECT_NE(start, 0u);
    EXPECT_FALSE(shm::has_ended(pid, start));
    std::uint64_t seen = 0;
    EXPECT_EQ(
        shm::copy_from_process(pid, &seen, reinterpret_cast<std::uintptr_t>(&number), sizeof seen),
        0);
    EXPECT_EQ(seen, 7u);
    ::kill(pid, SIGKILL);
    siginfo_t ended;
    ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT);
    EXPECT_TRUE(shm::has_ended(pid, start));
    ::waitpid(pid, nullptr, 0);
}

TEST(Process, LivesThoughNothingCanBeOpened)
{
    other_process other;
    const std::uint64_t start = shm::process_start(other.pid());
    const no_descriptors none;
    ASSERT_LT(::open("/proc/self/stat", O_RDONLY | O_CLOEXEC), 0);
    EXPECT_FALSE(shm::has_ended(other.pid(), start));
}

TEST(Process, OneThatIsGoneIsGoneThoughNothingCanBeOpened)
{
    pid_t gone = 0;
    {
        const other_process other;
        gone = other.pid();
    }
    const no_descriptors none;
    EXPECT_TRUE(shm::has_ended(gone, 1));
}

}  // namespace
