#include "takeover.hpp"

#include "base/options.hpp"
#include "callers.hpp"
#include "entry.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/loaded_object.hpp"
#include "routine.hpp"

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

extern "C" {
// What the setters and getters of the library lead to.
void artel_openblas_set(int threads, void* of) noexcept
{
    limit(*static_cast<library*>(of), threads);
}

void artel_openblas_set_by_reference(const int* threads, void* of) noexcept
{
    limit(*static_cast<library*>(of), *threads);
}

int artel_openblas_set_local(int threads, void* of) noexcept
{
    return limit(*static_cast<library*>(of), threads);
}

int artel_openblas_get(void* of) noexcept
{
    return limit_of(*static_cast<library*>(of));
}
}

// Its own functions by what replaces them.
class replacements {
public:
    void add(void* before, void* after) { all_.emplace_back(before, after); }
    void sort() { std::ranges::sort(all_); }
    void* of(const void* before) const noexcept
    {
        const auto at = std::ranges::lower_bound(
            all_, before, {}, [](const auto& each) -> const void* { return each.first; });
        return at != all_.end() && at->first == before ? at->second : nullptr;
    }

private:
    std::vector<std::pair<void*, void*>> all_;
};

// Nullptr for functions that stay as they are.
void* replacement_for(library& of, void* target, std::string_view plain, entry_page& page)
{
    const auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
    if (plain == "openblas_set_num_threads" || plain == "goto_set_num_threads") {
        return page.with_second(address(artel_openblas_set), &of);
    }
    if (plain == "openblas_set_num_threads_") {
        return page.with_second(address(artel_openblas_set_by_reference), &of);
    }
    if (plain == "openblas_set_num_threads_local") {
        return page.with_second(address(artel_openblas_set_local), &of);
    }
    if (plain == "openblas_get_num_threads" || plain == "openblas_get_num_threads_") {
        return page.with_first(address(artel_openblas_get), &of);
    }
    const bool wide = of.called.suffix.find("64") != std::string_view::npos;
    const auto of_blas = routine(plain, wide);
    return of_blas ? page.call(target, *of_blas) : nullptr;
}

// Whether references of the library itself lead to somebody else's function of that name, which was
// loaded before: those that are not resolved yet are left alone.
bool is_taken_by_others(const image& object, const char* name) noexcept
{
    const void* const first = ::dlsym(RTLD_DEFAULT, name);
    return first != nullptr && !object.contains(first);
}

// References of the library to its own functions go on to these: who is inside stays inside.
void resolve_own(const image& object, const replacements& instead) noexcept
{
    object.each_reference([&](void** slot, const ElfW(Sym) & symbol) {
        void* const target = object.address_of(symbol);
        if (image::is_function(symbol) && *slot != target && object.contains(*slot) &&
            instead.of(target) != nullptr && !is_taken_by_others(object, object.name_of(symbol))) {
            object.write(slot, target);
        }
    });
}

bool redirect(library& of, const image& object, replacements& all)
{
    entry_page page(object.symbols().size());
    if (!page.ok()) {
        return false;
    }
    std::vector<std::pair<ElfW(Sym)*, void*>> changes;
    for (ElfW(Sym) & symbol : object.symbols()) {
        if (!image::is_function(symbol)) {
            continue;
        }
        const std::string_view name = object.name_of(symbol);
        // openblas_set_num_threads_local has no prefix in any of them.
        const std::string_view plain = name == "openblas_set_num_threads_local"
                                           ? name
                                           : of.called.plain(name);
        void* const target = object.address_of(symbol);
        if (void* const to = plain.empty() ? nullptr : replacement_for(of, target, plain, page)) {
            changes.emplace_back(&symbol, to);
            all.add(target, to);
        }
    }
    if (!page.finish()) {
        return false;
    }
    all.sort();
    resolve_own(object, all);
    if (!object.open_symbols(true)) {
        return false;
    }
    for (const auto& [symbol, to] : changes) {
        object.redirect(*symbol, to);
    }
    object.open_symbols(false);
    return true;
}

foreign::fork_safe_lock finding;
std::array<library*, 16> shown{};
std::atomic<unsigned> shown_count{0};

struct search {
    std::vector<dl_phdr_info> fresh;
    std::vector<dl_phdr_info> all;
};

int note(dl_phdr_info* info, std::size_t, void* argument)
{
    auto& found = *static_cast<search*>(argument);
    found.all.push_back(*info);
    const foreign::loaded_object object(*info);
    const bool is_blas = object.exported("blas_cpu_number") != nullptr &&
                         object.exported("exec_blas") != nullptr;
    // One for OpenMP asks the OpenMP runtime at each call.
    if (is_blas && !object.needs("libgomp") && !object.needs("libomp") &&
        !object.needs("libiomp5")) {
        found.fresh.push_back(*info);
    }
    return 0;
}

// How many objects have been loaded in this process's life; by who has the lock.
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
    of->number = static_cast<std::atomic<int>*>(object.defined("blas_cpu_number"));
    of->set_number = reinterpret_cast<library::set_function*>(
        object.defined((of->prefix_text + "openblas_set_num_threads" + of->suffix_text).c_str()));
    replacements instead;
    if (of->number == nullptr || of->set_number == nullptr || !redirect(*of, object, instead)) {
        return false;
    }
    for (const dl_phdr_info& other : all) {
        if (const image user(other); user.base() != object.base()) {
            user.each_reference([&](void** slot, const ElfW(Sym)&) {
                if (object.contains(*slot)) {
                    if (void* const to = instead.of(*slot)) {
                        user.write(slot, to);
                    }
                }
            });
        }
    }
    const unsigned index = shown_count.load(std::memory_order_relaxed);  // relaxed: under the lock
    shown[index] = of.release();
    // release: pairs with the acquire in known().
    shown_count.store(index + 1, std::memory_order_release);
    return true;
}

// With the lock held; which are to be counted from now on.
std::vector<library*> find_new()
{
    std::vector<library*> result;
    const std::scoped_lock hold(finding);
    static unsigned long long seen = 0;
    unsigned long long loads = 0;
    foreign::visit_loaded_objects(note_loads, &loads);
    if (std::exchange(seen, loads) == loads) {
        return result;
    }
    search found;
    foreign::visit_loaded_objects(note, &found);
    result.reserve(shown.size());
    for (const dl_phdr_info& each : found.fresh) {
        // relaxed (two): under the lock.
        if (shown_count.load(std::memory_order_relaxed) < shown.size() &&
            !is_known(each.dlpi_addr) && take_over(each, found.all)) {
            result.push_back(shown[shown_count.load(std::memory_order_relaxed) - 1]);
        }
    }
    return result;
}

}  // namespace

// Without the lock: a fork takes the lock of the callers' numbers before ours, and the linker's
// lock is held by who loads a library and waits for ours.
unsigned take_over_new() noexcept
try {
    if (!base::options().blas) {
        return 0;
    }
    const std::vector<library*> fresh = find_new();
    for (library* const each : fresh) {
        // It stays loaded: its number is written, and its functions are called, from here on.
        ::dlopen(each->path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        add(*each);
    }
    return static_cast<unsigned>(fresh.size());
} catch (const std::bad_alloc&) {
    return 0;
}

std::span<library* const> known() noexcept
{
    // acquire: pairs with the release in take_over().
    return {shown.data(), shown_count.load(std::memory_order_acquire)};
}

}  // namespace artel::openblas
