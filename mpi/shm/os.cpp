// Linux system calls behind os.hpp.
#include "shm/os.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace artel::shm {
namespace {

class errno_keeper {
public:
    errno_keeper() : saved_(errno) {}
    ~errno_keeper() { errno = saved_; }
    errno_keeper(const errno_keeper&) = delete;
    errno_keeper& operator=(const errno_keeper&) = delete;

private:
    int saved_;
};

// The kernel copies at most 2 GiB per call; larger pieces would also delay signals for long.
constexpr std::size_t largest_piece = std::size_t{1} << 28;

// A living thread of a process whose first thread has ended: the memory is no longer found under
// the process's own number. 0 if there is none.
pid_t other_thread(pid_t pid) noexcept
{
    char path[40];
    std::snprintf(path, sizeof path, "/proc/%ld/task", static_cast<long>(pid));
    pid_t found = 0;
    if (DIR* const folder = ::opendir(path); folder != nullptr) {
        for (const dirent* e = ::readdir(folder); e != nullptr && found == 0;
             e = ::readdir(folder)) {
            const pid_t thread = std::atoi(e->d_name);
            found = thread != pid ? thread : 0;
        }
        ::closedir(folder);
    }
    return found;
}

template <typename Call>
int in_pieces(pid_t pid, std::uint64_t remote, std::uintptr_t local, std::size_t bytes, Call call)
{
    const errno_keeper keep;
    bool first = true;
    for (std::size_t moved = 0; moved < bytes;) {
        const std::size_t piece = std::min(bytes - moved, largest_piece);
        const iovec here{reinterpret_cast<void*>(local + moved), piece};
        const iovec there{reinterpret_cast<void*>(static_cast<std::uintptr_t>(remote + moved)),
                          piece};
        const ssize_t n = call(pid, here, there);
        if (n > 0) {
            moved += static_cast<std::size_t>(n);
        } else if (n == 0) {
            return EIO;
        } else if (const pid_t other = errno == ESRCH && first ? other_thread(pid) : 0;
                   other != 0) {
            pid = other;
            first = false;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

}  // namespace

void futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t microseconds) noexcept
{
    const errno_keeper keep;
    const timespec timeout{static_cast<time_t>(microseconds / 1000000),
                           static_cast<long>(microseconds % 1000000 * 1000)};
    ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &timeout, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word) noexcept
{
    const errno_keeper keep;
    ::syscall(SYS_futex, &word, FUTEX_WAKE, 1 << 30, nullptr, nullptr, 0);
}

bool register_for_heavy_fence() noexcept
{
    const errno_keeper keep;
    return ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

void heavy_fence() noexcept
{
    const errno_keeper keep;
    if (::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) != 0) {
        // seq_cst: at least the caller's half of the fence; in place of the other half there is the
        // sleeper's time-out.
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
}

int copy_from_process(pid_t pid, void* to, std::uint64_t from, std::size_t bytes) noexcept
{
    return in_pieces(pid, from, reinterpret_cast<std::uintptr_t>(to), bytes,
                     [](pid_t of, const iovec& here, const iovec& there) {
                         return ::process_vm_readv(of, &here, 1, &there, 1, 0);
                     });
}

int copy_to_process(pid_t pid, std::uint64_t to, const void* from, std::size_t bytes) noexcept
{
    return in_pieces(pid, to, reinterpret_cast<std::uintptr_t>(from), bytes,
                     [](pid_t of, const iovec& here, const iovec& there) {
                         return ::process_vm_writev(of, &here, 1, &there, 1, 0);
                     });
}

namespace {

struct process_look {
    std::uint64_t start = 0;  // 0: unknown
    bool gone = false;        // certain: there is no process of that number, or a zombie
};

process_look look_at(pid_t pid) noexcept
{
    const errno_keeper keep;
    char path[40];
    std::snprintf(path, sizeof path, "/proc/%ld/stat", static_cast<long>(pid));
    char text[1024];
    ssize_t n = -1;
    if (const int file = ::open(path, O_RDONLY | O_CLOEXEC); file >= 0) {
        n = ::read(file, text, sizeof text - 1);
        ::close(file);
    }
    if (n <= 0) {
        // The file cannot be opened (no descriptors left, no memory, no /proc), which does not mean
        // that the process has died.
        return {0, ::kill(pid, 0) != 0 && errno == ESRCH};
    }
    text[n] = '\0';
    // "pid (name) state ...": the name may contain anything, so fields are counted from its closing
    // bracket: state is 3, the number of threads 20, the start time 22.
    const char* at = std::strrchr(text, ')');
    if (at == nullptr || at[1] != ' ') {
        return {};
    }
    at += 2;
    const char state = *at;
    std::uint64_t threads = 0;
    for (int field = 4; field <= 22 && at != nullptr; ++field) {
        at = std::strchr(at + 1, ' ');
        threads = at != nullptr && field == 20 ? std::strtoull(at, nullptr, 10) : threads;
    }
    // A program whose main() ended by pthread_exit() has the state of a zombie, but still runs.
    if (state == 'X' || (state == 'Z' && threads < 2)) {
        return {0, true};
    }
    return {at == nullptr ? 0 : std::strtoull(at, nullptr, 10), false};
}

}  // namespace

std::uint64_t process_start(pid_t pid) noexcept
{
    return look_at(pid).start;
}

bool has_ended(pid_t pid, std::uint64_t start) noexcept
{
    const process_look seen = look_at(pid);
    return seen.gone || (start != 0 && seen.start != 0 && seen.start != start);
}

}  // namespace artel::shm
