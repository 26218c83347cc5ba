// What the tests of process crews share: counters in memory that all processes see.
#pragma once

#include <artel/process_crew.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::process_test {

using counter = std::atomic<std::uint32_t>;

inline counter* counters(process_crew& crew, std::size_t n)
{
    return static_cast<counter*>(crew.allocate_bytes(n * sizeof(counter), 64));
}

// relaxed throughout: for_each orders the workers' writes before what follows it
inline std::uint32_t value(const counter& c)
{
    return c.load(std::memory_order_relaxed);
}
inline void bump(counter& c)
{
    c.fetch_add(1, std::memory_order_relaxed);  // relaxed: as above
}

}  // namespace artel::process_test
