// Critical sections as hardware transactions (Intel's RTM): threads that touch different memory do
// not wait for each other. Without such hardware, and under sanitizers, which do not see that an
// aborted section has not happened, there are none.
#pragma once

namespace artel::onetbb {

// Begins a transaction in which busy(), a read of the lock's word, is false; a holder that comes
// later aborts it, and then this returns once more. False when the caller has to take the lock.
// `wait_free` waits until the lock is free, or returns false when the caller does not want to wait.
template <class Busy, class WaitFree>
bool speculate(Busy busy, WaitFree wait_free) noexcept;

// Inside of a transaction: makes its changes visible, all at once; or undoes all and returns to
// speculate().
void end_transaction() noexcept;
void abort_transaction() noexcept;

// Whether the machine has transactions.
bool can_speculate() noexcept;
enum class begun { yes, no, not_for_now };
begun begin_transaction() noexcept;

template <class Busy, class WaitFree>
bool speculate(Busy busy, WaitFree wait_free) noexcept
{
    constexpr int most_attempts = 10;
    if (!can_speculate()) {
        return false;
    }
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        if (busy() && !wait_free()) {
            return false;
        }
        switch (begin_transaction()) {
        case begun::yes:
            if (busy()) {
                abort_transaction();
            }
            return true;
        case begun::no: return false;
        case begun::not_for_now: break;
        }
    }
    return false;
}

}  // namespace artel::onetbb
