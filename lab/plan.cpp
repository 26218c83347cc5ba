// See plan.hpp.
#include "lab/plan.hpp"

#include "lab/allocators.hpp"
#include "lab/matrix.hpp"
#include "lab/shared_memory.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace artel::lab {

namespace {

struct sizes {
    std::uint64_t alloc, matrix, exchange;
    unsigned width, repeats;
    std::vector<unsigned> tasks;
};

const sizes& sizes_of(scale how_much)
{
    static const sizes quick{1u << 16, 160, 1u << 12, 1u << 8, 1, {1, 4, 32}};
    static const sizes normal{1u << 18, 512, 1u << 15,
                              1u << 10, 3,   {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}};
    static const sizes paper{1u << 24, 1u << 11, 1u << 18,
                             1u << 10, 1,        {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}};
    return how_much == scale::quick ? quick : how_much == scale::paper ? paper : normal;
}

bool wanted(const std::vector<std::string>& list, const std::string& name)
{
    return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

// Alloc and Exchanges take all memory from the C library or from private mappings: only the tasks
// and the page policy vary.
bool applies(const std::string& workload, const variant& v)
{
    if (workload == "rows" || workload == "tiles")
        return true;
    return !v.huge && (v.processes || !v.mapped);
}

// Removes all but the first of equal names.
void drop_repeated(std::vector<std::string>& names)
{
    std::vector<std::string> once;
    for (auto& name : names)
        if (std::find(once.begin(), once.end(), name) == once.end())
            once.push_back(std::move(name));
    names = std::move(once);
}

}  // namespace

plan_options completed(plan_options o)
{
    const auto& by_scale = sizes_of(o.how_much);
    const auto fill = [](auto& value, auto otherwise) { value = value == 0 ? otherwise : value; };
    fill(o.alloc_size, by_scale.alloc);
    fill(o.matrix_size, by_scale.matrix);
    fill(o.exchange_size, by_scale.exchange);
    fill(o.width, by_scale.width);
    fill(o.repeats, by_scale.repeats);
    if (o.tasks.empty())
        o.tasks = by_scale.tasks;
    std::sort(o.tasks.begin(), o.tasks.end());
    drop_repeated(o.workloads);
    drop_repeated(o.variant_names);
    o.tasks.erase(std::unique(o.tasks.begin(), o.tasks.end()), o.tasks.end());
    return o;
}

std::vector<cell> make_plan(const plan_options& o)
{
    std::vector<cell> result;
    cell c;
    c.affinity = o.affinity;
    c.full_check = o.full_check;
    c.tmpfs = o.tmpfs;
    for (c.repeat = 0; c.repeat < o.repeats; ++c.repeat)
        for (const unsigned tasks : o.tasks) {
            c.tasks = tasks;
            for (const auto& workload : o.workloads) {
                c.workload = workload;
                c.size = workload == "alloc"       ? o.alloc_size
                         : workload == "exchanges" ? o.exchange_size
                                                   : o.matrix_size;
                c.width = workload == "exchanges" ? o.width : 0;
                for (const auto& v : variants()) {
                    if (!wanted(o.variant_names, v.name) || !applies(workload, v))
                        continue;
                    c.variant = v.name;
                    c.allocator = "glibc";
                    result.push_back(c);
                    if (!o.allocators || workload != "alloc" || v.no_thp)
                        continue;
                    for (const auto& other : allocators()) {
                        if (other.name == c.allocator || (v.processes && !other.for_processes))
                            continue;
                        auto with_other = c;
                        with_other.allocator = other.name;
                        result.push_back(with_other);
                    }
                }
            }
        }
    return result;
}

std::vector<std::string> left_out(const plan_options& o)
{
    std::vector<std::string> result;
    for (const auto& workload : o.workloads)
        if (std::none_of(variants().begin(), variants().end(), [&](const variant& v) {
                return wanted(o.variant_names, v.name) && applies(workload, v);
            }))
            result.push_back(workload);
    return result;
}

std::size_t huge_pages_needed(const cell& c)
{
    if (!variant_named(c.variant).huge)
        return 0;
    const auto elements = c.workload == "tiles" ? tiles_layout(c.size).elements()
                                                : rows_layout(c.size).elements();
    return 3 * (round_up(elements * sizeof(double), huge_page_bytes) / huge_page_bytes);
}

json describe(const plan_options& o)
{
    return {{"scale", o.how_much == scale::quick   ? "quick"
                      : o.how_much == scale::paper ? "paper"
                                                   : "normal"},
            {"workloads", o.workloads},
            {"variants", o.variant_names},
            {"tasks", o.tasks},
            {"alloc_k", o.alloc_size},
            {"matrix_k", o.matrix_size},
            {"exchange_k", o.exchange_size},
            {"exchange_w", o.width},
            {"repeats", o.repeats},
            {"affinity", o.affinity},
            {"allocators", o.allocators},
            {"check", o.full_check ? "full" : "fast"},
            {"tmpfs", o.tmpfs}};
}

}  // namespace artel::lab
