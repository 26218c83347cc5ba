// qthread_key: values of the calling qthread, or of the OS thread for other callers.
#include "keys.hpp"

#include "foreign/fork_safe_lock.hpp"
#include "foreign/loading_thread_end.hpp"
#include "foreign/thread_end_key.hpp"
#include "runtime.hpp"

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace artel::qthreads {
namespace {

using destructor = void (*)(void* value);

// A key is a number that is never used twice; its place in the table is the number modulo the size.
struct key {
    std::uintptr_t number = 0;  // 0: free
    destructor end = nullptr;
};

constexpr std::size_t most_keys = 1024;
foreign::fork_safe_lock guard;
key keys[most_keys];
std::uintptr_t last_number = 0;

constinit thread_local specifics of_this_thread;

void thread_ends(void* values) noexcept
{
    end_specifics(*static_cast<specifics*>(values));
}
void loader_ends() noexcept
{
    end_specifics(of_this_thread);
}

constinit foreign::thread_end_key values_set(thread_ends);
// Destructors of the values may use keys of the program.
[[maybe_unused]] const bool made_when_loaded = values_set.make();
[[maybe_unused]] const bool announced = foreign::loading_thread_end<loader_ends>::announce();

specifics& mine() noexcept
{
    task* const me = caller();
    return me != nullptr ? me->kept : of_this_thread;
}

std::uintptr_t number_of(void** k) noexcept
{
    return reinterpret_cast<std::uintptr_t>(k);
}

destructor destructor_of(std::uintptr_t number) noexcept
{
    const std::scoped_lock hold(guard);
    const key& k = keys[number % most_keys];
    return k.number == number ? k.end : nullptr;
}

// Room for place `i`. nullptr: no memory.
specific* room_for(specifics& s, std::size_t i) noexcept
{
    if (i >= s.count) {
        if (s.count == 0 && &s == &of_this_thread && !values_set.set(&s)) {
            return nullptr;
        }
        void* const grown = std::realloc(s.values, (i + 1) * sizeof(specific));
        if (grown == nullptr) {
            return nullptr;
        }
        s.values = static_cast<specific*>(grown);
        for (; s.count <= i; ++s.count) {
            s.values[s.count] = {};
        }
    }
    return &s.values[i];
}

}  // namespace

// As for pthread keys: a destructor may set values, so this is repeated a few times.
void end_specifics(specifics& s) noexcept
{
    constexpr int rounds = 4;
    bool any = s.count != 0;
    for (int round = 0; any && round < rounds; ++round) {
        any = false;
        for (std::size_t i = 0; i < s.count; ++i) {
            const specific was = std::exchange(s.values[i], {});
            const destructor end = was.value != nullptr ? destructor_of(was.key) : nullptr;
            if (end != nullptr) {
                end(was.value);
                any = true;
            }
        }
    }
    std::free(s.values);
    s.values = nullptr;
    s.count = 0;
}

}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

int qthread_key_create(void*** made, destructor end)
{
    const std::scoped_lock hold(guard);
    for (std::size_t i = 0; i < most_keys; ++i) {
        key& k = keys[++last_number % most_keys];
        if (k.number == 0 && last_number != 0) {
            k = {last_number, end};
            *made = reinterpret_cast<void**>(last_number);
            return 0;
        }
    }
    return EAGAIN;
}
int qthread_key_delete(void** k)
{
    const std::scoped_lock hold(guard);
    key& at = keys[number_of(k) % most_keys];
    if (at.number != number_of(k) || at.number == 0) {
        return EINVAL;
    }
    at = {};
    return 0;
}
void* qthread_getspecific(void** k)
{
    const specifics& s = mine();
    const std::size_t i = number_of(k) % most_keys;
    return i < s.count && s.values[i].key == number_of(k) ? s.values[i].value : nullptr;
}
int qthread_setspecific(void** k, const void* value)
{
    specific* const at = room_for(mine(), number_of(k) % most_keys);
    if (at == nullptr) {
        return ENOMEM;
    }
    *at = {number_of(k), const_cast<void*>(value)};
    return 0;
}
}
