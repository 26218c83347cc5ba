#include "capi/own_values.hpp"

#include <atomic>
#include <utility>

namespace artel::detail {

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
    own_values_of_caller().add(v);
}

}  // namespace artel::detail
