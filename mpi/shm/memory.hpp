// The memory that the ranks of one node share: an anonymous file mapped by all of them, divided
// into a head and one area per rank.
//
// Nothing is left behind, even if ranks are killed: the file is a memfd, or an unnamed file
// (O_TMPFILE) of a directory such as /dev/shm, which the others open through /proc/<pid>/fd. Only
// ranks in different process-number namespaces need a name; it is 128 random bits, made with O_EXCL
// and mode 0600, and removed when all have mapped it. Pages are reserved with fallocate before they
// are touched, so that lack of memory is an error of a system call and not SIGBUS; and each rank
// reserves its own area, so that the pages come from its own NUMA node. That replaces first touch:
// a file's pages belong to the process that allocates them, and one fallocate by rank 0 would put
// all of them on rank 0's node. (docs/mpi-performance.md has measurements of MADV_RANDOM and
// read-ahead.) All functions are for the single thread that sets a communicator up. They block for
// as long as the system calls take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace artel::shm {

// How the others find the file. Sent between processes: plain data.
struct ticket {
    std::int32_t error = 0;  // errno of the creator's failure; 0: the rest is valid
    std::int32_t pid = 0;    // of the creating thread
    std::int32_t descriptor = -1;
    std::uint32_t named = 0;
    std::uint64_t bytes = 0;
    // stored at the beginning of the file, so that a wrong file is noticed.
    std::uint64_t token[2] = {};
    char path[96] = {};  // when named
};

struct placement {
    std::size_t pages = 0;      // of the area looked at
    std::size_t at_home = 0;    // on the wanted node
    std::size_t elsewhere = 0;  // on another; of the remaining pages the node is not known
};

class memory {
public:
    enum class sort { memfd, directory };

    memory() = default;
    ~memory();
    memory(memory&& other) noexcept;
    memory& operator=(memory&& other) noexcept;
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;

    // Makes a file of `bytes`, all holes except the first page, and maps it. `directory` is for
    // sort::directory. Throws std::system_error.
    static memory create(sort s, const std::string& directory, bool named, std::size_t bytes);

    // Maps the file that a ticket describes. Throws std::system_error.
    static memory attach(const ticket& t);

    const ticket& own_ticket() const noexcept { return ticket_; }

    // Allocates the pages of [offset, offset + bytes) on NUMA node `node` (-1: on any node) and
    // maps them; `huge` asks for transparent huge pages. Throws std::system_error (ENOSPC, ENOMEM).
    void reserve(std::size_t offset, std::size_t bytes, int node, bool huge);

    // The same later, when the file is closed (settle): by writing to the pages. Throws
    // std::system_error, also where the kernel cannot do it (before 5.14) without the danger of
    // SIGBUS.
    void reserve_late(std::size_t offset, std::size_t bytes, int node, bool huge);

    // Where the pages of a range are; all of it must have been allocated, by any rank.
    placement where(std::size_t offset, std::size_t bytes, int node) const;

    // The same, after moving pages that are elsewhere. Where the kernel does not move them and the
    // file is still open, they are freed and allocated anew, as zeros; so this is called before any
    // rank uses the range, or any but the caller has mapped it. `huge` as in reserve(). Throws
    // std::system_error when there is no memory for the new pages.
    placement bring_home(std::size_t offset, std::size_t bytes, int node, bool huge);

    // All ranks have mapped it: closes the descriptor and removes the name.
    void settle() noexcept;

    std::byte* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

    // Sets and resets MADV_RANDOM, as the paper does while the segment is initialised; only for the
    // experiments.
    void advise_random(bool on) const noexcept;

private:
    void map();
    void prefer_node(std::size_t offset, std::size_t bytes, int node) const noexcept;

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    int file_ = -1;
    bool creator_ = false;
    ticket ticket_;
};

std::size_t page_size() noexcept;

inline std::size_t round_up(std::size_t n, std::size_t unit) noexcept
{
    return (n + unit - 1) / unit * unit;
}

}  // namespace artel::shm
