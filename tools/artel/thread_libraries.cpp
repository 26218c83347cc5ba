// The table of libraries that start threads, by their names, and what `artel doctor` says of each.
#include "artel/thread_libraries.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>

namespace artel::tool {

namespace {

namespace fs = std::filesystem;

enum class server { crew, crew_by_ours, told_by_ours, own_threads, runtime_below, nobody };

// A kind of library, recognised by the beginning of its file's name or its soname.
struct kind {
    std::string_view beginning;
    std::string_view family;
    server by;
};

// The first that fits counts, so ours come first: a file of ours has the stock library's soname.
constexpr kind kinds[] = {
    {"libgomp-artel.", "OpenMP", server::crew},
    {"libtbb-artel.", "oneTBB", server::crew},
    {"libqthread-artel.", "Qthreads", server::crew},
    {"libabt-artel.", "Argobots", server::crew},
    {"libartel-openblas.", "OpenBLAS", server::crew},
    {"libgomp.", "OpenMP", server::crew_by_ours},
    {"libgomp-", "OpenMP", server::crew_by_ours},  // in Python's wheels
    {"libomp.", "OpenMP", server::crew_by_ours},
    {"libomp-", "OpenMP", server::crew_by_ours},
    {"libiomp5", "OpenMP", server::crew_by_ours},
    {"libtbb.", "oneTBB", server::own_threads},
    {"libtbb-", "oneTBB", server::own_threads},
    {"libqthread.", "Qthreads", server::own_threads},
    {"libabt.", "Argobots", server::own_threads},
    {"libopenblas", "OpenBLAS", server::told_by_ours},
    {"libscipy_openblas", "OpenBLAS", server::told_by_ours},
    {"libmkl_rt", "MKL", server::own_threads},
    {"libmkl_gnu_thread", "MKL", server::runtime_below},
    {"libmkl_intel_thread", "MKL", server::runtime_below},
    {"libmkl_tbb_thread", "MKL", server::runtime_below},
    {"libmkl_sequential", "MKL", server::nobody},
    {"libblis", "BLIS", server::own_threads},
};

// nullptr: the library starts no threads.
const kind* kind_of(const image& of)
{
    const fs::path path = of.path;
    const auto name = path.filename().string();
    std::error_code error;
    const auto real = fs::canonical(path, error).filename().string();
    // Debian's libblas.so.3 may be a link to OpenBLAS, or lie in its folder.
    if ((name.starts_with("libblas.") || name.starts_with("liblapack.")) &&
        path.parent_path().filename().string().starts_with("openblas"))
        return &*std::find_if(std::begin(kinds), std::end(kinds),
                              [](const kind& k) { return k.beginning == "libopenblas"; });
    for (const auto& k : kinds)
        if (name.starts_with(k.beginning) || real.starts_with(k.beginning) ||
            (k.by != server::crew && of.says.soname.starts_with(k.beginning)))
            return &k;
    return nullptr;
}

// Which of the images need the library, by its soname or its file's name.
std::vector<std::string> who_asked(const image& of, const std::vector<image>& all)
{
    std::vector<std::string> result;
    const auto name = fs::path(of.path).filename().string();
    for (const auto& other : all)
        for (const auto& needed : other.says.needed)
            if (needed == of.says.soname || needed == name) {
                result.push_back(other.path);
                break;
            }
    return result;
}

}  // namespace

std::vector<finding> examine(const std::vector<image>& images)
{
    std::vector<const kind*> all;  // of each image
    std::transform(images.begin(), images.end(), std::back_inserter(all), kind_of);
    const auto is_there = [&](std::string_view beginning) {
        return std::any_of(all.begin(), all.end(), [&](const kind* k) {
            return k != nullptr && k->beginning == beginning;
        });
    };
    const bool openmp = is_there("libgomp-artel."), openblas = is_there("libartel-openblas.");
    std::vector<finding> result;
    for (std::size_t i = 0; i < images.size(); ++i) {
        const image& it = images[i];
        const kind* const k = all[i];
        if (k == nullptr)
            continue;
        finding found{k->family, it.path, {}, false, who_asked(it, images)};
        const bool above_openmp = std::any_of(
            it.says.needed.begin(), it.says.needed.end(), [](const std::string& name) {
                return name.starts_with("libgomp") || name.starts_with("libomp") ||
                       name.starts_with("libiomp5");
            });
        switch (k->by) {
        case server::crew: found.served = "the crew"; break;
        case server::crew_by_ours:
            found.served = openmp ? "the crew, through libgomp-artel" : "threads of its own";
            found.could_be = !openmp;
            break;
        case server::told_by_ours:
            if (above_openmp) {
                found.served = "its OpenMP runtime";
            } else {
                found.served = openblas
                                   ? "threads of its own, told by Artel how many to use"
                                   : "threads of its own (ARTEL_BLAS=true has it told how many)";
                found.could_be = !openblas;
            }
            break;
        case server::own_threads:
            found.served = "threads of its own";
            found.could_be = k->family == "oneTBB";
            break;
        case server::runtime_below: found.served = "the runtime that it needs"; break;
        case server::nobody: found.served = "no threads"; break;
        }
        result.push_back(std::move(found));
    }
    return result;
}

}  // namespace artel::tool
