// Memory that this process shares with children made by fork, with a choice of pages. Zeroed. It
// has no name, so the kernel frees it when the last process that has it ends, however it ends; the
// destructor frees it, too.
#pragma once

#include <cstddef>

namespace artel::lab {

enum class page_kind { small, huge };

class shared_memory {
public:
    // 0 bytes give no memory. Throws refused (workload.hpp) with the reason and what would help.
    explicit shared_memory(std::size_t bytes, page_kind pages = page_kind::small);
    shared_memory(const shared_memory&) = delete;
    shared_memory& operator=(const shared_memory&) = delete;
    ~shared_memory();

    void* data() const noexcept { return data_; }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t value, std::size_t unit) noexcept
{
    return (value + unit - 1) / unit * unit;
}

}  // namespace artel::lab
