// syncvar_t: 60 bits of data with their full/empty state in one word. Bit 0 is a lock, bit 1 says
// that there are waiters, bit 2 that it is empty; the data is in the bits above. Waiters are queued
// in the table of full/empty words. The layout is fixed by the binary interface: an all-zero word
// is full and 0.
#pragma once

#include "sched/feb_table.hpp"
#include "sched/stream.hpp"

#include <atomic>
#include <cstdint>

namespace artel::qthreads {

struct syncvar {
    std::atomic<std::uint64_t> word;
};
static_assert(sizeof(syncvar) == 8);

bool is_full(const syncvar& v) noexcept;
void empty(syncvar& v) noexcept;
void fill(syncvar& v) noexcept;
void write_f(syncvar& v, std::uint64_t value) noexcept;
std::uint64_t add_f(syncvar& v, std::uint64_t by) noexcept;  // returns the sum
// As those of sched/feb_table.hpp.
bool call_when_full(syncvar& v, sched::feb::callback& place) noexcept;

// The unit, if this waiter is one that waits for a syncvar; else nullptr.
const sched::unit* waiting_for_syncvar(const artel::detail::feb_waiter& w) noexcept;

}  // namespace artel::qthreads
