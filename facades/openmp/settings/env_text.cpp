// Parsers are made of text_reader: each takes what it expects from the front, and fails unless only
// blanks are left.
#include "env_text.hpp"

#include <algorithm>
#include <limits>

namespace artel::openmp {

namespace {

// Not isspace() and tolower(): they depend on the program's locale.
bool is_blank(char c) noexcept
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

unsigned digit_value(char c) noexcept
{
    const char l = lower(c);
    return l >= '0' && l <= '9'   ? static_cast<unsigned>(l - '0')
           : l >= 'a' && l <= 'f' ? static_cast<unsigned>(l - 'a' + 10)
                                  : 99;
}

}  // namespace

void text_reader::skip_blanks() noexcept
{
    while (!rest_.empty() && is_blank(rest_.front())) {
        rest_.remove_prefix(1);
    }
}

bool text_reader::at_end() noexcept
{
    skip_blanks();
    return rest_.empty();
}

bool text_reader::take(char c) noexcept
{
    skip_blanks();
    if (rest_.empty() || lower(rest_.front()) != c) {
        return false;
    }
    rest_.remove_prefix(1);
    return true;
}

bool text_reader::take_word(std::string_view word) noexcept
{
    skip_blanks();
    if (rest_.size() < word.size() || !std::equal(word.begin(), word.end(), rest_.begin(),
                                                  [](char w, char t) { return w == lower(t); })) {
        return false;
    }
    rest_.remove_prefix(word.size());
    return true;
}

bool text_reader::take_digits(unsigned base, std::uint64_t& value) noexcept
{
    std::uint64_t sum = 0;
    std::size_t at = 0;
    for (; at < rest_.size() && digit_value(rest_[at]) < base; ++at) {
        if (__builtin_mul_overflow(sum, base, &sum) ||
            __builtin_add_overflow(sum, digit_value(rest_[at]), &sum)) {
            return false;
        }
    }
    if (at == 0) {
        return false;
    }
    rest_.remove_prefix(at);
    value = sum;
    return true;
}

bool text_reader::take_number(std::uint64_t& value) noexcept
{
    skip_blanks();
    return take_digits(10, value);
}

bool text_reader::take_c_number(std::uint64_t& value) noexcept
{
    skip_blanks();
    if (rest_.size() > 2 && rest_[0] == '0' && lower(rest_[1]) == 'x' &&
        digit_value(rest_[2]) < 16) {
        rest_.remove_prefix(2);
        return take_digits(16, value);
    }
    return take_digits(!rest_.empty() && rest_[0] == '0' ? 8 : 10, value);
}

bool text_reader::take_signed(std::int64_t& value) noexcept
{
    const bool negative = take('-');
    if (!negative) {
        take('+');
    }
    std::uint64_t magnitude = 0;
    if (!take_number(magnitude) ||
        magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return false;
    }
    value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
    return true;
}

std::optional<bool> parse_switch(std::string_view text) noexcept
{
    static constexpr const char* words[] = {"false", "true"};
    const auto word = parse_word(text, words, 2);
    return word ? std::optional<bool>(*word == 1) : std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t least) noexcept
{
    text_reader reader(text);
    std::uint64_t value = 0;
    if (!reader.take_number(value) || !reader.at_end() || value < least) {
        return std::nullopt;
    }
    return value;
}

namespace {

// That many units of 2^shift bytes, if nothing follows.
std::optional<std::size_t> units_until_end(text_reader& reader, std::uint64_t value,
                                           unsigned shift) noexcept
{
    if (!reader.at_end() || value > (std::numeric_limits<std::size_t>::max() >> shift)) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(value) << shift;
}

}  // namespace

std::optional<std::size_t> parse_stack_size(std::string_view text) noexcept
{
    text_reader reader(text);
    std::uint64_t value = 0;
    if (!reader.take_number(value)) {
        return std::nullopt;
    }
    unsigned shift = 10;
    if (reader.take('b')) {
        shift = 0;
    } else if (reader.take('m')) {
        shift = 20;
    } else if (reader.take('g')) {
        shift = 30;
    } else {
        reader.take('k');
    }
    return units_until_end(reader, value, shift);
}

std::optional<std::size_t> parse_libomp_size(std::string_view text, unsigned shift) noexcept
{
    text_reader reader(text);
    std::uint64_t value = 0;
    if (!reader.take_number(value)) {
        return std::nullopt;
    }
    constexpr std::string_view units = "kmgtpe";
    const auto* const unit = std::find_if(units.begin(), units.end(),
                                          [&](char u) { return reader.take(u); });
    if (unit != units.end()) {
        shift = 10 * static_cast<unsigned>(unit - units.begin() + 1);
        reader.take('b');
    } else if (reader.take('b')) {
        shift = 0;
    }
    return units_until_end(reader, value, shift);
}

std::optional<std::uint64_t> parse_spin_count(std::string_view text) noexcept
{
    static constexpr const char* words[] = {"infinite", "infinity"};
    if (parse_word(text, words, 2)) {
        return UINT64_MAX;
    }
    text_reader reader(text);
    std::uint64_t count = 0;
    if (!reader.take_number(count)) {
        return std::nullopt;
    }
    std::uint64_t factor = 1;
    for (const char unit : {'k', 'm', 'g', 't'}) {
        factor *= 1000;
        if (reader.take(unit)) {
            return reader.at_end() && count <= UINT64_MAX / factor ? std::optional(count * factor)
                                                                   : std::nullopt;
        }
    }
    return reader.at_end() ? std::optional(count) : std::nullopt;
}

std::optional<offload_policy> parse_offload(std::string_view text) noexcept
{
    static constexpr const char* words[] = {"disabled", "default", "mandatory"};
    const auto word = parse_word(text, words, 3);
    return word ? std::optional(static_cast<offload_policy>(*word)) : std::nullopt;
}

schedule_text parse_schedule(std::string_view text) noexcept
{
    using enum schedule_kind;
    // Longer words before their prefixes.
    static constexpr struct {
        const char* word;
        schedule_kind kind;
    } kinds[] = {{"static_steal", shared}, {"static", static_},          {"dynamic", dynamic},
                 {"guided", guided},       {"automatic", shared},        {"auto", automatic},
                 {"artel", shared},        {"trapezoidal", trapezoidal}, {"simple", shared},
                 {"lazy", shared},         {"heartbeat", shared},        {"timespan-grain", shared},
                 {"timespan", shared}};
    schedule_text result;
    text_reader reader(text);
    if (reader.take_word("nonmonotonic")) {
        result.modifier = schedule_modifier::nonmonotonic;
    } else if (reader.take_word("monotonic")) {
        result.modifier = schedule_modifier::monotonic;
    }
    if (result.modifier != schedule_modifier::none && !reader.take(':')) {
        return result;
    }
    const auto* const kind = std::find_if(std::begin(kinds), std::end(kinds),
                                          [&](const auto& k) { return reader.take_word(k.word); });
    if (kind == std::end(kinds)) {
        return result;
    }
    std::uint64_t chunk = 0;
    result.bad_chunk = !reader.at_end() && (!reader.take(',') || !reader.take_number(chunk) ||
                                            chunk > 0x7fffffff || !reader.at_end());
    result.chunk = result.bad_chunk ? 0 : static_cast<std::uint32_t>(chunk);
    if (kind->kind == shared && chunk == 0 && std::string_view(kind->word) == "simple") {
        result.chunk = 1;
    }
    // Monotonic needs pieces in order, so they come from one counter.
    result.kind = kind->kind == shared && result.modifier == schedule_modifier::monotonic
                      ? dynamic
                      : kind->kind;
    return result;
}

std::optional<std::vector<unsigned>> parse_counts(std::string_view text, std::uint64_t least)
{
    text_reader reader(text);
    std::vector<unsigned> counts;
    do {
        std::uint64_t value = 0;
        if (!reader.take_number(value) || value < least) {
            return std::nullopt;
        }
        counts.push_back(
            static_cast<unsigned>(std::min<std::uint64_t>(value, std::numeric_limits<int>::max())));
    } while (reader.take(','));
    return reader.at_end() ? std::optional(std::move(counts)) : std::nullopt;
}

std::optional<unsigned> parse_word(std::string_view text, const char* const* words,
                                   unsigned count) noexcept
{
    for (unsigned i = 0; i < count; ++i) {
        text_reader reader(text);
        if (reader.take_word(words[i]) && reader.at_end()) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<std::vector<int>> parse_proc_bind(std::string_view text)
{
    if (const auto on = parse_switch(text)) {
        return std::vector<int>{*on ? 1 : 0};
    }
    static constexpr struct {
        const char* word;
        int value;
    } policies[] = {{"primary", 2}, {"master", 2}, {"close", 3}, {"spread", 4}};
    text_reader reader(text);
    std::vector<int> list;
    do {
        const auto* found = std::find_if(std::begin(policies), std::end(policies),
                                         [&](const auto& p) { return reader.take_word(p.word); });
        if (found == std::end(policies)) {
            return std::nullopt;
        }
        list.push_back(found->value);
    } while (reader.take(','));
    return reader.at_end() ? std::optional(std::move(list)) : std::nullopt;
}

}  // namespace artel::openmp
