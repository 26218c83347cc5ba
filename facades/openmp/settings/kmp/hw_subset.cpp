// KMP_HW_SUBSET: selects CPUs by numbers of sockets, NUMA nodes, L3 caches, cores and threads, each
// within the next larger one.
#include "hw_subset.hpp"

#include "base/publish.hpp"
#include "items.hpp"
#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "settings/variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <iterator>
#include <map>
#include <memory>

namespace artel::openmp {
namespace {

using topology::cpu;

struct layer {
    const char* name;
    std::array<const char*, 4> words;
    unsigned cpu::* number;
};

constexpr layer layers[] = {
    {"socket", {"s", "socket", "sockets", "package"}, &cpu::package},
    {"numa_domain", {"n", "numa", "numa_domain", "numa_domains"}, &cpu::numa},
    {"ll_cache", {"l3", "l3_cache", "ll_cache", "ll_caches"}, &cpu::l3},
    {"core", {"c", "core", "cores", "core"}, &cpu::core},
    {"thread", {"t", "thread", "threads", "thread"}, &cpu::os_index}};

struct choice {
    const layer* of;
    unsigned count;  // 0: all
    unsigned offset;
};

// N<item>[@N], or *<item>.
std::optional<choice> parse_choice(const std::string& item)
{
    const auto at = std::min(item.find('@'), item.size());
    const auto digits = item.find_first_not_of("0123456789*");
    if (digits == std::string::npos || digits > at) {
        return std::nullopt;
    }
    const std::string count = item.substr(0, digits);
    const std::string word = item.substr(digits, at - digits);
    const bool all = count == "*";
    const auto n = all ? std::optional(0u) : count.empty() ? std::optional(1u) : number(count);
    const auto offset = at < item.size() ? number(item.substr(at + 1)) : std::optional(0u);
    const auto* const found = std::find_if(
        std::begin(layers), std::end(layers), [&](const layer& l) {
            return std::find(l.words.begin(), l.words.end(), word) != l.words.end();
        });
    if (!n || !offset || found == std::end(layers) || (*n == 0 && !all)) {
        return std::nullopt;
    }
    return choice{found, *n, *offset};
}

// Those of `cpus` whose number on the layer is among the chosen ones of their group. CPUs of one
// group agree on all outer layers.
std::optional<std::vector<cpu>> chosen(const std::vector<cpu>& cpus, const choice& c, bool absolute)
{
    std::map<std::vector<unsigned>, std::vector<unsigned>> groups;
    const auto group = [&](const cpu& it) {
        std::vector<unsigned> path;
        for (const layer* l = layers; l != c.of && !absolute; ++l) {
            path.push_back(it.*l->number);
        }
        return path;
    };
    for (const cpu& it : cpus) {
        auto& numbers = groups[group(it)];
        if (std::find(numbers.begin(), numbers.end(), it.*c.of->number) == numbers.end()) {
            numbers.push_back(it.*c.of->number);
        }
    }
    for (auto& [path, numbers] : groups) {
        std::sort(numbers.begin(), numbers.end());
        if (std::size_t{c.offset} + std::max(c.count, 1u) > numbers.size()) {
            return std::nullopt;
        }
        numbers.erase(numbers.begin(), numbers.begin() + c.offset);
        numbers.resize(c.count == 0 ? numbers.size() : c.count);
    }
    std::vector<cpu> left;
    std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(left), [&](const cpu& it) {
        const auto& numbers = groups[group(it)];
        return std::find(numbers.begin(), numbers.end(), it.*c.of->number) != numbers.end();
    });
    return left;
}

}  // namespace

namespace {

hw_subset everything()
{
    return {topology::this_machine().cpus, {}};
}

hw_subset chosen_by(const std::string& text)
{
    std::string plain = normalized(text);
    const bool absolute = plain.starts_with(':');
    plain.erase(0, absolute ? 1 : 0);
    std::replace(plain.begin(), plain.end(), 'x', ',');  // an old separator
    std::vector<choice> choices;
    for (const std::string& item : items_of(plain)) {
        const auto c = parse_choice(item);
        if (!c) {
            warn_as_libomp(
                247,
                "KMP_HW_SUBSET: invalid value \"{}\", valid format is \"N<item>[@N][,...][,Nt] "
                "(<item> can be S, N, L2, C, T  for Socket, NUMA Node, L2 Cache, Core, Thread)\".",
                text);
            return everything();
        }
        choices.push_back(*c);
    }
    std::sort(choices.begin(), choices.end(),
              [](const choice& a, const choice& b) { return a.of < b.of; });
    hw_subset subset = everything();
    for (const choice& c : choices) {
        auto left = chosen(subset.cpus, c, absolute);
        if (!left) {
            // more than the machine has.
            warn_as_libomp(42, "KMP_HW_SUBSET: \"{}\" is an invalid value; ignored.", text);
            return everything();
        }
        subset.cpus = std::move(*left);
        subset.text += fmt::format("{}{}{}", subset.text.empty() ? "" : ",", c.count, c.of->name);
        subset.text += c.offset != 0 ? fmt::format("@{}", c.offset) : "";
    }
    return subset;
}

}  // namespace

const hw_subset& hardware() noexcept
{
    static constinit std::atomic<const hw_subset*> the{nullptr};
    try {
        return base::publish_once(the, [] {
            const variable v("KMP_HW_SUBSET");
            return std::make_unique<const hw_subset>(
                v && programs_dialect().knows_kmp ? chosen_by(v.text()) : everything());
        });
    } catch (const std::exception&) {
        give_up("Out of memory while trying to parse environment variables");
    }
}

}  // namespace artel::openmp
