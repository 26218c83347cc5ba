// A library is an OpenBLAS by the function that sets its number of threads, whose name may have a
// prefix and a suffix of its build.
#include "library.hpp"

namespace artel::openblas {

std::string_view library::names::plain(std::string_view name) const noexcept
{
    const bool ours = name.size() > prefix.size() + suffix.size() && name.starts_with(prefix) &&
                      name.ends_with(suffix);
    return ours ? name.substr(prefix.size(), name.size() - prefix.size() - suffix.size())
                : std::string_view{};
}

bool is_openblas(const image& object, library::names& found) noexcept
{
    constexpr std::string_view setter = "openblas_set_num_threads";
    bool may_be_another = false;
    for (const ElfW(Sym) & symbol : object.symbols()) {
        const std::string_view name = object.name_of(symbol);
        const auto at = name.find(setter);
        if (at == name.npos || !image::is_function(symbol)) {
            continue;
        }
        const std::string_view after = name.substr(at + setter.size());
        // not the one for Fortran, openblas_set_num_threads_, nor openblas_set_num_threads_local
        if (after.empty() || after == "64_" || after == "64") {
            found = {name.substr(0, at), after};
            return true;
        }
        // With the suffix 64 this is the one for Fortran, and that for C may come later.
        if (after == "_64") {
            found = {name.substr(0, at), after};
            may_be_another = true;
        }
    }
    return may_be_another;
}

}  // namespace artel::openblas
