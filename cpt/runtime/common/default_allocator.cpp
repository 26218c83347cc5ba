// OMP_ALLOCATOR: the name of a predefined allocator, or of a memory space with traits behind it
// (omp_default_mem_space:alignment=64,fallback=null_fb).
#include "default_allocator.hpp"

#include "interface.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace cp {

namespace {

struct word {
    std::string_view name;
    unsigned long value;
};

constexpr word allocators[] = {
    {"omp_default_mem_alloc", omp_default_mem_alloc},
    {"omp_large_cap_mem_alloc", omp_large_cap_mem_alloc},
    {"omp_const_mem_alloc", omp_const_mem_alloc},
    {"omp_high_bw_mem_alloc", omp_high_bw_mem_alloc},
    {"omp_low_lat_mem_alloc", omp_low_lat_mem_alloc},
    {"omp_cgroup_mem_alloc", omp_cgroup_mem_alloc},
    {"omp_pteam_mem_alloc", omp_pteam_mem_alloc},
    {"omp_thread_mem_alloc", omp_thread_mem_alloc},
};
constexpr word spaces[] = {
    {"omp_default_mem_space", omp_default_mem_space},
    {"omp_large_cap_mem_space", omp_large_cap_mem_space},
    {"omp_const_mem_space", omp_const_mem_space},
    {"omp_high_bw_mem_space", omp_high_bw_mem_space},
    {"omp_low_lat_mem_space", omp_low_lat_mem_space},
};
constexpr word keys[] = {
    {"sync_hint", omp_atk_sync_hint}, {"alignment", omp_atk_alignment},
    {"access", omp_atk_access},       {"pool_size", omp_atk_pool_size},
    {"fallback", omp_atk_fallback},   {"fb_data", omp_atk_fb_data},
    {"pinned", omp_atk_pinned},       {"partition", omp_atk_partition},
};
constexpr word values[] = {
    {"default", static_cast<unsigned long>(omp_atv_default)},
    {"false", omp_atv_false},
    {"true", omp_atv_true},
    {"contended", omp_atv_contended},
    {"uncontended", omp_atv_uncontended},
    {"serialized", omp_atv_serialized},
    {"sequential", omp_atv_sequential},
    {"private", omp_atv_private},
    {"all", omp_atv_all},
    {"thread", omp_atv_thread},
    {"pteam", omp_atv_pteam},
    {"cgroup", omp_atv_cgroup},
    {"default_mem_fb", omp_atv_default_mem_fb},
    {"null_fb", omp_atv_null_fb},
    {"abort_fb", omp_atv_abort_fb},
    {"allocator_fb", omp_atv_allocator_fb},
    {"environment", omp_atv_environment},
    {"nearest", omp_atv_nearest},
    {"blocked", omp_atv_blocked},
    {"interleaved", omp_atv_interleaved},
};

template <std::size_t N>
std::optional<unsigned long> find(const word (&all)[N], std::string_view name)
{
    const word* const end = all + N;
    const word* const found = std::find_if(all, end, [&](const word& w) { return w.name == name; });
    return found != end ? std::optional(found->value) : std::nullopt;
}

std::optional<unsigned long> value_of(unsigned long key, std::string_view text)
{
    if (key == omp_atk_alignment || key == omp_atk_pool_size) {
        const std::string digits(text);
        char* end = nullptr;
        const unsigned long n = std::strtoul(digits.c_str(), &end, 10);
        const bool good = !digits.empty() && digits[0] >= '0' && digits[0] <= '9' && *end == 0;
        return good ? std::optional(n) : std::nullopt;
    }
    return key == omp_atk_fb_data ? find(allocators, text) : find(values, text);
}

}  // namespace

unsigned long allocator_named(const std::string& text)
{
    if (const auto predefined = find(allocators, text)) {
        return *predefined;
    }
    const std::size_t colon = text.find(':');
    const auto space = find(spaces, trimmed(std::string_view(text).substr(0, colon)));
    if (!space) {
        return omp_null_allocator;
    }
    std::vector<omp_alloctrait_t> traits;
    std::string_view left = colon == text.npos ? std::string_view()
                                               : std::string_view(text).substr(colon + 1);
    if (colon != text.npos && trimmed(left).empty()) {
        return omp_null_allocator;
    }
    while (!left.empty()) {
        const std::size_t comma = left.find(',');
        const std::string_view trait = left.substr(0, comma);
        left.remove_prefix(comma == left.npos ? left.size() : comma + 1);
        const std::size_t equals = trait.find('=');
        const auto key = find(keys, trimmed(trait.substr(0, equals)));
        if (!key || equals == trait.npos) {
            return omp_null_allocator;
        }
        const auto value = value_of(*key, trimmed(trait.substr(equals + 1)));
        if (!value) {
            return omp_null_allocator;
        }
        traits.push_back({static_cast<omp_alloctrait_key_t>(*key), *value});
    }
    return omp_init_allocator(static_cast<omp_memspace_handle_t>(*space),
                              static_cast<int>(traits.size()), traits.data());
}

std::string name_of_allocator(unsigned long allocator)
{
    for (const word& w : allocators) {
        if (w.value == allocator) {
            return std::string(w.name);
        }
    }
    return "with traits";
}

}  // namespace cp
