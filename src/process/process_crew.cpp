// A process_crew as the program has it: the memory that it shares with its workers, the fork
// server, and what lies in the arena. Its loops are in passes.cpp; see control.hpp for the rules
// that all processes keep.
#include <artel/process_crew.hpp>

#include "process/crew_state.hpp"
#include "topology/topology.hpp"

#include <bit>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace artel {

namespace {

using detail::process_crew_state;
using namespace process;

[[noreturn]] void raise(const char* what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

// Memory is taken when touched, so generous sizes cost nothing.
void* map_shared(std::size_t bytes)
{
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        raise("process_crew: no address space for memory shared with the workers");
    return memory;
}

void unmap(process_crew_state& state) noexcept
{
    if (state.shared.control != nullptr)
        ::munmap(state.shared.control, state.control_bytes);
    if (state.arena != nullptr)
        ::munmap(state.arena, state.arena_bytes);
}

void map_control(process_crew_state& state, unsigned workers)
{
    // Only whole pages can be given back (clear()).
    const auto slots_at = sizeof(control_block),
               slots_end = slots_at + workers * sizeof(worker_slot),
               status_at = (slots_end + 4095) / 4096 * 4096;
    state.control_bytes = status_at + most_indices;
    auto* const memory = static_cast<unsigned char*>(map_shared(state.control_bytes));
    // Zero bytes are the initial values of all that lies here.
    state.shared = {new (memory) control_block, reinterpret_cast<worker_slot*>(memory + slots_at),
                    reinterpret_cast<std::atomic<std::uint8_t>*>(memory + status_at), workers};
    // relaxed: no other process has the memory yet
    state.shared.control->claims.store(claim_word(0, index_mask), std::memory_order_relaxed);
}

void start_server(process_crew_state& state)
{
    // Sockets rather than a pipe: a word to a server that is dead must not end the program by
    // SIGPIPE.
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        raise("process_crew: socketpair");
    state.program = ::getpid();
    prepare_fork();
    state.server = ::fork();
    if (state.server == 0) {
        ::close(ends[1]);  // else the server would keep its own lifeline open
        serve_forks(state.shared, ends[0], state.program);
    }
    const int error = errno;
    ::close(ends[0]);
    state.lifeline = ends[1];
    if (state.server < 0) {
        ::close(ends[1]);
        errno = error;
        raise("process_crew: fork");
    }
}

}  // namespace

process_crew::process_crew(const options& wanted) : state_(std::make_unique<process_crew_state>())
{
    if (wanted.tries < 1 || wanted.tries > 200)
        throw std::invalid_argument("process_crew: tries must be between 1 and 200");
    const auto workers = wanted.workers != 0 ? wanted.workers
                                             : topology::this_machine().effective_cpus;
    state_->tries = wanted.tries;
    state_->grain = wanted.grain;
    state_->arena_bytes = std::max<std::size_t>(wanted.arena_bytes, 4096);
    try {
        map_control(*state_, workers);
        state_->arena = static_cast<unsigned char*>(map_shared(state_->arena_bytes));
        start_server(*state_);
    } catch (...) {
        unmap(*state_);
        throw;
    }
}

process_crew::~process_crew()
{
    const bool ours = ::getpid() == state_->program;
    // The server kills the workers and ends. Told, not only hung up on: other children of the
    // program may have the lifeline open too.
    if (ours && state_->server > 0)
        ::send(state_->lifeline, "", 1, MSG_NOSIGNAL);
    ::close(state_->lifeline);
    if (ours && state_->server > 0)
        while (::waitpid(state_->server, nullptr, 0) < 0 && errno == EINTR) {
        }
    unmap(*state_);
}

unsigned process_crew::workers() const noexcept
{
    return state_->shared.workers;
}

std::vector<int> process_crew::worker_pids() const
{
    std::vector<int> result;
    for (unsigned i = 0; i < workers(); ++i)
        // relaxed: for display.
        if (const auto pid = state_->shared.slots[i].pid.load(std::memory_order_relaxed); pid > 0)
            result.push_back(pid);
    return result;
}

void* process_crew::allocate_bytes(std::size_t bytes, std::size_t alignment)
{
    if (!std::has_single_bit(alignment))
        throw std::invalid_argument("process_crew: an alignment must be a power of two");
    auto& used = state_->shared.control->arena_used;
    // The address is to be aligned, and the arena itself is only to pages.
    const auto base = reinterpret_cast<std::uintptr_t>(state_->arena);
    // relaxed, here and below: the number only distributes memory; the thread that passes the
    // address on publishes its contents
    for (auto begin = used.load(std::memory_order_relaxed);;) {
        const auto aligned = (base + begin + alignment - 1) / alignment * alignment - base;
        if (aligned > state_->arena_bytes || bytes > state_->arena_bytes - aligned)
            throw std::bad_alloc();
        if (used.compare_exchange_weak(begin, aligned + bytes, std::memory_order_relaxed))
            return state_->arena + aligned;
    }
}

void process_crew::release_all() noexcept
{
    // relaxed: no loop runs
    state_->shared.control->arena_used.store(0, std::memory_order_relaxed);
    clear(state_->arena, state_->arena_bytes);
}

}  // namespace artel
