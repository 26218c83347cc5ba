// The library's own references are resolved to its own functions, so that only calls from outside
// are counted.
#include "stand_before.hpp"

#include "callers.hpp"
#include "entry.hpp"
#include "routine.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <string_view>
#include <utility>

namespace artel::openblas {
namespace {

extern "C" {
// The functions that replace the library's setters and getters.
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

// Replacements by the address of the library's own function.
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

// Nullptr for functions that are not replaced.
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

// Whether the library's own references lead to a function of that name in another library, which
// was loaded before: unresolved ones are then left alone.
bool is_taken_by_others(const image& object, const char* name) noexcept
{
    const void* const first = ::dlsym(RTLD_DEFAULT, name);
    return first != nullptr && !object.contains(first);
}

// Resolves the library's references to its own functions to these functions: calls inside the
// library are not counted.
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

}  // namespace

bool stand_before(library& of, const image& object, const std::vector<dl_phdr_info>& all)
{
    replacements instead;
    if (!redirect(of, object, instead)) {
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
    return true;
}

}  // namespace artel::openblas
