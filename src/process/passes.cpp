// A loop on a process_crew: passes over its indices, until each is done or given up, and what is
// reported of them.
#include <artel/process_crew.hpp>

#include "base/os/process.hpp"
#include "process/crew_state.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace artel {

namespace {

using detail::process_crew_state;
using namespace process;

// Also where the program ignores SIGCHLD or another part of it waits for any child, so that the
// status is gone.
bool has_ended(pid_t server) noexcept
{
    const auto ended = ::waitpid(server, nullptr, WNOHANG);
    return ended == server || (ended < 0 && errno == ECHILD && ::kill(server, 0) != 0);
}

void require_server(process_crew_state& state)
{
    // relaxed: a failure that is noticed later is noticed at the next look
    if (const int error = state.shared.control->broken.load(std::memory_order_relaxed); error != 0)
        throw std::system_error(error, std::generic_category(),
                                "process_crew: no worker is left and the system makes no new one");
    if (state.server > 0 && has_ended(state.server))
        state.server = -1;
    if (state.server < 0)
        throw std::runtime_error(
            "process_crew: its fork server was killed, and the workers with it");
}

// Slots for which the system gives no process are not waited for, once somebody has found that
// nothing is left to claim: a worker that comes later finds the same.
bool pass_is_over(const process_crew_state& state) noexcept
{
    bool somebody = false;
    for (unsigned i = 0; i < state.shared.workers; ++i) {
        const worker_slot& it = state.shared.slots[i];
        // acquire: pairs with the worker's release; the results of the pass are visible
        if (it.finished.load(std::memory_order_acquire) == state.pass)
            somebody = true;
        // relaxed: a vacant slot has written nothing.
        else if (it.vacant.load(std::memory_order_relaxed) == 0)
            return false;
    }
    return somebody;
}

// Runs one pass over all indices that are still pending, and waits for its end.
void run_pass(process_crew_state& state)
{
    auto& control = *state.shared.control;
    // 24 bits count in the claims; 0 means "none yet" in the slots.
    state.pass = (state.pass + 1) & 0xffffff;
    state.pass = state.pass == 0 ? 1 : state.pass;
    // release: pairs with the acquire of claims; the job's fields are written
    control.claims.store(claim_word(state.pass, 0), std::memory_order_release);
    // release: pairs with the acquire in work().
    control.pass.store(state.pass, std::memory_order_release);
    base::os::shared_futex_wake(control.pass, static_cast<int>(state.shared.workers));
    for (;;) {
        // acquire: pairs with announce(); taken before looking, so that the wait below returns if
        // anything happens after the look
        const auto events = control.events.load(std::memory_order_acquire);
        if (pass_is_over(state))
            return;
        require_server(state);
        base::os::shared_futex_wait_for(control.events, events, 200'000);
    }
}

// Closed claims: from here on no late worker of the last pass gets anywhere, and the job may be
// changed.
void close_claims(process_crew_state& state) noexcept
{
    // release: pairs with the acquire of claims; what the program did before is not to move behind
    state.shared.control->claims.store(claim_word(state.pass, index_mask),
                                       std::memory_order_release);
}

bool anything_pending(const process_crew_state& state, std::uint64_t count) noexcept
{
    // relaxed: the pass has ended, and its end ordered the workers' writes before this
    return std::any_of(state.shared.status, state.shared.status + count, [](const auto& it) {
        const auto value = it.load(std::memory_order_relaxed);
        return value != done && value != failed;
    });
}

void collect(process_crew_state& state, std::uint64_t indices, process_report& report)
{
    auto& control = *state.shared.control;
    // relaxed, all: the workers are idle
    const auto count = control.failure_count.exchange(0, std::memory_order_relaxed);
    if (count != 0)
        report.given_up += static_cast<std::uint64_t>(std::count_if(
            state.shared.status, state.shared.status + indices,
            // relaxed: as above.
            [](const auto& it) { return it.load(std::memory_order_relaxed) == failed; }));
    report.failure_count += count;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, most_failures); ++i) {
        auto& record = control.failures[i];
        // acquire: pairs with the release in note_failure
        if (record.ready.load(std::memory_order_acquire) == 0)
            --report.failure_count;  // its writer was killed; the attempt has another record
        else if (report.failures.size() < most_failures)
            report.failures.push_back({record.index, record.attempt, record.signal,
                                       record.exit_status, record.what.data(),
                                       record.given_up != 0});
        record.ready.store(0, std::memory_order_relaxed);  // relaxed: as above
        record.what = {};
    }
}

}  // namespace

process_report process_crew::run(std::uint64_t first, std::uint64_t last,
                                 const detail::process_job& job)
{
    auto& state = *state_;
    auto& control = *state.shared.control;
    if (::getpid() != state.program)
        throw std::logic_error(
            "process_crew: a crew serves the process that made it, not its children or workers");
    process_report report;
    // relaxed: a count.
    const auto lost_before = control.workers_lost.load(std::memory_order_relaxed);
    for (std::uint64_t piece; first < last; first += piece) {
        piece = std::min(last - first, most_indices);
        require_server(state);
        close_claims(state);
        control.first = first;
        control.count = piece;
        // Small enough that the last to finish is not late, large enough that claims are rare.
        control.grain = state.grain != 0 ? state.grain
                                         : std::clamp<std::uint64_t>(
                                               piece / (std::uint64_t{workers()} * 32), 1, 1024);
        control.tries = state.tries;
        control.call = job.call;
        std::memcpy(control.function.data(), job.function, job.function_bytes);
        do
            run_pass(state);
        while (anything_pending(state, piece));
        close_claims(state);
        collect(state, piece, report);
        // One page of status bytes is cleared by hand: giving it back would cost more than the
        // loops that need no more.
        if (piece <= 4096)
            std::memset(static_cast<void*>(state.shared.status), 0, piece);
        else
            clear(state.shared.status, piece);
    }
    // relaxed: a count.
    report.workers_lost = control.workers_lost.load(std::memory_order_relaxed) - lost_before;
    return report;
}

}  // namespace artel
