// An operation takes the syncvar's lock, does what is possible, serves waiters that can continue
// then, and else queues the caller.
#include "syncvar.hpp"

#include "sched/fork_lock.hpp"

#include <artel/detail/feb_line.hpp>

namespace artel::qthreads {
namespace {

using artel::detail::feb_line;
using artel::detail::feb_waiter;
using artel::detail::feb_wish;

constexpr std::uint64_t locked = 1;
constexpr std::uint64_t waited_for = 2;
constexpr std::uint64_t is_empty = 4;
constexpr unsigned data_shift = 4;

// A syncvar whose lock the caller holds.
struct held {
    explicit held(syncvar& of) noexcept : v(of)
    {
        for (unsigned round = 0;; artel::detail::feb_spin(round)) {
            in = sched::fork_exclusion::enter();
            // relaxed: the exchange decides
            std::uint64_t w = v.word.load(std::memory_order_relaxed);
            // acquire: pairs with the release in unlock(). relaxed on failure: tried again.
            if ((w & locked) == 0 &&
                v.word.compare_exchange_weak(w, w | locked, std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
                full = (w & is_empty) == 0;
                data = w >> data_shift;
                if ((w & waited_for) != 0) {
                    line = sched::feb::take_line(&v);
                }
                return;
            }
            sched::fork_exclusion::leave(in);
        }
    }
    void unlock() noexcept
    {
        if (!line.empty()) {
            sched::feb::put_line(&v, line);
        }
        // release: pairs with the acquire of the next lock.
        v.word.store(data << data_shift | (full ? 0 : is_empty) | (line.empty() ? 0 : waited_for),
                     std::memory_order_release);
        sched::fork_exclusion::leave(in);
    }
    // Serves the waiters that can continue, and unlocks.
    void finish(bool is_full_now) noexcept
    {
        feb_line served;
        full = line.empty() ? is_full_now : artel::detail::feb_serve(line, is_full_now, served);
        unlock();
        sched::feb::release(served);
    }
    syncvar& v;
    unsigned in = 0;  // where it is counted, so that no child of a fork finds the lock taken
    bool full = true;
    std::uint64_t data = 0;
    feb_line line;
};

struct arrival : feb_waiter {
    arrival(feb_wish w, void (*perform)(feb_waiter&) noexcept,
            std::uint64_t value_to_write = 0) noexcept
        : feb_waiter(w, perform), value(value_to_write)
    {}
    std::uint64_t value;
    const std::uint64_t* from = nullptr;  // where the value to write lies; nullptr: it is here
    const sched::unit* of = nullptr;
};

// The syncvar whose waiters this thread serves. The lock makes sure that there is one server for
// each syncvar; serving neither waits nor switches.
thread_local held* serving = nullptr;

void do_write(feb_waiter& w) noexcept
{
    const auto& a = static_cast<arrival&>(w);
    serving->data = (a.from != nullptr ? *a.from : a.value) & ~std::uint64_t{0} >> data_shift;
}
void do_read(feb_waiter& w) noexcept
{
    static_cast<arrival&>(w).value = serving->data;
}

bool perform(syncvar& v, arrival& a, bool may_wait) noexcept
{
    held h(v);
    if ((a.wish == feb_wish::put) != h.full) {
        serving = &h;
        a.transfer(a);
        h.finish(a.wish != feb_wish::take);
        return true;
    }
    if (may_wait) {
        a.who = artel::detail::feb_caller();
        a.of = sched::this_unit();
        h.line.append(a);
    }
    h.unlock();
    if (may_wait) {
        artel::detail::feb_wait(a);
    }
    return may_wait;
}

void set(syncvar& v, bool full) noexcept
{
    held h(v);
    serving = &h;
    h.finish(full);
}

}  // namespace

bool is_full(const syncvar& v) noexcept
{
    // acquire: pairs with the release of the thread that filled it.
    return (v.word.load(std::memory_order_acquire) & is_empty) == 0;
}
void empty(syncvar& v) noexcept
{
    set(v, false);
}
void fill(syncvar& v) noexcept
{
    set(v, true);
}
void write_f(syncvar& v, std::uint64_t value) noexcept
{
    held h(v);
    serving = &h;
    h.data = value & ~std::uint64_t{0} >> data_shift;
    h.finish(true);
}
// The caller and the readers that waited get the sum with all its bits, as in the stock library;
// the syncvar keeps those that it has room for.
std::uint64_t add_f(syncvar& v, std::uint64_t by) noexcept
{
    held h(v);
    serving = &h;
    const std::uint64_t sum = h.data += by;
    h.finish(true);
    return sum;
}
const sched::unit* waiting_for_syncvar(const feb_waiter& w) noexcept
{
    const bool ours = w.transfer == do_write || w.transfer == do_read;
    return ours ? static_cast<const arrival&>(w).of : nullptr;
}
bool call_when_full(syncvar& v, sched::feb::callback& place) noexcept
{
    held h(v);
    const bool waits = !h.full;
    if (waits) {
        h.line.append(place);
    }
    h.unlock();
    return waits;
}

namespace {

int read(feb_wish wish, std::uint64_t* to, syncvar* from, bool may_wait) noexcept
{
    arrival a(wish, do_read);
    if (!perform(*from, a, may_wait)) {
        return -7;  // QTHREAD_OPFAIL
    }
    if (to != nullptr) {
        *to = a.value;
    }
    return 0;
}

constexpr int does_not_fit = 75;  // QTHREAD_OVERFLOW

bool fits(std::uint64_t value) noexcept
{
    return value >> (64 - data_shift) == 0;
}

// `from`: where the value is read at the time of the write; nullptr: `value` is written.
int write_ef(syncvar* to, const std::uint64_t* from, std::uint64_t value, bool may_wait) noexcept
{
    if (!fits(value)) {
        return does_not_fit;
    }
    arrival a(feb_wish::put, do_write, value);
    a.from = from;
    return perform(*to, a, may_wait) ? 0 : -7;  // QTHREAD_OPFAIL
}

int checked_write_f(syncvar* to, std::uint64_t value) noexcept
{
    if (!fits(value)) {
        return does_not_fit;
    }
    write_f(*to, value);
    return 0;
}

}  // namespace
}  // namespace artel::qthreads

using artel::qthreads::syncvar;

extern "C" {

int qthread_syncvar_status(syncvar* v)
{
    return artel::qthreads::is_full(*v) ? 1 : 0;
}
int qthread_syncvar_empty(syncvar* v)
{
    artel::qthreads::empty(*v);
    return 0;
}
int qthread_syncvar_fill(syncvar* v)
{
    artel::qthreads::fill(*v);
    return 0;
}
int qthread_syncvar_readFF(std::uint64_t* to, syncvar* from)
{
    return artel::qthreads::read(artel::detail::feb_wish::leave_full, to, from, true);
}
int qthread_syncvar_readFF_nb(std::uint64_t* to, syncvar* from)
{
    return artel::qthreads::read(artel::detail::feb_wish::leave_full, to, from, false);
}
int qthread_syncvar_readFE(std::uint64_t* to, syncvar* from)
{
    return artel::qthreads::read(artel::detail::feb_wish::take, to, from, true);
}
int qthread_syncvar_readFE_nb(std::uint64_t* to, syncvar* from)
{
    return artel::qthreads::read(artel::detail::feb_wish::take, to, from, false);
}
int qthread_syncvar_writeEF(syncvar* to, const std::uint64_t* from)
{
    return artel::qthreads::write_ef(to, from, *from, true);
}
int qthread_syncvar_writeEF_const(syncvar* to, std::uint64_t value)
{
    return artel::qthreads::write_ef(to, nullptr, value, true);
}
int qthread_syncvar_writeEF_nb(syncvar* to, const std::uint64_t* from)
{
    return artel::qthreads::write_ef(to, from, *from, false);
}
int qthread_syncvar_writeEF_const_nb(syncvar* to, std::uint64_t value)
{
    return artel::qthreads::write_ef(to, nullptr, value, false);
}
int qthread_syncvar_writeF(syncvar* to, const std::uint64_t* from)
{
    return artel::qthreads::checked_write_f(to, *from);
}
int qthread_syncvar_writeF_const(syncvar* to, std::uint64_t value)
{
    return artel::qthreads::checked_write_f(to, value);
}
std::uint64_t qthread_syncvar_incrF(syncvar* v, std::uint64_t by)
{
    return artel::qthreads::add_f(*v, by);
}
}
