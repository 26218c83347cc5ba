// The memory that a process_crew, its fork server and its workers share, and the rules by which any
// of them may be killed at any instruction without harm to the others.
//
// There is no lock in it. The truth about an index is its status byte: "done" and "failed" are
// final, everything else is pending, and the program starts another pass over the range until
// nothing is pending. All the rest only says where to look:
//
// - `claims`: which indices of the current pass nobody has claimed. A worker that dies after
//   claiming some leaves them pending.
// - `slot.current`: the index that the worker in the slot is executing; blamed when it dies.
// - `slot.finished`: the pass in which this worker found nothing left to claim.
//
// A pass ends when every slot has finished it. The fork server clears `finished` before it puts a
// new worker into the slot of a dead one, so that the program waits for the newcomer. A worker that
// died after it had finished may be replaced when the program is already preparing the next pass;
// the newcomer may then still see the old pass. It cannot do harm: a claim is a compare-exchange of
// a word that holds the pass's number too, and the program changes that word before it touches
// anything that a claim entitles to read.
#pragma once

#include <artel/process_crew.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <sys/types.h>

namespace artel::process {

// Indices of one run, at most: longer ranges are run in pieces. Status bytes for that many are
// address space; memory follows use.
inline constexpr std::uint64_t most_indices = std::uint64_t{1} << 26;

// Values of status bytes; those between are the number of failed attempts at a pending index.
inline constexpr std::uint8_t untouched = 0, failed = 254, done = 255;

inline constexpr std::size_t most_failures = 1024;

struct failure_record {
    std::atomic<std::uint32_t> ready;  // 1 when the rest is written; a worker may die while writing
    std::uint32_t attempt;
    std::int32_t signal, exit_status;
    std::uint64_t index;
    std::uint8_t given_up;
    std::array<char, 479> what;  // cut to that, with its final zero
};

struct alignas(128) worker_slot {
    std::atomic<std::int32_t> pid;
    std::atomic<std::uint32_t> finished;  // number of the last pass
    std::atomic<std::uint32_t> vacant;    // 1 while the system refuses a process for it
    std::atomic<std::uint64_t> current;   // execution_word of what it executes, 0 for nothing
};

struct alignas(128) control_block {
    // Pass number in the upper 24 bits, next index to claim in the lower 40. Closed: the lower part
    // is all ones.
    std::atomic<std::uint64_t> claims;
    alignas(128) std::atomic<std::uint32_t> pass;    // workers wait for it to change
    std::atomic<std::uint32_t> stop;                 // the crew is being destroyed
    alignas(128) std::atomic<std::uint32_t> events;  // the program waits for it to change
    // errno of fork, when no worker is left and none can be made.
    std::atomic<std::int32_t> broken;
    std::atomic<std::uint64_t> workers_lost;
    std::atomic<std::uint64_t> failure_count;
    std::atomic<std::uint64_t> arena_used;

    // The job; written while claims are closed.
    std::uint64_t first, count, grain;
    std::uint32_t tries;
    void (*call)(const void*, std::uint64_t);
    alignas(std::max_align_t) std::array<unsigned char, detail::process_function_bytes> function;

    std::array<failure_record, most_failures> failures;
};

// Pointers into the shared mapping; the same in all processes.
struct shared_view {
    control_block* control;
    worker_slot* slots;
    std::atomic<std::uint8_t>* status;
    unsigned workers;
};

inline constexpr unsigned index_bits = 40;
inline constexpr std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;

constexpr std::uint64_t claim_word(std::uint32_t pass, std::uint64_t next) noexcept
{
    return std::uint64_t{pass} << index_bits | next;
}
constexpr std::uint32_t pass_of(std::uint64_t claims) noexcept
{
    return static_cast<std::uint32_t>(claims >> index_bits);
}

// An index and, in the top byte, the failed attempts at it before this one: the process that blames
// a dead worker sees by the status whether this attempt was counted.
inline constexpr unsigned attempts_at = 56;
constexpr std::uint64_t execution_word(std::uint64_t index, std::uint8_t attempts) noexcept
{
    return (index + 1) | std::uint64_t{attempts} << attempts_at;
}
constexpr std::uint64_t index_of(std::uint64_t execution) noexcept
{
    return (execution & ((std::uint64_t{1} << attempts_at) - 1)) - 1;
}
constexpr std::uint8_t attempts_of(std::uint64_t execution) noexcept
{
    return static_cast<std::uint8_t>(execution >> attempts_at);
}

// Notes a failed attempt at `index`, whose status it advances last: a failure that counts has its
// record. Called by the worker for exceptions and by the fork server for deaths.
void note_failure(const shared_view& shared, std::uint64_t index, int signal, int exit_status,
                  const char* what) noexcept;

// Tells the program that something happened. Safe in any process.
void announce(const shared_view& shared) noexcept;

// The body of a worker process. Returns when the crew is being destroyed.
void work(const shared_view& shared, unsigned slot) noexcept;

// Called by the program before it forks the server. What stdio has in its buffers is written now,
// since workers inherit the buffers and would write it again; and a worker that calls exit is to
// leave the program's exit handlers and destructors alone.
void prepare_fork();

// The body of the fork server: keeps all slots filled until `lifeline` brings a byte (the program
// destroys the crew) or `program`, its parent, has ended. That the lifeline is closed is only the
// second sign of an end: every child that the program forks meanwhile, the server of another crew
// for example, has the other side open too. Only calls what is safe in the child of a program with
// threads. Does not return.
[[noreturn]] void serve_forks(const shared_view& shared, int lifeline, pid_t program) noexcept;

}  // namespace artel::process
