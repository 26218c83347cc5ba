// See html_report.hpp.
#include "lab/html_report.hpp"

#include "lab/allocators.hpp"
#include "lab/chart.hpp"
#include "lab/explanation.hpp"
#include "lab/paper.hpp"
#include "lab/summary.hpp"
#include "lab/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace artel::lab {

namespace {

constexpr const char* style = R"(<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;
color:#222;background:#fff}
table{border-collapse:collapse;font-size:13px;margin:.5em 0}
td,th{padding:2px 8px;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left;white-space:nowrap}
.ratio td{background:#eef4fb}.paper td{color:#777}
svg{width:100%;max-width:860px;margin:1em 0}
svg text{font:12px system-ui,sans-serif;fill:#333}svg .t{font-weight:bold;font-size:14px}
.g{stroke:#e4e4e4}.u{stroke:#888;stroke-dasharray:2 3}.note{color:#a33;font-size:13px;margin:0}
.wrap{overflow-x:auto}.none{color:#a33}
</style>
)";

std::string as_html(const table& t)
{
    std::string html = fmt::format("<h3>{}</h3>\n<div class=\"wrap\"><table>\n<tr><th>N</th>",
                                   escaped(t.title));
    for (const auto& column : t.columns)
        html += fmt::format("<th>{}</th>", column);
    html += "</tr>\n";
    for (const auto& row : t.rows) {
        html += fmt::format("<tr class=\"{}\"><td>{}</td>",
                            row.kind == table_row::row_kind::times   ? "times"
                            : row.kind == table_row::row_kind::ratio ? "ratio"
                                                                     : "paper",
                            escaped(row.name));
        for (std::size_t i = 0; i < row.squares.size(); ++i)
            html += i < row.hints.size() ? fmt::format("<td title=\"{}\">{}</td>",
                                                       escaped(row.hints[i]), row.squares[i])
                                         : fmt::format("<td>{}</td>", row.squares[i]);
        html += "</tr>\n";
    }
    html += "</table></div>\n";
    for (const auto& note : t.notes)
        html += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
    return html;
}

series times_of(const results& r, const std::string& workload, const std::string& variant,
                const std::string& allocator, std::string name)
{
    series line{std::move(name)};
    for (const unsigned n : r.tasks())
        if (const auto* m = r.find(workload, variant, n, allocator); m != nullptr && m->ok()) {
            line.points.emplace_back(n, m->median());
            line.extents.emplace_back(m->least(), m->most());
        }
    return line;
}

std::string time_chart(const results& r, const std::string& workload)
{
    std::vector<series> lines;
    for (const auto& v : variants())
        if (auto line = times_of(r, workload, v.name, "glibc", v.name); !line.points.empty())
            lines.push_back(std::move(line));
    return line_chart(fmt::format("{}: time over the number of tasks", title_of(workload)),
                      "seconds", lines);
}

std::string ratio_chart(const results& r, const std::string& workload)
{
    std::vector<series> lines;
    for (const auto& pair :
         std::vector<variant_pair>{{"T", "P"}, {"T-M", "P"}, {"HP.T-M", "HP.P"}, {"T-N", "P-N"}}) {
        series here{fmt::format("{} / {}", pair.threads, pair.processes)};
        series paper{here.name + " X5675", {}, true};
        for (const unsigned n : r.tasks()) {
            if (const auto ratio = r.ratio(workload, pair.threads, pair.processes, n))
                here.points.emplace_back(n, *ratio);
            if (const auto ratio = paper_ratio(workload, "X5675", pair.threads, pair.processes, n))
                paper.points.emplace_back(n, *ratio);
        }
        if (here.points.empty())
            continue;
        lines.push_back(here);
        lines.push_back(paper);
    }
    return line_chart(
        fmt::format("{}: threads / processes, above 1 processes win", title_of(workload)),
        "ratio of times", lines, true);
}

std::string share_bar(const results& r)
{
    const auto wins = matrix_wins(r);
    if (wins.all == 0)
        return {};
    const auto bar = [](double y, const char* name, double share) {
        return fmt::format(
            "<text x=\"0\" y=\"{0}\">{1}</text><rect x=\"120\" y=\"{2}\" width=\"500\" "
            "height=\"16\" fill=\"#e4e4e4\"/><rect x=\"120\" y=\"{2}\" width=\"{3:.1f}\" "
            "height=\"16\" fill=\"#0072b2\"/><text x=\"628\" y=\"{0}\">{4:.2f} %</text>\n",
            y, name, y - 13, 500 * share, 100 * share);
    };
    return fmt::format(
        "<h3>Share of matrix comparisons that processes win</h3>\n"
        "<svg viewBox=\"0 0 760 60\">\n"
        "{}{}</svg>\n",
        bar(20, "this machine", wins.share()), bar(45, "the paper", paper_process_share));
}

// The medians of all counts, for the smallest, a middle and the largest number of tasks.
std::string evidence_table(const results& r, const std::string& workload)
{
    std::vector<const measurement*> columns;
    std::string head = "<tr><th></th>";
    std::map<std::string, std::string> unavailable;
    const std::vector<unsigned> all(r.tasks().begin(), r.tasks().end());
    for (const unsigned n : std::set<unsigned>{all.front(), all[all.size() / 2], all.back()})
        for (const auto& v : variants())
            if (const auto* m = r.find(workload, v.name, n); m != nullptr && m->ok()) {
                columns.push_back(m);
                head += fmt::format("<th>{}<br>{}</th>", escaped(v.name), n);
                unavailable.insert(m->unavailable.begin(), m->unavailable.end());
            }
    if (columns.empty())
        return {};
    std::set<std::string> names;
    for (const auto* m : columns)
        for (const auto& [name, value] : m->evidence)
            names.insert(name);
    for (const auto& [name, why] : unavailable)
        names.insert(name);
    std::string html = fmt::format(
        "<details><summary>Evidence: {}</summary><div class=\"wrap\"><table>\n{}</tr>\n",
        title_of(workload), head);
    for (const auto& name : names) {
        html += fmt::format("<tr><td>{}</td>", name);
        for (const auto* m : columns) {
            const auto it = m->evidence.find(name);
            const auto why = m->unavailable.find(name);
            html += it != m->evidence.end() ? fmt::format("<td>{:.6g}</td>", it->second)
                    : why != m->unavailable.end()
                        ? fmt::format("<td class=\"none\" title=\"{}\">not available</td>",
                                      escaped(why->second))
                        : "<td></td>";
        }
        html += "</tr>\n";
    }
    html += "</table></div>\n";
    for (const auto& it : missing_counters(r))
        html += fmt::format("<p class=\"note\">Not available: {}: {}</p>\n",
                            fmt::join(it.names, ", "), escaped(it.why));
    return html + "</details>\n";
}

std::string allocator_section(const results& r)
{
    const auto t = make_allocator_table(r);
    if (t.rows.empty())
        return {};
    std::vector<series> lines;
    for (const char* v : {"T", "P"})
        for (const auto& it : allocators())
            if (auto line = times_of(r, "alloc", v, it.name, fmt::format("{} {}", v, it.name));
                !line.points.empty()) {
                line.dashed = *v == 'P';
                lines.push_back(std::move(line));
            }
    return "<h2>Allocators</h2>\n" +
           line_chart("Alloc by allocator (processes dashed)", "seconds", lines) + as_html(t);
}

// Inside a script element only "</" could end it early.
std::string embedded(const json& document)
{
    std::string text = document.dump();
    for (std::size_t at = 0; (at = text.find("</", at)) != text.npos; at += 3)
        text.replace(at, 2, "<\\/");
    return "<script type=\"application/json\" id=\"results\">" + text + "</script>\n";
}

}  // namespace

std::string html_report(const json& document, const results& r)
{
    const auto& machine = document.at("machine").at("identity");
    std::string html =
        "<!DOCTYPE html>\n"
        "<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Threads against "
        "processes</title>\n";
    html += style;
    html += "</head><body>\n<h1>Threads against processes, small against huge pages</h1>\n";
    html += fmt::format(
        "<p>{}, {} CPUs, {:.0f} GiB, Linux {}, {}, transparent huge pages: {} (shared memory: {}). "
        "Artel {}.</p>\n",
        escaped(machine.at("processor")), machine.at("cpus").size(),
        machine.at("memory_bytes").get<double>() / (1 << 30), escaped(machine.at("kernel")),
        escaped(machine.at("c_library")), escaped(machine.at("thp")),
        escaped(machine.at("thp_shmem")), escaped(document.at("version")));
    html += "<h2>Summary</h2>\n<ul>\n";
    for (const auto& sentence : summary_sentences(r))
        html += fmt::format("<li>{}</li>\n", escaped(sentence));
    html += "</ul>\n" + share_bar(r);
    for (const char* workload : {"alloc", "rows", "tiles", "exchanges"})
        if (r.has(workload))
            html += fmt::format("<h2>{}</h2>\n", title_of(workload)) + time_chart(r, workload) +
                    ratio_chart(r, workload) + evidence_table(r, workload);
    html += allocator_section(r) + "<h2>Tables</h2>\n";
    for (const auto& t : make_tables(r))
        html += as_html(t);
    html += "<h2>Variants</h2>\n<table>\n";
    for (const auto& v : variants())
        html += fmt::format("<tr><td>{}</td><td style=\"text-align:left\">{}</td></tr>\n",
                            escaped(v.name), escaped(v.meaning));
    html += "</table>\n<p>Options: <code>" + escaped(document.at("options").dump()) +
            "</code></p>\n";
    return html + embedded(document) + "</body></html>\n";
}

}  // namespace artel::lab
