// What of fmt is no template, compiled once: with FMT_HEADER_ONLY every file that formats anything
// compiles all of it again, which is three of four seconds of such a file. Debian has the compiled
// form as a shared library only, which a runtime inside of other people's programs must not bring
// along. Used when CMake finds that it works with the installed fmt (artel_fmt.cmake).
#include <fmt/format-inl.h>

// The headers promise that these are instantiated in one place.
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
#if FMT_VERSION >= 100000
template FMT_API void buffer<char>::append(const char*, const char*);
#endif
}  // namespace detail
FMT_END_NAMESPACE
