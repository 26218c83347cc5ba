// See tables.hpp.
#include "lab/tables.hpp"

#include "lab/allocators.hpp"
#include "lab/paper.hpp"
#include "lab/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace artel::lab {

namespace {

std::string square(const measurement* m, table& t, const std::string& where)
{
    if (m == nullptr)
        return "";
    if (m->ok())
        return format_seconds(m->median());
    if (m->status == "missing")
        return "-";
    const auto note = fmt::format("{}: {}: {}", where, m->status == "skip" ? "SKIP" : "FAIL",
                                  m->reason);
    if (std::find(t.notes.begin(), t.notes.end(), note) == t.notes.end())
        t.notes.push_back(note);
    return m->status == "skip" ? "SKIP" : "FAIL";
}

table empty_table(const results& r, std::string title)
{
    table t;
    t.title = std::move(title);
    for (const unsigned n : r.tasks())
        t.columns.push_back(std::to_string(n));
    return t;
}

// What the median does not show.
std::string hint(const measurement* m)
{
    if (m == nullptr)
        return "";
    if (!m->ok())
        return m->reason;
    if (m->seconds.size() == 1)
        return "measured once";
    return fmt::format("{} to {} s, {} repeats", format_seconds(m->least()),
                       format_seconds(m->most()), m->seconds.size());
}

// Collects what a note below a table says of the repeats of all its rows.
class repeats_note {
public:
    void add(const measurement* m, const std::string& where)
    {
        if (m != nullptr && m->status == "missing" && !m->ok())
            ++missing_;
        if (m == nullptr || !m->ok() || m->seconds.size() < 2)
            return;
        repeats_ = std::max(repeats_, m->seconds.size());
        spreads_.emplace_back(m->spread(), where);
    }
    void write(table& t)
    {
        std::sort(spreads_.begin(), spreads_.end());
        if (!spreads_.empty())
            t.notes.push_back(fmt::format(
                "Medians of {} repeats. Largest minus smallest, as a share of the median: {:.0f} % "
                "in the middle, {:.0f} % at most ({}).",
                repeats_, 100 * spreads_[spreads_.size() / 2].first, 100 * spreads_.back().first,
                spreads_.back().second));
        if (missing_ != 0)
            t.notes.push_back(fmt::format("-: {} squares are not measured yet.", missing_));
    }

private:
    std::vector<std::pair<double, std::string>> spreads_;
    std::size_t repeats_ = 0, missing_ = 0;
};

bool is_blank(const table_row& row)
{
    return std::all_of(row.squares.begin(), row.squares.end(),
                       [](const auto& it) { return it.empty(); });
}

template <class Ratio>
void add_ratio_row(table& t, const results& r, std::string name, table_row::row_kind kind,
                   Ratio ratio)
{
    table_row row{std::move(name), {}, {}, kind};
    for (const unsigned n : r.tasks()) {
        const auto value = ratio(n);
        row.squares.push_back(value ? fmt::format("{:.2f}", *value) : "");
    }
    if (!is_blank(row))
        t.rows.push_back(row);
}

table make_table(const results& r, const std::string& workload, int number)
{
    auto t = empty_table(r, fmt::format("Table {}: {}, seconds (the paper's table {})", number,
                                        title_of(workload), number));
    repeats_note repeats;
    for (const auto& v : variants()) {
        table_row row{v.name};
        for (const unsigned n : r.tasks()) {
            const auto* const m = r.find(workload, v.name, n);
            const auto where = fmt::format("{}, N = {}", v.name, n);
            row.squares.push_back(square(m, t, where));
            row.hints.push_back(hint(m));
            repeats.add(m, where);
        }
        if (!is_blank(row))
            t.rows.push_back(row);
    }
    repeats.write(t);
    for (const auto& pair :
         std::vector<variant_pair>{{"T", "P"}, {"T-M", "P"}, {"HP.T-M", "HP.P"}, {"T-N", "P-N"}}) {
        // T and P of the matrices differ in their page policy as well: the "natural" programs, not
        // the fair comparison.
        const auto label = fmt::format("{} / {}", pair.threads, pair.processes);
        const auto before = t.rows.size();
        add_ratio_row(t, r, label + " here", table_row::row_kind::ratio, [&](unsigned n) {
            return r.ratio(workload, pair.threads, pair.processes, n);
        });
        if (t.rows.size() == before)
            continue;
        for (const char* system : {"X5675", "A640", "I7"})
            add_ratio_row(t, r, label + " " + system, table_row::row_kind::paper_ratio,
                          [&](unsigned n) {
                              return paper_ratio(workload, system, pair.threads, pair.processes, n);
                          });
    }
    for (const auto& [huge, small] :
         {std::pair{"HP.T-M", "T-M"}, std::pair{"HP.P", "P"}, std::pair{"T", "T-N"}}) {
        if (workload != "rows" && workload != "tiles")
            break;
        const auto label = fmt::format("{} / {}", huge, small);
        const auto before = t.rows.size();
        add_ratio_row(t, r, label + " here", table_row::row_kind::ratio,
                      [&, a = huge, b = small](unsigned n) { return r.ratio(workload, a, b, n); });
        if (t.rows.size() == before)
            continue;
        add_ratio_row(t, r, label + " X5675", table_row::row_kind::paper_ratio,
                      [&, a = huge, b = small](unsigned n) {
                          return paper_ratio(workload, "X5675", a, b, n);
                      });
    }
    return t;
}

}  // namespace

std::vector<table> make_tables(const results& r)
{
    std::vector<table> result;
    int number = 2;
    for (const char* workload : {"alloc", "rows", "tiles", "exchanges"}) {
        if (r.has(workload))
            result.push_back(make_table(r, workload, number));
        ++number;
    }
    return result;
}

table make_allocator_table(const results& r)
{
    auto t = empty_table(r, "Alloc by allocator, seconds");
    repeats_note repeats;
    for (const char* v : {"T", "P"})
        for (const auto& it : allocators()) {
            table_row row{fmt::format("{} {}", v, it.name)};
            for (const unsigned n : r.tasks()) {
                const auto* const m = r.find("alloc", v, n, it.name);
                row.squares.push_back(square(m, t, row.name));
                row.hints.push_back(hint(m));
                repeats.add(m, fmt::format("{}, N = {}", row.name, n));
            }
            if (!is_blank(row))
                t.rows.push_back(row);
        }
    repeats.write(t);
    for (const auto& it : allocators())
        add_ratio_row(t, r, fmt::format("T / P {}", it.name), table_row::row_kind::ratio,
                      [&](unsigned n) -> std::optional<double> {
                          const auto a = r.seconds("alloc", "T", n, it.name),
                                     b = r.seconds("alloc", "P", n, it.name);
                          return a && b ? std::optional(*a / *b) : std::nullopt;
                      });
    if (t.rows.size() <= 3)  // only glibc's
        t.rows.clear();
    return t;
}

std::string as_text(const table& t)
{
    std::size_t name_width = 1, width = 6;
    for (const auto& row : t.rows) {
        name_width = std::max(name_width, row.name.size());
        for (const auto& it : row.squares)
            width = std::max(width, it.size());
    }
    std::string text = t.title + "\n";
    const auto line = [&](const std::string& name, const std::vector<std::string>& squares) {
        text += fmt::format("  {:<{}}", name, name_width);
        for (const auto& it : squares)
            text += fmt::format("  {:>{}}", it, width);
        text += "\n";
    };
    line("N", t.columns);
    for (const auto& row : t.rows)
        line(row.name, row.squares);
    for (const auto& note : t.notes)
        text += "  " + note + "\n";
    return text;
}

}  // namespace artel::lab
