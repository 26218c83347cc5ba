// Copies into memory that the ranks share, and out of it. In the models (x_model.cpp) these are where the reads and writes are followed.
#pragma once

#include "coll/rest.hpp"

namespace artel::coll {

#if defined(ARTEL_MODEL)
void copy_to_shared(std::byte* shared, const void* from, std::size_t bytes) noexcept;
void copy_from_shared(void* to, const std::byte* shared, std::size_t bytes) noexcept;
#else
inline void copy_to_shared(std::byte* shared, const void* from, std::size_t bytes) noexcept
{
    copy_small(shared, from, bytes);
}
inline void copy_from_shared(void* to, const std::byte* shared, std::size_t bytes) noexcept
{
    copy_small(to, shared, bytes);
}
#endif

}  // namespace artel::coll
