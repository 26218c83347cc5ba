// A thread has one active call in these libraries, on its own stack; a call that begins while
// another one is noted there shows whether that was abandoned.
#include "caller.hpp"

#include "callers.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <pthread.h>
#include <unistd.h>
#include <unwind.h>
#include <utility>

namespace artel::openblas {
namespace {

struct caller {
    call* current = nullptr;  // the most recent one, which may have ended
    void** at = nullptr;      // the word of its stack
    bool left = false;        // it was abandoned by an exception
    bool will_tell = false;   // the key's destructor will run
    pid_t thread = 0;
    unsigned most = 0;  // limit of the threads of its calls; 0: only the library's

    // The word of the current call; none if it has returned.
    call_word under_way() const noexcept
    {
        const call_word word = current != nullptr ? current->now() : call_word{};
        return word.at() == at ? word : call_word{};
    }
};

constinit thread_local caller here [[gnu::tls_model("initial-exec")]];

// Whether the address is on the thread's own stack, not on that of a light thread.
bool is_on_own_stack(const void* address) noexcept
{
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) {
        return false;
    }
    void* begin = nullptr;
    std::size_t size = 0;
    ::pthread_attr_getstack(&attributes, &begin, &size);
    ::pthread_attr_destroy(&attributes);
    return address >= begin && address < static_cast<std::byte*>(begin) + size;
}

void at_thread_end(void*) noexcept
{
    caller& me = here;
    me.will_tell = false;
    const call_word word = me.under_way();
    if (word.is_none()) {
        return;
    }
    go(me.current->withdraw());
    if (me.left || is_on_own_stack(me.at)) {
        me.current->free_if(word.not_counted());
    }
    me.current = nullptr;
}

// None: the process has no more keys; the last call of a thread that ends then stays counted.
std::optional<pthread_key_t> make_key() noexcept
{
    pthread_key_t key{};
    return ::pthread_key_create(&key, at_thread_end) == 0 ? std::optional(key) : std::nullopt;
}

const std::optional<pthread_key_t> key = make_key();

[[gnu::noinline]] void begin_with(caller& me) noexcept
{
    me.thread = ::gettid();
    me.will_tell = key && ::pthread_setspecific(*key, &me) == 0;
}

// The place of the thread's previous call, if that was abandoned for good; nullptr: another one is
// needed.
call* left_before(const caller& me, const void* to_return) noexcept
{
    const bool for_good = me.left || to_return == me.at ||
                          !is_intact(*me.current, me.current->now());
    go(me.current->withdraw());
    return for_good ? me.current : nullptr;
}

}  // namespace

void enter(void** to_return) noexcept
{
    caller& me = here;
    call* again = nullptr;
    if (!me.under_way().is_none()) {
        if (to_return < me.at && !me.left) {
            return;  // from within it
        }
        again = left_before(me, to_return);
    }
    if (!me.will_tell) {
        begin_with(me);
    }
    const sched::worker* const w = sched::this_worker();
    const bool in_crew = w != nullptr && !sched::outside_scope(*w);
    const call_word word(to_return, in_crew, w != nullptr, me.most);
    come(word);
    if (again == nullptr || !begin_again(*again, word, me.thread)) {
        again = begin_call(word, me.thread, me.current);
    }
    if (again == nullptr) {
        go(word);
        look_for_left();
        return;
    }
    me.current = again;
    me.at = to_return;
    me.left = false;
}

void leave_by_exception(call& at) noexcept
{
    go(at.withdraw());
    if (&at == here.current) {
        here.left = true;
    }
}

void find_left() noexcept
{
    for (call& each : all_calls()) {
        // acquire: pairs with the release in begin_again().
        const call_word word(each.word.load(std::memory_order_acquire));
        if (word.is_none() || word.is_beginning() ||
            std::exchange(each.seen, word.bits()) != word.bits()) {
            each.times = 0;
            continue;
        }
        // Checked the 1st, 2nd, 4th, 8th, ... time.
        ++each.times;
        if ((each.times & (each.times - 1)) != 0) {
            continue;
        }
        if (!each.mark(word)) {
            continue;
        }
        const left found = is_left(each, word);
        const call_word then = !found.left      ? word
                               : found.for_good ? call_word{}
                                                : word.not_counted();
        if (each.unmark(word, then) && found.left) {
            go(word);
        }
    }
}

unsigned limit_here(unsigned threads) noexcept
{
    // What is no less than all CPUs limits nothing, and may be more than a word can say.
    const bool limits = threads <= largest_limit || threads < sched::crew::get().width();
    return std::exchange(here.most, limits ? std::min(threads, largest_limit) : 0);
}

call_word keep_own_call() noexcept
{
    caller& me = here;
    const call_word own = me.under_way();
    for (call& each : all_calls()) {
        if (own.is_none() || &each != me.current) {
            each.free();
        }
    }
    me.thread = ::gettid();
    if (own.is_none()) {
        return own;
    }
    // relaxed, both: the only thread. A look of the parent may have been checking the call.
    me.current->word.store(own.unmarked().bits(), std::memory_order_relaxed);
    me.current->thread.store(me.thread, std::memory_order_relaxed);
    return own;
}

}  // namespace artel::openblas
