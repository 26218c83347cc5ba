// Finds the caller's list: that of its light thread (light_thread.cpp), or the OS thread's own,
// whose values are destroyed when the thread ends.
#include "capi/own_values.hpp"

#include "foreign/loading_thread_end.hpp"
#include "foreign/thread_end_key.hpp"

#include <atomic>
#include <utility>

namespace artel::detail {
namespace {

// For threads that run no light thread.
constinit thread_local own_values of_this_thread;

void destroy(void* values) noexcept
{
    static_cast<own_values*>(values)->destroy_all();
}
void destroy_loaders() noexcept
{
    of_this_thread.destroy_all();
}

constinit foreign::thread_end_key values_made(destroy);
// Destructors of the values may use keys of the program.
[[maybe_unused]] const bool made_when_loaded = values_made.make();
[[maybe_unused]] const bool announced = foreign::loading_thread_end<destroy_loaders>::announce();

own_values& own_values_of_caller() noexcept
{
    own_values* const of_light_thread = own_values_of_light_thread();
    return of_light_thread != nullptr ? *of_light_thread : of_this_thread;
}

}  // namespace

own_value* own_values::find(std::uint64_t key) noexcept
{
    for (own_value* v = first; v != nullptr; v = v->next) {
        if (v->key == key) {
            return v;
        }
    }
    return nullptr;
}

void own_values::add(own_value& v) noexcept
{
    v.next = first;
    first = &v;
}

void own_values::destroy_all() noexcept
{
    while (first != nullptr) {
        own_value& newest = *std::exchange(first, first->next);
        newest.destroy(newest);
    }
}

std::uint64_t new_own_value_key() noexcept
{
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;  // relaxed: keys only need to differ
}

own_value* find_own_value(std::uint64_t key) noexcept
{
    return own_values_of_caller().find(key);
}

void keep_own_value(own_value& v) noexcept
{
    own_values& mine = own_values_of_caller();
    if (mine.first == nullptr && &mine == &of_this_thread) {
        values_made.set(&mine);  // without a key they outlive the thread
    }
    mine.add(v);
}

}  // namespace artel::detail
