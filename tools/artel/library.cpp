// See library.hpp.
#include "artel/library.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <sys/auxv.h>
#include <system_error>

namespace artel::tool {

namespace fs = std::filesystem;

namespace {

// The folder of `artel`, for its helpers too (helper.hpp); empty if it cannot be found out.
fs::path tool_folder()
{
    std::error_code error;
    auto self = fs::read_symlink("/proc/self/exe", error);
    if (error) {  // no /proc; then as it was named when it was started, which a link may be
        const auto* const name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
        self = fs::canonical(name == nullptr ? "" : name, error);
        if (error)
            return {};
    }
    const auto name = self.filename();
    if (name == "artel-lab" || name == "artel-mpi")
        return self.parent_path() / ARTEL_BINDIR_FROM_HELPERS;
    return self.parent_path();
}

// The paths where a library of ours may be: each of these folders, below a folder of libraries.
std::vector<std::string> candidates(const char* library,
                                    std::initializer_list<const char*> subfolders)
{
    const auto bindir = tool_folder();
    if (bindir.empty())
        return {};
    std::vector<std::string> result;
    for (const char* libdir : {ARTEL_LIBDIR_FROM_BINDIR, "../lib"})
        for (const char* subfolder : subfolders) {
            const auto path = (bindir / libdir / subfolder / library).lexically_normal().string();
            if (std::find(result.begin(), result.end(), path) == result.end())
                result.push_back(path);
        }
    return result;
}

std::string first_that_exists(const std::vector<std::string>& paths)
{
    std::error_code error;
    for (const auto& path : paths)
        if (fs::exists(path, error))
            return path;
    return {};
}

}  // namespace

std::vector<std::string> openmp_library_candidates()
{
    // The library's soname is libgomp.so.1, for which ldconfig would make a link in any folder that
    // it scans, and so give it to the whole system; hence a folder of its own comes first.
    return candidates(openmp_library, {"artel", "."});
}

std::string find_openmp_library()
{
    return first_that_exists(openmp_library_candidates());
}

std::string find_tbb_library()
{
    return first_that_exists(candidates(tbb_library, {"artel", "."}));
}

std::string find_tbb_folder()
{
    const auto library = first_that_exists(candidates("libtbb.so.12", {"artel/tbb", "tbb"}));
    return fs::path(library).parent_path().string();
}

std::string find_openblas_library()
{
    return first_that_exists(candidates("libartel-openblas.so.1", {"artel", "."}));
}

std::string core_library_path()
{
    const auto found = first_that_exists(candidates("libartel.so.0", {"."}));
    std::error_code error;
    const auto path = fs::canonical(found, error);
    return error ? found : path.string();
}

std::string helper_path(std::string_view name)
{
    const auto bindir = tool_folder();
    if (bindir.empty())  // not below the current folder
        return {};
    const auto file = "artel-" + std::string(name);
    return (bindir / ARTEL_HELPERS_FROM_BINDIR / file).lexically_normal().string();
}

}  // namespace artel::tool
