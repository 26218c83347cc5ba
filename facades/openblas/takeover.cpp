// One thread searches at a time. Others leave a request and go on, because the searcher may wait
// for the dynamic linker while they hold its lock.
#include "takeover.hpp"

#include "base/cpu.hpp"
#include "base/options.hpp"
#include "callers.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/loaded_object.hpp"
#include "fork.hpp"
#include "number.hpp"
#include "stand_before.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace artel::openblas {
namespace {

foreign::fork_safe_lock finding;
// How often threads that load a library have requested a search. The holder of the lock calls the
// dynamic linker, and may wait there for a thread that is loading a library; so such threads do not
// wait for the lock, but only leave their request here.
std::atomic<unsigned> asked_for{0};
std::array<library*, 16> shown{};
std::atomic<unsigned> shown_count{0};

// Debian's libblas.so.3 and liblapack.so.3 wrap an OpenBLAS with entry points of their own. Those
// that were handled; under the lock.
std::array<std::uintptr_t, 32> fronts{};
unsigned front_count = 0;

// The results of a search. All libraries have to stay loaded, because we write their numbers and
// call their functions from now on.
struct findings {
    std::vector<library*> libraries;
    std::vector<std::string> names;
};

struct search {
    std::vector<dl_phdr_info> fresh;
    std::vector<dl_phdr_info> fronts;  // perhaps
    std::vector<dl_phdr_info> all;
};

int note(dl_phdr_info* info, std::size_t, void* argument)
{
    auto& found = *static_cast<search*>(argument);
    found.all.push_back(*info);
    const foreign::loaded_object object(*info);
    // One built for OpenMP asks the OpenMP runtime at each call.
    if (may_have_number(object) && !object.needs("libgomp") && !object.needs("libomp") &&
        !object.needs("libiomp5")) {
        found.fresh.push_back(*info);
    }
    if (object.needs("libopenblas")) {
        found.fronts.push_back(*info);
    }
    return 0;
}

// The number of objects loaded so far in this process; under the lock.
int note_loads(dl_phdr_info* info, std::size_t, void* loads)
{
    *static_cast<unsigned long long*>(loads) = info->dlpi_adds;
    return 1;
}

bool is_known(std::uintptr_t base) noexcept
{
    return std::ranges::any_of(known(), [&](const library* each) { return each->base == base; });
}

bool take_over(const dl_phdr_info& info, const std::vector<dl_phdr_info>& all)
{
    const image object(info);
    library::names names;
    if (!is_openblas(object, names)) {
        return false;
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
    if (of->number == nullptr || of->set_number == nullptr || !stand_before(*of, object, all)) {
        return false;
    }
    const unsigned index = shown_count.load(std::memory_order_relaxed);  // relaxed: under the lock
    shown[index] = of.release();
    // release: pairs with the acquire in known().
    shown_count.store(index + 1, std::memory_order_release);
    return true;
}

// The library whose number it reads; nullptr: none of the known ones.
library* in_front_of(const image& object) noexcept
{
    library* found = nullptr;
    object.each_reference([&](void** slot, const ElfW(Sym) & symbol) {
        if (std::string_view(object.name_of(symbol)) == "blas_cpu_number") {
            const auto all = known();
            const auto of = std::ranges::find_if(
                all, [&](const library* each) { return each->number == *slot; });
            found = of != all.end() ? *of : found;
        }
    });
    return found;
}

void take_over_front(const dl_phdr_info& info, const std::vector<dl_phdr_info>& all,
                     findings& new_ones)
{
    const image object(info);
    if (front_count == fronts.size() || std::ranges::find(fronts, object.base()) != fronts.end()) {
        return;
    }
    library* const of = in_front_of(object);
    if (of != nullptr && of->base != object.base() && stand_before(*of, object, all)) {
        fronts[front_count++] = object.base();
        new_ones.names.emplace_back(info.dlpi_name);
    }
}

// Called by the holder of the lock.
findings find_new()
{
    findings result;
    static unsigned long long seen = 0;
    unsigned long long loads = 0;
    foreign::visit_loaded_objects(note_loads, &loads);
    if (std::exchange(seen, loads) == loads) {
        return result;
    }
    search found;
    foreign::visit_loaded_objects(note, &found);
    result.libraries.reserve(shown.size());
    result.names.reserve(shown.size() + fronts.size());
    for (const dl_phdr_info& each : found.fresh) {
        // relaxed (two): under the lock.
        if (shown_count.load(std::memory_order_relaxed) < shown.size() &&
            !is_known(each.dlpi_addr) && take_over(each, found.all)) {
            result.libraries.push_back(shown[shown_count.load(std::memory_order_relaxed) - 1]);
            result.names.push_back(result.libraries.back()->path);
        }
    }
    for (const dl_phdr_info& each : found.fronts) {
        take_over_front(each, found.all, result);
    }
    return result;
}

// Without the lock: a fork takes the lock of the callers' numbers before ours, and a thread that is
// loading a library holds the linker's lock while it waits for ours.
void serve(const findings& fresh) noexcept
{
    for (const std::string& each : fresh.names) {
        ::dlopen(each.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
    for (library* const each : fresh.libraries) {
        wait_before_forks();
        add(*each);
    }
}

// `hold` has the lock; searches again as long as there are new requests.
unsigned look(std::unique_lock<foreign::fork_safe_lock>& hold)
{
    unsigned found = 0;
    for (;;) {
        // acquire: what they have loaded is there.
        const unsigned asked = asked_for.load(std::memory_order_acquire);
        const findings fresh = find_new();
        hold.unlock();
        serve(fresh);
        found += static_cast<unsigned>(fresh.libraries.size());
        // Pairs with the exchanges in take_over_loaded(): the request of a thread that found the
        // lock taken, before it was released above, is seen here.
        base::full_fence();
        if (asked_for.load(std::memory_order_acquire) == asked ||  // acquire: as above
            !hold.try_lock()) {
            return found;
        }
    }
}

}  // namespace

unsigned take_over_new() noexcept
try {
    if (!base::options().blas) {
        return 0;
    }
    std::unique_lock hold(finding);
    return look(hold);
} catch (const std::bad_alloc&) {
    return 0;
}

void take_over_loaded() noexcept
try {
    if (!base::options().blas) {
        return;
    }
    // seq_cst: see look(). A fork also holds the lock for a moment, and does not search: a library
    // loaded at that moment is found when the next one is loaded.
    asked_for.fetch_add(1, std::memory_order_seq_cst);
    if (std::unique_lock hold(finding, std::try_to_lock); hold) {
        look(hold);
    }
} catch (const std::bad_alloc&) {
}

std::span<library* const> known() noexcept
{
    // acquire: pairs with the release in take_over().
    return {shown.data(), shown_count.load(std::memory_order_acquire)};
}

}  // namespace artel::openblas
