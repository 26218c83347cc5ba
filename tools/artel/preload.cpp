// See preload.hpp.
#include "artel/preload.hpp"

#include "artel/command.hpp"
#include "artel/library.hpp"
#include "base/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

namespace artel::tool {

namespace {

// libasan.so.8, libclang_rt.asan-x86_64.so, ...
bool is_sanitizer(const std::string& library)
{
    const auto name = library.substr(library.rfind('/') + 1);  // npos + 1 is 0
    for (const char* word : {"asan", "tsan", "ubsan", "lsan"})
        if (name.starts_with("lib") && name.find(word) != name.npos)
            return true;
    return false;
}

// LD_PRELOAD with our libraries in front of what the user has there, without `left_out`. Sanitizer
// runtimes stay first, as they have to be.
std::string preload_value(const std::vector<std::string>& libraries, const std::string& left_out,
                          const char* current)
{
    std::string first, rest;
    bool only_sanitizers = true;
    std::string text = current == nullptr ? "" : current;
    std::replace(text.begin(), text.end(), ':', ' ');  // the loader takes both as separators
    std::istringstream items(text);
    for (std::string item; items >> item;) {
        if (item == left_out ||
            std::find(libraries.begin(), libraries.end(), item) != libraries.end())
            continue;
        only_sanitizers = only_sanitizers && is_sanitizer(item);
        (only_sanitizers ? first : rest) += only_sanitizers ? item + ":" : ":" + item;
    }
    return first + fmt::format("{}", fmt::join(libraries, ":")) + rest;
}

// The libraries to preload. If the second one is missing, everything else works.
std::vector<std::string> libraries_to_preload(const std::string& openmp)
{
    std::vector<std::string> result{openmp};
    // As the library reads it, which reports a wrong value.
    const auto parsed = base::parse_options([](const char* name) -> const char* {
        return std::string_view(name) == "ARTEL_BLAS" ? std::getenv(name) : nullptr;
    });
    if (parsed.values.blas)
        if (const auto openblas = find_openblas_library(); !openblas.empty())
            result.push_back(openblas);
    return result;
}

// The library, if LD_PRELOAD can express its path.
std::string preloadable(const std::string& library)
{
    if (library.find_first_of(": ") != library.npos)
        throw command_error(
            run_failed,
            fmt::format("the path '{}' has a blank or a colon, which LD_PRELOAD cannot express; "
                        "install Artel elsewhere",
                        library));
    return library;
}

std::string require_tbb_library()
{
    const auto library = find_tbb_library();
    if (library.empty())
        throw command_error(run_failed,
                            fmt::format("--tbb: cannot find {}, which belongs beside {}; the "
                                        "Debian package libartel-tbb has it",
                                        tbb_library, openmp_library));
    return preloadable(library);
}

// A program that needs libtbb.so.12, at its start or later, finds ours first, unless it names
// another folder by DT_RPATH; other programs do not load it. A path that LD_LIBRARY_PATH cannot
// express is left out.
void lead_to_tbb_library()
{
    const auto folder = find_tbb_folder();
    if (folder.empty() || folder.find_first_of(":;") != folder.npos)
        return;
    const char* const variable = std::getenv("LD_LIBRARY_PATH");
    const std::string before = variable == nullptr ? "" : variable;
    if (before != folder && !before.starts_with(folder + ":"))
        ::setenv("LD_LIBRARY_PATH", (before.empty() ? folder : folder + ":" + before).c_str(), 1);
}

// Takes back what an `artel run` around this one has done for its own program.
void lead_away_from_tbb_library()
{
    const auto folder = find_tbb_folder();
    const char* const variable = std::getenv("LD_LIBRARY_PATH");
    if (folder.empty() || variable == nullptr)
        return;
    const auto entry = fmt::format(":{}:", folder);
    auto entries = fmt::format(":{}:", variable);
    if (entries.find(entry) == entries.npos)
        return;
    for (std::size_t at = 0; (at = entries.find(entry)) != entries.npos;)
        entries.erase(at, entry.size() - 1);
    if (entries.size() == 1)
        ::unsetenv("LD_LIBRARY_PATH");
    else
        ::setenv("LD_LIBRARY_PATH", entries.substr(1, entries.size() - 2).c_str(), 1);
}

}  // namespace

std::string require_openmp_library()
{
    const auto library = find_openmp_library();
    if (library.empty())
        throw command_error(run_failed,
                            fmt::format("cannot find {}; looked for {}", openmp_library,
                                        fmt::join(openmp_library_candidates(), " and ")));
    return preloadable(library);
}

void give_libraries(const std::string& openmp, tbb_use tbb)
{
    auto libraries = libraries_to_preload(openmp);
    if (tbb == tbb_use::preloaded)
        libraries.push_back(require_tbb_library());
    else if (tbb == tbb_use::found)
        lead_to_tbb_library();
    else
        lead_away_from_tbb_library();
    const auto left_out = tbb == tbb_use::left_alone ? find_tbb_library() : std::string{};
    ::setenv("LD_PRELOAD", preload_value(libraries, left_out, std::getenv("LD_PRELOAD")).c_str(),
             1);
}

}  // namespace artel::tool
