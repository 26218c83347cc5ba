// ABT_thread_attr_*.
#include "runtime.hpp"

using namespace artel::argobots;

namespace {

template <class Change>
int with(ABT_thread_attr handle, Change&& change) noexcept
{
    auto* const a = object<thread_attributes>(handle);
    if (a == nullptr) {
        return ABT_ERR_INV_THREAD_ATTR;
    }
    change(*a);
    return ABT_SUCCESS;
}

// As `with`, with the size of stacks, which is the runtime's without an own.
template <class Use>
int with_size(ABT_thread_attr handle, Use&& use) noexcept
{
    const auto* const a = object<thread_attributes>(handle);
    const runtime* const r = current();
    if (a == nullptr || r == nullptr) {
        return a == nullptr ? ABT_ERR_INV_THREAD_ATTR : ABT_ERR_UNINITIALIZED;
    }
    use(*a, a->stack_size != 0 ? a->stack_size : r->in_force.thread_stack_size);
    return ABT_SUCCESS;
}

}  // namespace

extern "C" {

int ABT_thread_attr_create(ABT_thread_attr* made)
{
    *made = ABT_THREAD_ATTR_NULL;
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    auto* const a = make<thread_attributes>();
    if (a == nullptr) {
        return ABT_ERR_MEM;
    }
    *made = reinterpret_cast<ABT_thread_attr>(a);
    return ABT_SUCCESS;
}
int ABT_thread_attr_free(ABT_thread_attr* handle)
{
    const int error = with(*handle, [](thread_attributes& a) { drop(&a); });
    if (error == ABT_SUCCESS) {
        *handle = ABT_THREAD_ATTR_NULL;
    }
    return error;
}
int ABT_thread_attr_set_stack(ABT_thread_attr handle, void* stack, size_t size)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    if (object<thread_attributes>(handle) == nullptr) {
        return ABT_ERR_INV_THREAD_ATTR;
    }
    if (stack != nullptr && (reinterpret_cast<std::uintptr_t>(stack) & 7) != 0) {
        return ABT_ERR_INV_ARG;
    }
    return with(handle, [&](thread_attributes& a) {
        a.stack = stack;
        a.stack_size = size;
    });
}
int ABT_thread_attr_get_stack(ABT_thread_attr handle, void** stack, size_t* size)
{
    return with_size(handle, [&](const thread_attributes& a, std::size_t bytes) {
        *stack = a.stack;
        *size = bytes;
    });
}
int ABT_thread_attr_set_stacksize(ABT_thread_attr handle, size_t size)
{
    if (current() == nullptr) {
        return ABT_ERR_UNINITIALIZED;
    }
    return with(handle, [&](thread_attributes& a) { a.stack_size = size; });
}
int ABT_thread_attr_get_stacksize(ABT_thread_attr handle, size_t* size)
{
    return with_size(handle, [&](const thread_attributes&, std::size_t bytes) { *size = bytes; });
}
int ABT_thread_attr_set_callback(ABT_thread_attr handle, void (*callback)(ABT_thread, void*),
                                 void* argument)
{
    return with(handle, [&](thread_attributes& a) {
        a.callback = callback;
        a.callback_argument = argument;
    });
}
int ABT_thread_attr_set_migratable(ABT_thread_attr handle, ABT_bool migratable)
{
    return with(handle, [&](thread_attributes& a) { a.migratable = migratable != ABT_FALSE; });
}
}
