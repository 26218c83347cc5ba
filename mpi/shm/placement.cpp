// Finds where the pages of shared memory are, and moves them (shm/memory.hpp).
#include "shm/memory.hpp"

#include <cerrno>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace artel::shm {
namespace {

std::vector<void*> pages_of(std::byte* from, std::size_t bytes)
{
    std::vector<void*> pages;
    pages.reserve(bytes / page_size() + 1);
    for (std::size_t i = 0; i < bytes; i += page_size()) {
        pages.push_back(from + i);
    }
    return pages;
}

// The node of each page, or a negative number.
std::vector<int> nodes_of(const std::vector<void*>& pages)
{
    std::vector<int> nodes(pages.size(), -1);
    const auto ask = [&] {
        ::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, nodes.data(), 0);
    };
    ask();
    // The kernel knows only pages that this process has mapped. All are allocated by now, so
    // reading places none; but it takes longer than a query.
    bool unmapped = false;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (nodes[i] == -ENOENT) {
            static_cast<void>(*static_cast<volatile unsigned char*>(pages[i]));
            unmapped = true;
        }
    }
    if (unmapped) {
        ask();
    }
    return nodes;
}

placement counted(const std::vector<int>& nodes, int node)
{
    placement result;
    result.pages = nodes.size();
    for (const int n : nodes) {
        result.at_home += n == node ? 1 : 0;
        result.elsewhere += n >= 0 && n != node ? 1 : 0;
    }
    return result;
}

}  // namespace

// Asks for pages of this node; the kernel decides where they really come from, and where() returns
// that.
void memory::prefer_node(std::size_t offset, std::size_t bytes, int node) const noexcept
{
    constexpr std::size_t bits = 8 * sizeof(unsigned long);
    unsigned long mask[1024 / bits] = {};
    if (node < 0 || node >= 1024) {
        return;
    }
    mask[static_cast<std::size_t>(node) / bits] |= 1UL << (static_cast<std::size_t>(node) % bits);
    ::syscall(SYS_mbind, data_ + offset, bytes, MPOL_PREFERRED, mask, 1024UL, 0U);
}

placement memory::where(std::size_t offset, std::size_t bytes, int node) const
{
    return counted(nodes_of(pages_of(data_ + offset, bytes)), node);
}

placement memory::bring_home(std::size_t offset, std::size_t bytes, int node, bool huge)
{
    const std::vector<void*> pages = pages_of(data_ + offset, bytes);
    const std::vector<int> nodes = nodes_of(pages);
    placement found = counted(nodes, node);
    if (node < 0 || found.elsewhere == 0) {
        return found;
    }
    std::vector<void*> strays;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (nodes[i] >= 0 && nodes[i] != node) {
            strays.push_back(pages[i]);
        }
    }
    prefer_node(offset, bytes, node);  // also for pages that are swapped out and in again
    const std::vector<int> wanted(strays.size(), node);
    std::vector<int> outcome(strays.size(), -1);
    ::syscall(SYS_move_pages, 0, strays.size(), strays.data(), wanted.data(), outcome.data(),
              MPOL_MF_MOVE);
    found = where(offset, bytes, node);
    if (found.elsewhere != 0 && file_ >= 0 &&
        ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                    static_cast<off_t>(bytes)) == 0) {
        reserve(offset, bytes, node, huge);
        found = where(offset, bytes, node);
    }
    return found;
}

}  // namespace artel::shm
