// The small objects of the C interface are the C++ objects under another name. Inside src/capi
// only.
#pragma once

#include <new>

namespace artel::capi {

// `c` as the C++ object that it is.
template <class Object, class C>
Object& view(C* c) noexcept
{
    static_assert(sizeof(C) == sizeof(Object) && alignof(C) == alignof(Object));
    return *std::launder(reinterpret_cast<Object*>(c));
}
template <class Object, class C>
const Object& view(const C* c) noexcept
{
    return view<Object>(const_cast<C*>(c));
}

// A function of the program's with its argument. An exception of it ends the program.
struct call {
    void (*function)(void*);
    void* context;
    void operator()() const noexcept { function(context); }
};

}  // namespace artel::capi
