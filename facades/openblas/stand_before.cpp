// The library's own references are resolved to its own functions, so that only calls from outside
// are counted.
#include "stand_before.hpp"

#include "callers.hpp"
#include "routine.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <string_view>

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

}  // namespace

void replacements::sort()
{
    std::ranges::sort(all_);
}

void* replacements::of(const void* before) const noexcept
{
    const auto at = std::ranges::lower_bound(
        all_, before, {}, [](const auto& each) -> const void* { return each.first; });
    return at != all_.end() && at->first == before ? at->second : nullptr;
}

standing_before::standing_before(library& of, const image& object)
    : object_(object), page_(object.symbols().size())
{
    if (page_.ok()) {
        prepare(of);
        find_own();
        ready_ = page_.finish();
    }
}

void standing_before::prepare(library& of)
{
    for (ElfW(Sym) & symbol : object_.symbols()) {
        if (!image::is_function(symbol)) {
            continue;
        }
        const std::string_view name = object_.name_of(symbol);
        // openblas_set_num_threads_local has no prefix in any of them.
        const std::string_view plain = name == "openblas_set_num_threads_local"
                                           ? name
                                           : of.called.plain(name);
        void* const target = object_.address_of(symbol);
        if (void* const to = plain.empty() ? nullptr : replacement_for(of, target, plain, page_)) {
            changes_.emplace_back(&symbol, to);
            instead_.add(target, to);
        }
    }
    instead_.sort();
}

// The library's references to its own functions that are not resolved yet: they are to lead to
// these functions, so that calls inside the library are not counted.
void standing_before::find_own()
{
    object_.each_reference([&](void** slot, const ElfW(Sym) & symbol) {
        void* const target = object_.address_of(symbol);
        if (image::is_function(symbol) && *slot != target && object_.contains(*slot) &&
            instead_.of(target) != nullptr &&
            !is_taken_by_others(object_, object_.name_of(symbol))) {
            own_.emplace_back(slot, target);
        }
    });
}

bool standing_before::begin(std::span<const dl_phdr_info> all) noexcept
{
    if (!ready_) {
        return false;
    }
    for (const auto& [slot, target] : own_) {
        object_.write(slot, target);
    }
    if (!object_.open_symbols(true)) {
        return false;
    }
    for (const auto& [symbol, to] : changes_) {
        object_.redirect(*symbol, to);
    }
    page_.keep();
    object_.open_symbols(false);
    for (const dl_phdr_info& other : all) {
        if (const image user(other); user.base() != object_.base()) {
            user.each_reference([&](void** slot, const ElfW(Sym)&) {
                if (object_.contains(*slot)) {
                    if (void* const to = instead_.of(*slot)) {
                        user.write(slot, to);
                    }
                }
            });
        }
    }
    return true;
}

}  // namespace artel::openblas
