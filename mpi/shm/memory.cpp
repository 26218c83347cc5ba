// The file: made with or without a name, opened by the other ranks, recognised by its token,
// mapped, and its pages reserved. Where pages lie, and moving them, is in placement.cpp.
#include "shm/memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace artel::shm {
namespace {

[[noreturn]] void fail(int error, const std::string& what)
{
    throw std::system_error(error, std::generic_category(), what);
}

int checked(int result, const char* what)
{
    if (result < 0) {
        fail(errno, what);
    }
    return result;
}

void make_token(ticket& t)
{
    if (::getrandom(t.token, sizeof t.token, 0) != static_cast<ssize_t>(sizeof t.token)) {
        fail(errno, "getrandom");
    }
}

std::string secret_name(const std::string& directory, const ticket& t)
{
    char name[48];
    std::snprintf(name, sizeof name, "/artel-%016llx%016llx",
                  static_cast<unsigned long long>(t.token[0]),
                  static_cast<unsigned long long>(t.token[1]));
    return directory + name;
}

// Beyond the limit the kernel not only refuses, but also sends SIGXFSZ, which ends a program.
void check_file_size(std::size_t bytes)
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        bytes > limit.rlim_cur) {
        fail(EFBIG, "the limit of file sizes (ulimit -f)");
    }
}

// A file without a name. Some file systems (overlayfs) need a name for a moment.
int open_unnamed(const std::string& directory, const ticket& t)
{
    const int file = ::open(directory.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) {
        return checked(file, directory.c_str());
    }
    const std::string name = secret_name(directory, t);
    const int named = checked(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600),
                              name.c_str());
    ::unlink(name.c_str());
    return named;
}

// Replaces fallocate on file systems that do not have it.
void write_zeros(int file, std::size_t offset, std::size_t bytes)
{
    const std::vector<char> zeros(std::size_t{1} << 20);
    while (bytes > 0) {
        const ssize_t n = ::pwrite(file, zeros.data(), std::min(bytes, zeros.size()),
                                   static_cast<off_t>(offset));
        if (n <= 0) {
            fail(n == 0 ? EIO : errno, "writing the shared file");
        }
        offset += static_cast<std::size_t>(n);
        bytes -= static_cast<std::size_t>(n);
    }
}

void allocate(int file, std::size_t offset, std::size_t bytes)
{
    while (::fallocate(file, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) != 0) {
        if (errno == EOPNOTSUPP || errno == ENOSYS) {
            write_zeros(file, offset, bytes);
            return;
        }
        if (errno != EINTR) {
            fail(errno, "reserving shared memory");
        }
    }
}

}  // namespace

std::size_t page_size() noexcept
{
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

memory::memory(memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(other.size_),
      file_(std::exchange(other.file_, -1)), creator_(std::exchange(other.creator_, false)),
      ticket_(other.ticket_)
{}

memory& memory::operator=(memory&& other) noexcept
{
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(file_, other.file_);
    std::swap(creator_, other.creator_);
    std::swap(ticket_, other.ticket_);
    return *this;
}

memory::~memory()
{
    settle();
    if (data_ != nullptr) {
        ::munmap(data_, size_);
    }
}

memory memory::create(sort s, const std::string& directory, bool named, std::size_t bytes)
{
    check_file_size(bytes);
    memory m;
    ticket& t = m.ticket_;
    make_token(t);
    if (named) {
        const std::string name = secret_name(directory, t);
        if (name.size() >= sizeof t.path) {
            fail(ENAMETOOLONG, directory);
        }
        std::memcpy(t.path, name.c_str(), name.size() + 1);
        m.file_ = checked(::open(t.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), t.path);
        m.creator_ = true;
    } else if (s == sort::directory) {
        m.file_ = open_unnamed(directory, t);
    } else {
        m.file_ = checked(::memfd_create("artel", MFD_CLOEXEC), "memfd_create");
        checked(::fchmod(m.file_, 0600), "fchmod");
    }
    // The token in the file differs from the one in its name, which other users can see.
    make_token(t);
    t.named = named ? 1 : 0;
    // This thread's number: when the first thread has ended, /proc shows no files under the
    // process's number.
    t.pid = ::gettid();
    t.descriptor = m.file_;
    t.bytes = bytes;
    checked(::ftruncate(m.file_, static_cast<off_t>(bytes)), "ftruncate");
    m.map();
    m.reserve(0, page_size(), -1, false);
    std::memcpy(m.data_, t.token, sizeof t.token);
    return m;
}

memory memory::attach(const ticket& t)
{
    memory m;
    m.ticket_ = t;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", t.pid, t.descriptor);
    const char* name = t.named != 0 ? t.path : path;
    m.file_ = checked(::open(name, O_RDWR | O_CLOEXEC), name);
    struct stat now{};
    checked(::fstat(m.file_, &now), "fstat");
    if (!S_ISREG(now.st_mode) || static_cast<std::uint64_t>(now.st_size) != t.bytes) {
        fail(ESTALE, name);
    }
    m.map();
    if (std::memcmp(m.data_, t.token, sizeof t.token) != 0) {
        fail(ESTALE, name);
    }
    return m;
}

void memory::map()
{
    size_ = ticket_.bytes;
    void* const at = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (at == MAP_FAILED) {
        fail(errno, "mmap");
    }
    data_ = static_cast<std::byte*>(at);
    // A forked child of a rank does not need it; and copying our page tables would cost every fork.
    ::madvise(data_, size_, MADV_DONTFORK);
    // Where the machine uses huge pages for all shared memory, one would span the areas of several
    // ranks, and lie on the node of the first of them.
    ::madvise(data_, size_, MADV_NOHUGEPAGE);
}

void memory::reserve(std::size_t offset, std::size_t bytes, int node, bool huge)
{
    if (huge) {
        ::madvise(data_ + offset, bytes, MADV_HUGEPAGE);
    }
    prefer_node(offset, bytes, node);
    // Makes page tables now rather than in the first messages; and before fallocate, which does not
    // check whether the mapping wants huge pages. Where a touch would raise SIGBUS this is an
    // error, and fallocate then gives the reason. Older kernels lack it (before 5.14).
#ifdef MADV_POPULATE_WRITE
    if (::madvise(data_ + offset, bytes, MADV_POPULATE_WRITE) == 0) {
        return;
    }
#endif
    allocate(file_, offset, bytes);
    for (std::size_t i = 0; i < bytes; i += page_size()) {
        static_cast<void>(*reinterpret_cast<volatile unsigned char*>(data_ + offset + i));
    }
}

void memory::reserve_late(std::size_t offset, std::size_t bytes, int node, bool huge)
{
    if (huge) {
        ::madvise(data_ + offset, bytes, MADV_HUGEPAGE);
    }
    prefer_node(offset, bytes, node);
#ifdef MADV_POPULATE_WRITE
    while (::madvise(data_ + offset, bytes, MADV_POPULATE_WRITE) != 0) {
        if (errno != EINTR) {
            // EFAULT is returned where a touch would have raised SIGBUS.
            fail(errno == EFAULT ? ENOSPC : errno, "reserving shared memory");
        }
    }
#else
    fail(ENOTSUP, "reserving shared memory");
#endif
}

void memory::settle() noexcept
{
    if (creator_) {
        ::unlink(ticket_.path);
        creator_ = false;
    }
    if (file_ >= 0) {
        ::close(file_);
        file_ = -1;
    }
}

void memory::advise_random(bool on) const noexcept
{
    ::madvise(data_, size_, on ? MADV_RANDOM : MADV_NORMAL);
}

}  // namespace artel::shm
