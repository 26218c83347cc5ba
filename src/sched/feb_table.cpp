// The table of full/empty words: operations on a word, and the release of its waiters. The header
// has the rules; queries about waiters are in feb_waiters.cpp.
#include "sched/feb_table.hpp"

#include "sched/feb_shard.hpp"
#if !defined(ARTEL_MODEL)
#include "sched/stream.hpp"
#endif
#include "sched/suspend.hpp"

#include <mutex>

namespace artel::sched::feb {

constinit std::array<shard, 1u << shard_bits> shards;

namespace {

using artel::detail::feb_line;
using artel::detail::feb_waiter;
using artel::detail::feb_wish;

void store(word* at, word value) noexcept
{
    // relaxed: the shard's lock orders accesses by these functions; see the header.
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}
word load(const word* at) noexcept
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);  // relaxed: as above
}

// A waiter for a word, with the value to write or where it is, or room for the value read.
struct arrival : feb_waiter {
    arrival(feb_wish w, void (*perform)(feb_waiter&) noexcept, word* a, word v = 0) noexcept
        : feb_waiter(w, perform), at(a), value(v)
    {}
    arrival(feb_wish w, void (*perform)(feb_waiter&) noexcept, word* a, const word* f) noexcept
        : feb_waiter(w, perform), at(a), from(f)
    {}
    word* at;
    union {
        word value;
        const word* from;
    };
    const unit* of = nullptr;
};

void do_write(feb_waiter& w) noexcept
{
    auto& a = static_cast<arrival&>(w);
    store(a.at, a.value);
}
void do_copy(feb_waiter& w) noexcept
{
    auto& a = static_cast<arrival&>(w);
    store(a.at, load(a.from));
}
void do_read(feb_waiter& w) noexcept
{
    auto& a = static_cast<arrival&>(w);
    a.value = load(a.at);
}

bool may_go_on(feb_wish wish, bool full) noexcept
{
    return (wish == feb_wish::put) != full;
}

// Calls a callback, after everything else, since callbacks are not suspended.
void call_back(feb_waiter& w) noexcept
{
    static_cast<callback&>(w).call(static_cast<callback&>(w));
}
void nothing_to_transfer(feb_waiter&) noexcept {}

void let_go(feb_line& served) noexcept
{
    for (feb_waiter* w = served.first; w != nullptr;) {
        feb_waiter* const next = w->next;  // before the waiter can return: it lies on its stack
        if (w->transfer == nothing_to_transfer) {
            call_back(*w);
        } else {
            w->done.set();
        }
        w = next;
    }
}

// Sets the word's state: serves its waiters, and unlocks the shard. `c`: its cell, if it has one.
void finish(shard& s, const void* key, cell* c, bool full) noexcept
{
    if (c == nullptr) {
        if (!full) {
            s.add(key).full = false;
        }
        s.lock.unlock();
        return;
    }
    feb_line served;
    c->full = artel::detail::feb_serve(c->line, full, served);
    s.remove_if_ordinary(*c);
    s.lock.unlock();
    let_go(served);
}

bool full_after(feb_wish wish) noexcept
{
    return wish != feb_wish::take;
}

// Called with the lock held: performs the operation and unlocks if that is possible now.
bool perform_now(shard& s, arrival& a, cell* c) noexcept
{
    const bool full = c == nullptr || c->full;
    if (!may_go_on(a.wish, full)) {
        return false;
    }
    a.transfer(a);
    if (full_after(a.wish) == full) {
        s.lock.unlock();
    } else {
        finish(s, a.at, c, !full);
    }
    return true;
}

void perform(arrival& a) noexcept
{
    shard& s = shard_of(a.at);
    s.lock.lock();
    cell* const c = s.find(a.at);
    if (perform_now(s, a, c)) {
        return;
    }
    a.who = artel::detail::feb_caller();
#if !defined(ARTEL_MODEL)
    a.of = this_unit();
#endif
    (c != nullptr ? *c : s.add(a.at)).line.append(a);
    s.lock.unlock();
    artel::detail::feb_wait(a);
}

bool try_to_perform(arrival& a) noexcept
{
    shard& s = shard_of(a.at);
    s.lock.lock();
    if (perform_now(s, a, s.find(a.at))) {
        return true;
    }
    s.lock.unlock();
    return false;
}

// Changes the value and then the state, without waiting.
template <class Write>
void set(word* at, bool full, Write&& write) noexcept
{
    shard& s = shard_of(at);
    s.lock.lock();
    write();
    finish(s, at, s.find(at), full);
}

word* writable(const word* at) noexcept
{
    return const_cast<word*>(at);  // only read; arrival has one pointer type
}

}  // namespace

callback::callback() noexcept : feb_waiter(feb_wish::leave_full, nothing_to_transfer) {}

bool is_full(const word* at) noexcept
{
    shard& s = shard_of(at);
    const std::scoped_lock hold(s.lock);
    const cell* const c = s.find(at);
    return c == nullptr || c->full;
}

void fill(word* at) noexcept
{
    set(at, true, [] {});
}

void empty(word* at) noexcept
{
    set(at, false, [] {});
}

void purge(word* at, word value) noexcept
{
    set(at, false, [=] { store(at, value); });
}

void write_f(word* at, word value) noexcept
{
    set(at, true, [=] { store(at, value); });
}

void write_ef(word* at, word value) noexcept
{
    arrival a(feb_wish::put, do_write, at, value);
    perform(a);
}

bool try_write_ef(word* at, word value) noexcept
{
    arrival a(feb_wish::put, do_write, at, value);
    return try_to_perform(a);
}

void write_ff(word* at, word value) noexcept
{
    arrival a(feb_wish::leave_full, do_write, at, value);
    perform(a);
}

void copy_ef(word* at, const word* from) noexcept
{
    arrival a(feb_wish::put, do_copy, at, from);
    perform(a);
}

void copy_ff(word* at, const word* from) noexcept
{
    arrival a(feb_wish::leave_full, do_copy, at, from);
    perform(a);
}

word read_ff(const word* at) noexcept
{
    arrival a(feb_wish::leave_full, do_read, writable(at));
    perform(a);
    return a.value;
}

bool try_read_ff(const word* at, word& value) noexcept
{
    arrival a(feb_wish::leave_full, do_read, writable(at));
    return try_to_perform(a) && (value = a.value, true);
}

word read_fe(word* at) noexcept
{
    arrival a(feb_wish::take, do_read, at);
    perform(a);
    return a.value;
}

bool try_read_fe(word* at, word& value) noexcept
{
    arrival a(feb_wish::take, do_read, at);
    return try_to_perform(a) && (value = a.value, true);
}

word read_xx(const word* at) noexcept
{
    return load(at);
}

bool call_when_full(const word* at, callback& place) noexcept
{
    shard& s = shard_of(at);
    const std::scoped_lock hold(s.lock);
    cell* const c = s.find(at);
    if (c == nullptr || c->full) {
        return false;
    }
    c->line.append(place);
    return true;
}

const callback* as_callback(const feb_waiter& w) noexcept
{
    return w.transfer == nothing_to_transfer ? static_cast<const callback*>(&w) : nullptr;
}

void release(feb_line& served) noexcept
{
    let_go(served);
    served = {};
}

const unit* waiting_for_word(const feb_waiter& w) noexcept
{
    const bool ours = w.transfer == do_write || w.transfer == do_copy || w.transfer == do_read;
    return ours ? static_cast<const arrival&>(w).of : nullptr;
}

}  // namespace artel::sched::feb
