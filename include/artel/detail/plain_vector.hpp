// The vector that the library and programs pass to each other. libstdc++'s debug mode
// (_GLIBCXX_DEBUG) gives std::vector further members, but the library is compiled without it. So a
// program that uses the debug mode gets the base class, which can be assigned from the other.
#pragma once

#include <vector>

namespace artel::detail {

#if defined(_GLIBCXX_DEBUG)
template <class T>
using plain_vector = std::_GLIBCXX_STD_C::vector<T>;
#else
template <class T>
using plain_vector = std::vector<T>;
#endif

}  // namespace artel::detail
