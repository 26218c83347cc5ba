// The vector of what the library and programs hand to each other. libstdc++'s debug mode
// (_GLIBCXX_DEBUG) gives std::vector further members; the library was compiled without, so a
// program that is compiled with it uses the vector beneath, which may be assigned from the other.
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
