// A search visits the loaded objects twice, while none of them can be unloaded: to find candidates,
// and to change them and those that refer to them. In between each is pinned, and its changes are
// prepared, without any lock of ours: there the dynamic linker is asked, which may have to wait for
// a thread that is loading a library, and that one may fork or search itself.
#include "takeover.hpp"

#include "base/options.hpp"
#include "callers.hpp"
#include "foreign/loaded_object.hpp"
#include "fork.hpp"
#include "number.hpp"
#include "stand_before.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <memory>
#include <string_view>
#include <vector>

namespace artel::openblas {
namespace {

// All are changed during visits of the loaded objects, which one thread makes at a time.
std::array<library*, 16> shown{};
std::atomic<unsigned> shown_count{0};
// Debian's libblas.so.3 and liblapack.so.3 wrap an OpenBLAS with entry points of their own. Those
// that were handled.
std::array<std::uintptr_t, 32> fronts{};
unsigned front_count = 0;

// How many objects had been loaded in this process at the last search that has ended.
std::atomic<unsigned long long> seen{0};

struct candidate {
    dl_phdr_info info;
    std::string path;
    library* of = nullptr;           // a known one, before which this has entry points of its own
    std::unique_ptr<library> fresh;  // or this one, which is new
    std::unique_ptr<standing_before> ours;
    bool taken_over = false;
};

bool is_known(std::uintptr_t base) noexcept
{
    return std::ranges::any_of(known(), [&](const library* each) { return each->base == base; });
}

bool is_known_front(std::uintptr_t base) noexcept
{
    return std::ranges::find(fronts, base) != fronts.end();
}

std::unique_ptr<library> new_library(const dl_phdr_info& info)
{
    // One built for OpenMP asks the OpenMP runtime at each call.
    const foreign::loaded_object loaded(info);
    if (known().size() == shown.size() || is_known(info.dlpi_addr) || !may_have_number(loaded) ||
        loaded.needs("libgomp") || loaded.needs("libomp") || loaded.needs("libiomp5")) {
        return nullptr;
    }
    const image object(info);
    library::names names;
    if (!is_openblas(object, names)) {
        return nullptr;
    }
    auto of = std::make_unique<library>();
    of->path = info.dlpi_name;
    of->base = object.base();
    of->prefix_text = names.prefix;
    of->suffix_text = names.suffix;
    of->called = {of->prefix_text, of->suffix_text};
    of->number = find_number(object, names);
    of->set_number = reinterpret_cast<library::set_function*>(
        object.defined((of->prefix_text + "openblas_set_num_threads" + of->suffix_text).c_str()));
    return of->number != nullptr && of->set_number != nullptr ? std::move(of) : nullptr;
}

// The library whose number it reads; nullptr: none of the known ones.
library* in_front_of(const dl_phdr_info& info) noexcept
{
    if (front_count == fronts.size() || is_known_front(info.dlpi_addr) ||
        !foreign::loaded_object(info).needs("libopenblas")) {
        return nullptr;
    }
    const image object(info);
    library* found = nullptr;
    object.each_reference([&](void** slot, const ElfW(Sym) & symbol) {
        if (std::string_view(object.name_of(symbol)) == "blas_cpu_number") {
            const auto all = known();
            const auto of = std::ranges::find_if(
                all, [&](const library* each) { return each->number == *slot; });
            found = of != all.end() ? *of : found;
        }
    });
    return found != nullptr && found->base != object.base() ? found : nullptr;
}

using candidates = std::vector<candidate>;

void find_libraries(std::span<const dl_phdr_info> all, void* found)
{
    for (const dl_phdr_info& each : all) {
        if (auto fresh = new_library(each)) {
            library* const of = fresh.get();
            static_cast<candidates*>(found)->push_back(
                {each, each.dlpi_name, of, std::move(fresh), nullptr});
        }
    }
}

void find_fronts(std::span<const dl_phdr_info> all, void* found)
{
    for (const dl_phdr_info& each : all) {
        if (library* const of = in_front_of(each)) {
            static_cast<candidates*>(found)->push_back(
                {each, each.dlpi_name, of, nullptr, nullptr});
        }
    }
}

// It has to stay loaded, because we write its number and call its functions from now on. False: it
// has been unloaded.
bool pin(const candidate& of) noexcept
{
    void* const handle = ::dlopen(of.path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    const link_map* map = nullptr;
    return handle != nullptr && ::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 &&
           map->l_addr == of.info.dlpi_addr;
}

// Another thread may have been first.
void take_over(candidate& found, std::span<const dl_phdr_info> all) noexcept
{
    const std::uintptr_t base = found.info.dlpi_addr;
    if (found.fresh == nullptr) {
        if (front_count != fronts.size() && !is_known_front(base) && found.ours->begin(all)) {
            fronts[front_count++] = base;
        }
        return;
    }
    const unsigned index = shown_count.load(std::memory_order_relaxed);  // relaxed: see above
    if (index == shown.size() || is_known(base) || !found.ours->begin(all)) {
        return;
    }
    shown[index] = found.fresh.release();
    // release: pairs with the acquire in known().
    shown_count.store(index + 1, std::memory_order_release);
    found.taken_over = true;
}

void take_over_all(std::span<const dl_phdr_info> all, void* found)
{
    for (candidate& each : *static_cast<candidates*>(found)) {
        if (each.ours != nullptr) {
            take_over(each, all);
        }
    }
}

// False: there is no memory.
bool search(void (*find)(std::span<const dl_phdr_info>, void*), unsigned& count)
{
    candidates found;
    if (!foreign::with_loaded_objects(find, &found)) {
        return false;
    }
    if (found.empty()) {
        return true;
    }
    for (candidate& each : found) {
        if (pin(each)) {
            each.ours = std::make_unique<standing_before>(*each.of, image(each.info));
        }
    }
    const bool done = foreign::with_loaded_objects(take_over_all, &found);
    for (const candidate& each : found) {
        if (each.taken_over) {
            wait_before_forks();
            add(*each.of);
            ++count;
        }
    }
    return done;
}

int note_loads(dl_phdr_info* info, std::size_t, void* loads)
{
    *static_cast<unsigned long long*>(loads) = info->dlpi_adds;
    return 1;
}

}  // namespace

unsigned take_over_new() noexcept
{
    unsigned count = 0;
    unsigned long long loads = 0;
    if (!base::options().blas) {
        return count;
    }
    foreign::visit_loaded_objects(note_loads, &loads);
    // relaxed, both: a number by itself. Who sees an old one searches in vain.
    if (seen.load(std::memory_order_relaxed) == loads) {
        return count;
    }
    try {
        if (search(find_libraries, count) && search(find_fronts, count)) {
            seen.store(loads, std::memory_order_relaxed);
        }
    } catch (const std::bad_alloc&) {
    }
    return count;
}

std::span<library* const> known() noexcept
{
    // acquire: pairs with the release in take_over().
    return {shown.data(), shown_count.load(std::memory_order_acquire)};
}

}  // namespace artel::openblas
