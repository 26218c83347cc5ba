// See library.hpp.
#include "artel/library.hpp"

#include "base/options.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <system_error>

namespace artel::tool {

namespace fs = std::filesystem;

std::vector<std::string> openmp_library_candidates()
{
    std::error_code error;
    const auto self = fs::read_symlink("/proc/self/exe", error);
    if (error)
        return {};
    // The library's soname is libgomp.so.1, for which ldconfig would make a link in any folder that it scans, and so give
    // it to the whole system; hence a folder of its own comes first.
    const auto bindir = self.parent_path();
    std::vector<std::string> result;
    for (const char* libdir : {ARTEL_LIBDIR_FROM_BINDIR, "../lib"})
        for (const char* subfolder : {"artel", "."}) {
            const auto path = (bindir / libdir / subfolder / openmp_library).lexically_normal().string();
            if (std::find(result.begin(), result.end(), path) == result.end())
                result.push_back(path);
        }
    return result;
}

std::string find_openmp_library()
{
    std::error_code error;
    for (const auto& path : openmp_library_candidates())
        if (fs::exists(path, error))
            return path;
    return {};
}

std::string core_library_path()
{
    Dl_info found{};
    std::error_code error;
    if (::dladdr(reinterpret_cast<void*>(&base::option_table), &found) == 0 || found.dli_fname == nullptr)
        return {};
    const auto path = fs::canonical(found.dli_fname, error);
    return error ? std::string(found.dli_fname) : path.string();
}

}  // namespace artel::tool
