// Code that may block its OS thread, and system calls that do. Meanwhile the qthread has no
// shepherd, and the other qthreads of its worker run on another OS thread.
#include "sched/stream.hpp"
#include "task.hpp"

#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Not inlined: errno belongs to the OS thread, and the compiler would keep its address across the
// switch.
[[gnu::noinline]] int error_number() noexcept
{
    asm volatile("" ::: "memory");
    return errno;
}
[[gnu::noinline]] void set_error_number(int error) noexcept
{
    asm volatile("" ::: "memory");
    errno = error;
}

// Does nothing when the program itself has declared that it blocks: that ends when the program says
// so.
struct blocking {
    bool begun = artel::qthreads::own_stream() != nullptr;

    blocking() noexcept
    {
        if (begun) {
            artel::sched::begin_to_block();
        }
    }
    ~blocking()
    {
        if (begun) {
            const int error = error_number();
            artel::sched::end_to_block();
            set_error_number(error);
        }
    }
};

}  // namespace

extern "C" {

void qt_begin_blocking_action(void)
{
    if (artel::qthreads::self() != nullptr) {
        artel::sched::begin_to_block();
    }
}
void qt_end_blocking_action(void)
{
    if (artel::qthreads::self() != nullptr) {
        artel::sched::end_to_block();
    }
}
int qt_accept(int socket, struct sockaddr* address, socklen_t* length)
{
    const blocking scope;
    return ::accept(socket, address, length);
}
int qt_connect(int socket, const struct sockaddr* address, socklen_t length)
{
    const blocking scope;
    return ::connect(socket, address, length);
}
int qt_poll(struct pollfd* files, nfds_t count, int timeout)
{
    const blocking scope;
    return ::poll(files, count, timeout);
}
ssize_t qt_pread(int file, void* to, size_t bytes, off_t offset)
{
    const blocking scope;
    return ::pread(file, to, bytes, offset);
}
ssize_t qt_pwrite(int file, const void* from, size_t bytes, off_t offset)
{
    const blocking scope;
    return ::pwrite(file, from, bytes, offset);
}
ssize_t qt_read(int file, void* to, size_t bytes)
{
    const blocking scope;
    return ::read(file, to, bytes);
}
int qt_select(int count, fd_set* readable, fd_set* writable, fd_set* wrong, struct timeval* timeout)
{
    const blocking scope;
    return ::select(count, readable, writable, wrong, timeout);
}
int qt_system(const char* command)
{
    const blocking scope;
    return std::system(command);
}
pid_t qt_wait4(pid_t process, int* status, int options, struct rusage* usage)
{
    const blocking scope;
    return ::wait4(process, status, options, usage);
}
ssize_t qt_write(int file, const void* from, size_t bytes)
{
    const blocking scope;
    return ::write(file, from, bytes);
}
}
