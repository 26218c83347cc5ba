// Sorting in C: <artel/c/sort.h>. Elements of 4 and 8 bytes are sorted in place, as integers that
// only the program's comparison interprets; all others by their addresses, and moved to their
// places afterwards, so that each is copied twice, independently of the number of comparisons.
#include <artel/c/sort.h>
#include <artel/parallel_for.hpp>
#include <artel/parallel_sort.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace {

using comparison = int (*)(const void*, const void*, void*);

template <class Element>
int sort_in_place(Element* first, std::size_t count, comparison compare, void* context) noexcept
{
    artel::parallel_sort(first, first + count, [=](const Element& a, const Element& b) noexcept {
        return compare(&a, &b, context) < 0;
    });
    return 0;
}

template <class Element>
bool fits(const void* base, std::size_t size) noexcept
{
    return size == sizeof(Element) &&
           reinterpret_cast<std::uintptr_t>(base) % alignof(Element) == 0;
}

template <bool stable>
int sort_by_address(char* base, std::size_t count, std::size_t size, comparison compare,
                    void* context)
try {
    const std::unique_ptr<const char*[]> at(new const char*[count]);
    const std::unique_ptr<char[]> copy(new char[count * size]);
    artel::parallel_for(std::size_t{0}, count, [&](std::size_t i) { at[i] = base + i * size; });
    const auto less = [=](const char* a, const char* b) noexcept {
        return compare(a, b, context) < 0;
    };
    if constexpr (stable) {
        artel::parallel_stable_sort(at.get(), at.get() + count, less);
    } else {
        artel::parallel_sort(at.get(), at.get() + count, less);
    }
    artel::parallel_for(std::size_t{0}, count,
                        [&](std::size_t i) { std::memcpy(copy.get() + i * size, at[i], size); });
    artel::parallel_for(artel::blocked_range<std::size_t>(0, count), [&](const auto& part) {
        std::memcpy(base + part.begin() * size, copy.get() + part.begin() * size,
                    part.size() * size);
    });
    return 0;
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

}  // namespace

extern "C" int artel_parallel_sort(void* base, size_t count, size_t size,
                                   int (*compare)(const void* a, const void* b, void* context),
                                   void* context)
{
    if (size == 0) {
        return EINVAL;
    }
    if (count < 2) {
        return 0;
    }
    if (fits<std::uint32_t>(base, size)) {
        return sort_in_place(static_cast<std::uint32_t*>(base), count, compare, context);
    }
    if (fits<std::uint64_t>(base, size)) {
        return sort_in_place(static_cast<std::uint64_t*>(base), count, compare, context);
    }
    return sort_by_address<false>(static_cast<char*>(base), count, size, compare, context);
}

extern "C" int artel_parallel_stable_sort(void* base, size_t count, size_t size,
                                          int (*compare)(const void* a, const void* b,
                                                         void* context),
                                          void* context)
{
    if (size == 0) {
        return EINVAL;
    }
    if (count < 2) {
        return 0;
    }
    return sort_by_address<true>(static_cast<char*>(base), count, size, compare, context);
}
