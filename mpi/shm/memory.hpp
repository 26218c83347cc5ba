// The memory that the ranks of one node share: an anonymous file mapped by all of them, divided
// into a head and one area per rank.
//
// Nothing is left behind, whoever is killed when: the file is a memfd, or an unnamed file
// (O_TMPFILE) of a directory such as /dev/shm, which the others open through /proc/<pid>/fd. Only
// ranks in different process-number namespaces need a name; it is 128 random bits, made with O_EXCL
// and mode 0600, and removed when all have mapped it. Pages are reserved with fallocate before
// anybody touches them, so that lack of memory is an error of a system call and not SIGBUS; and
// each rank reserves its own area, so that the pages come from its own NUMA node. That replaces
// first touch: a file's pages belong to whoever allocates them, and one fallocate by rank 0 would
// put all of them on rank 0's node. (docs/mpi-performance.md has what was measured of MADV_RANDOM
// and read-ahead.) All functions are for the single thread that sets a communicator up. They block
// for as long as the system calls take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace artel::shm {

// How the others find the file. Travels between processes: plain data.
struct ticket {
    std::int32_t error = 0;  // errno of the creator's failure; 0: the rest is valid
    std::int32_t pid = 0;    // of the creating thread
    std::int32_t descriptor = -1;
    std::uint32_t named = 0;
    std::uint64_t bytes = 0;
    // stands at the beginning of the file, so that a wrong file is noticed.
    std::uint64_t token[2] = {};
    char path[96] = {};  // when named
};

struct placement {
    std::size_t pages = 0;      // of the area looked at
    std::size_t at_home = 0;    // on the wanted node
    std::size_t elsewhere = 0;  // on another; the rest could not be told
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

    // Makes a file of so many bytes, all holes but the first page, and maps it. `directory` is for
    // sort::directory. Throws std::system_error.
    static memory create(sort s, const std::string& directory, bool named, std::size_t bytes);

    // Maps the file that a ticket tells of. Throws std::system_error.
    static memory attach(const ticket& t);

    const ticket& own_ticket() const noexcept { return ticket_; }

    // Allocates the pages of [offset, offset + bytes) on NUMA node `node` (-1: wherever the kernel
    // likes) and maps them; `huge` asks for transparent huge pages. Throws std::system_error
    // (ENOSPC, ENOMEM).
    void reserve(std::size_t offset, std::size_t bytes, int node, bool huge);

    // The same later, when the file is closed (settle): by writing to the pages. Throws
    // std::system_error, also where the kernel cannot do it (before 5.14) without the danger of
    // SIGBUS.
    void reserve_late(std::size_t offset, std::size_t bytes, int node, bool huge);

    // Where the pages of a range really are; all of it must have been allocated, by whomever.
    placement where(std::size_t offset, std::size_t bytes, int node) const;

    // The same, after pages that lie elsewhere have been moved or, where the kernel does not move
    // them and the file is still open, given back and taken anew, as zeros. So before anybody uses
    // the range, or has mapped it but the caller. `huge` as in reserve(). Throws std::system_error
    // when there is no memory to take anew.
    placement bring_home(std::size_t offset, std::size_t bytes, int node, bool huge);

    // Everybody has mapped it: the descriptor is closed, the name removed.
    void settle() noexcept;

    std::byte* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

    // Takes MADV_RANDOM as the paper does while the segment is initialised, for the experiments,
    // and takes it back; of no use otherwise.
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
