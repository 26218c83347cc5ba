// The worker's side of a process_crew; see control.hpp for the rules.
#include "base/os/process.hpp"
#include "process/control.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

namespace artel::process {

void announce(const shared_view& shared) noexcept
{
    // release: pairs with the program's acquire of events; a thread that sees the number sees what
    // happened
    shared.control->events.fetch_add(1, std::memory_order_release);
    base::os::shared_futex_wake(shared.control->events, 1);
}

void note_failure(const shared_view& shared, std::uint64_t index, int signal, int exit_status,
                  const char* what) noexcept
{
    auto& control = *shared.control;
    auto& status = shared.status[index];
    // relaxed: only the worker that executes the index, or the fork server after its death, changes
    // the byte
    const auto attempts = static_cast<std::uint8_t>(status.load(std::memory_order_relaxed) + 1);
    const bool given_up = attempts >= control.tries;
    // relaxed: only distributes records.
    const auto number = control.failure_count.fetch_add(1, std::memory_order_relaxed);
    if (number < most_failures) {
        auto& record = control.failures[number];
        record.attempt = attempts;
        record.signal = signal;
        record.exit_status = exit_status;
        record.index = control.first + index;
        record.given_up = given_up ? 1 : 0;
        std::strncpy(record.what.data(), what, record.what.size() - 1);
        // release: pairs with the program's acquire; the record is whole.
        record.ready.store(1, std::memory_order_release);
    }
    // relaxed: published by the end of the pass. Last: a worker that dies before it has not counted
    // the attempt, and is blamed for it once more.
    status.store(given_up ? failed : attempts, std::memory_order_relaxed);
}

namespace {

void execute(const shared_view& shared, worker_slot& slot, std::uint64_t index) noexcept
{
    auto& control = *shared.control;
    auto& status = shared.status[index];
    // acquire: pairs with the release of done; a worker that skips the index in a later pass relies
    // on its results
    const auto known = status.load(std::memory_order_acquire);
    if (known == done || known == failed)
        return;
    slot.current.store(execution_word(index, known),
                       // relaxed: read by the fork server after our death, which orders it.
                       std::memory_order_relaxed);
    try {
        control.call(control.function.data(), control.first + index);
        // release: pairs with the acquire of a worker that takes the index for done; its results
        // are visible
        status.store(done, std::memory_order_release);
    } catch (const std::exception& error) {
        note_failure(shared, index, 0, 0, error.what());
    } catch (...) {
        note_failure(shared, index, 0, 0, "an exception that is no std::exception");
    }
    // relaxed: as above; if the fork server still reads the index, it finds the status done.
    slot.current.store(0, std::memory_order_relaxed);
}

// Claims and executes until the pass has nothing left or is no longer the current one.
void take_part(const shared_view& shared, worker_slot& slot, std::uint32_t pass) noexcept
{
    auto& control = *shared.control;
    auto& claims = control.claims;
    // acquire: pairs with the release that opened the claims; the job's fields belong to this pass
    for (auto word = claims.load(std::memory_order_acquire); pass_of(word) == (pass & 0xffffff);) {
        const auto next = word & index_mask;
        const auto count = control.count, grain = control.grain;
        if (next >= count)  // also when closed
            return;
        const auto end = std::min(next + grain, count);
        // acquire: as above, when the exchange fails and word is new. Success means that the word
        // never changed, so count is of this pass.
        if (!claims.compare_exchange_weak(word, claim_word(pass & 0xffffff, end),
                                          std::memory_order_acquire, std::memory_order_acquire))
            continue;
        for (auto index = next; index < end; ++index)
            execute(shared, slot, index);
        word = claims.load(std::memory_order_acquire);  // acquire: as above
    }
}

}  // namespace

void work(const shared_view& shared, unsigned number) noexcept
{
    auto& control = *shared.control;
    auto& slot = shared.slots[number];
    std::uint32_t finished = 0;
    for (;;) {
        // acquire: pairs with the program's release; the claims of the pass are open
        const auto pass = control.pass.load(std::memory_order_acquire);
        // relaxed: nothing depends on the order in which the end of the crew is noticed
        if (control.stop.load(std::memory_order_relaxed) != 0)
            return;
        if (pass == finished) {
            base::os::shared_futex_wait_for(control.pass, pass, 10'000'000);
            continue;
        }
        take_part(shared, slot, pass);
        // the program may read what was printed, and the end of the crew kills us.
        std::fflush(nullptr);
        finished = pass;
        // release: pairs with the program's acquire; our results are visible.
        slot.finished.store(pass, std::memory_order_release);
        announce(shared);
    }
}

}  // namespace artel::process
