// process_crew: a loop over indices in worker processes, for work that may crash, leak or be killed
// without ending the program.
//
//     artel::process_crew crew({.workers = 4});
//     double* const out = crew.allocate<double>(n);
//     const auto report = crew.for_each(0, n, [=](std::uint64_t i) { out[i] = risky(i); });
//     for (const auto& f : report.failures) ...
//
// Memory from allocate() is shared with the workers. A failure reports the index, the signal, and
// whether the index was given up.
//
// The constructor forks the workers: each has its own copy of the program's memory as it was then,
// and all share the arena. Results have to be written into the arena.
//
// An index is executed at least once. When a worker dies (SIGKILL, SIGSEGV, out of memory, exit), a
// new worker takes its place, and another one runs the index again, up to options::tries times in
// all, after which it counts as failed. Indices that the dead worker had claimed and not begun are
// run by others. An index whose worker died is run again from its beginning even if it had written
// part of its results, so it must be able to start over.
//
// The stdio output of workers is flushed when they have nothing left to do, and when they call
// exit, which runs neither the program's exit handlers nor its destructors.
#pragma once

#include <artel/detail/plain_vector.hpp>
#include <artel/export.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#if defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#error \
    "artel/process_crew.hpp hands strings over: compile with _GLIBCXX_USE_CXX11_ABI=1, as libartel was"
#endif

namespace artel {

struct process_crew_options {
    unsigned workers = 0;  // 0: as many as there are effective CPUs
    // address space; memory is used only when written.
    std::size_t arena_bytes = std::size_t{1} << 30;
    // 1 to 200: how often an index may kill its worker or throw.
    unsigned tries = 3;
    // indices that a worker claims at a time; 0: chosen from their number.
    std::uint64_t grain = 0;
};

// One failed execution of an index.
struct process_failure {
    std::uint64_t index = 0;
    unsigned attempt = 0;  // 1 for the first
    int signal = 0;        // the signal that killed the worker; 0 if none did
    int exit_status = 0;   // the exit status if the worker exited
    // the exception's text (its first 478 characters), if there was one; the worker is then still
    // alive.
    std::string what;
    bool given_up = false;  // it was the last attempt
};

struct process_report {
    // in the order of their discovery; at most 1024, further ones are only counted.
    detail::plain_vector<process_failure> failures;
    std::uint64_t failure_count = 0;
    std::uint64_t given_up = 0;      // indices without a result
    std::uint64_t workers_lost = 0;  // that died while the loop ran, also between two indices
    bool complete() const noexcept { return given_up == 0; }
};

namespace detail {

struct process_crew_state;

struct process_job {
    void (*call)(const void* function, std::uint64_t index) = nullptr;
    const void* function = nullptr;
    std::size_t function_bytes = 0;
};

inline constexpr std::size_t process_function_bytes = 256;

}  // namespace detail

// To be used by one thread at a time.
class process_crew {
public:
    using options = process_crew_options;

    // Forks the workers. Throws std::system_error when the system refuses memory or processes,
    // std::invalid_argument for tries out of range.
    ARTEL_API explicit process_crew(const options& wanted = {});
    process_crew(const process_crew&) = delete;
    process_crew& operator=(const process_crew&) = delete;

    // Ends the workers and frees the arena. If the program dies first, they end by themselves
    // within milliseconds.
    ARTEL_API ~process_crew();

    ARTEL_API unsigned workers() const noexcept;
    ARTEL_API detail::plain_vector<int> worker_pids() const;  // as of now

    // Zeroed memory in the arena, at the same address in the program and in all workers, from any
    // of them. Throws std::bad_alloc when the arena is full, std::invalid_argument for an alignment
    // that is no power of two. Lasts until release_all or the end of the crew. A single piece
    // cannot be freed, because a process that died in the middle of that would leave a broken heap
    // to all.
    ARTEL_API void* allocate_bytes(std::size_t bytes,
                                   std::size_t alignment = alignof(std::max_align_t));
    ARTEL_API void release_all() noexcept;  // not while a loop runs; contents are zero again

    template <class T>
    T* allocate(std::size_t count)
    {
        static_assert(std::is_trivially_copyable_v<T>,
                      "what lies in shared memory must do without constructors and destructors");
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_alloc();
        return static_cast<T*>(allocate_bytes(count * sizeof(T), alignof(T)));
    }

    // Calls f(i) for each i in [first, last), each in some worker. Blocks the calling OS thread
    // until all are done or given up. `f` is copied to the workers byte by byte: pointers in it
    // must point into the arena or to what existed when the crew was made. An exception of f counts
    // as a failure of that index. Throws std::runtime_error if the crew itself is lost (its fork
    // server was killed, or no process can be made any more); the crew cannot be used after that.
    // Throws std::logic_error when called in a process other than the one that made the crew, that
    // is, in a worker or in a child of the program.
    template <class F>
    process_report for_each(std::uint64_t first, std::uint64_t last, const F& f)
    {
        static_assert(
            std::is_trivially_copyable_v<F>,
            "the function is copied to other processes byte by byte: capture pointers into the "
            "arena and plain values");
        static_assert(sizeof(F) <= detail::process_function_bytes,
                      "the function captures too much; put it into the arena");
        return run(first, last,
                   {[](const void* function, std::uint64_t index) {
                        (*static_cast<const F*>(function))(index);
                    },
                    &f, sizeof(F)});
    }

private:
    ARTEL_API process_report run(std::uint64_t first, std::uint64_t last,
                                 const detail::process_job& job);

    std::unique_ptr<detail::process_crew_state> state_;
};

}  // namespace artel
