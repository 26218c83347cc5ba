// See chart.hpp.
#include "lab/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace artel::lab {

namespace {

// Distinguishable without red against green.
constexpr const char* colours[]{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                                "#000000", "#8c564b", "#7f7f7f", "#9467bd", "#bcbd22", "#17becf"};
constexpr double left = 62, right = 170, top = 30, bottom = 40, width = 760, height = 340;

struct range {
    double low, high;  // logarithms
    double place(double value, double begin, double end) const
    {
        return begin + (std::log2(value) - low) / (high - low) * (end - begin);
    }
};

range range_of(const std::vector<series>& lines, bool of_x, bool with_one)
{
    double low = 1e300, high = -1e300;
    const auto widen = [&](double value) {
        low = std::min(low, std::log2(value));
        high = std::max(high, std::log2(value));
    };
    for (const auto& line : lines) {
        for (const auto& [x, y] : line.points)
            widen(of_x ? x : y);
        for (const auto& [low_end, high_end] : line.extents)
            if (!of_x) {
                widen(low_end);
                widen(high_end);
            }
    }
    if (with_one)
        widen(1);
    if (high - low < 0.5) {
        low -= 0.25;
        high += 0.25;
    }
    return of_x ? range{low, high} : range{low - 0.05 * (high - low), high + 0.05 * (high - low)};
}

// 1, 2, 5 times powers of ten inside the range, fewer of them when there are many.
std::vector<double> ticks(const range& r)
{
    std::vector<double> result;
    for (int power = -9; power <= 9; ++power)
        for (const double m : {1.0, 2.0, 5.0})
            if (const double value = m * std::pow(10, power);
                std::log2(value) >= r.low && std::log2(value) <= r.high)
                if (r.high - r.low < 12 || m == 1.0)
                    result.push_back(value);
    return result;
}

}  // namespace

std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : text)
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += c;
    return result;
}

std::string line_chart(const std::string& title, const std::string& y_label,
                       const std::vector<series>& lines, bool unit_line)
{
    if (std::all_of(lines.begin(), lines.end(), [](const auto& it) { return it.points.empty(); }))
        return {};
    const auto xs = range_of(lines, true, false), ys = range_of(lines, false, unit_line);
    const auto px = [&](double x) { return xs.place(x, left, width - right); };
    const auto py = [&](double y) { return ys.place(y, height - bottom, top); };
    auto svg = fmt::format(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n"
        "<text x=\"{}\" y=\"18\" class=\"t\">{}</text>\n",
        width, height, escaped(title), left, escaped(title));
    for (const double y : ticks(ys))
        svg += fmt::format(
            "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"g\"/><text x=\"{}\" "
            "y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
            left, width - right, py(y), py(y), left - 6, py(y) + 4, y);
    for (double x = std::exp2(std::ceil(xs.low - 1e-9)); std::log2(x) <= xs.high + 1e-9; x *= 2)
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n",
                           px(x), height - bottom + 16, x);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">N, tasks</text>\n",
                       (left + width - right) / 2, height - 6);
    svg += fmt::format(
        "<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        (top + height - bottom) / 2, escaped(y_label));
    if (unit_line)
        svg += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"u\"/>\n",
                           left, width - right, py(1), py(1));
    std::size_t number = 0;
    for (const auto& line : lines) {
        if (line.points.empty())
            continue;
        const char* colour = colours[number % std::size(colours)];
        std::string points;
        for (const auto& [x, y] : line.points)
            points += fmt::format("{:.1f},{:.1f} ", px(x), py(y));
        svg += fmt::format(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", points,
            colour, line.dashed ? " stroke-dasharray=\"5 4\"" : "");
        for (std::size_t i = 0; i < line.extents.size(); ++i)
            svg += fmt::format(
                "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" "
                "stroke=\"{3}\"/>\n",
                px(line.points[i].first), py(line.extents[i].first), py(line.extents[i].second),
                colour);
        for (const auto& [x, y] : line.points)
            svg += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{}, N = {:g}: "
                "{:.4g}</title></circle>\n",
                px(x), py(y), colour, escaped(line.name), x, y);
        const double y = top + 8 + 18 * static_cast<double>(number);
        svg += fmt::format(
            "<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"{}\" "
            "stroke-width=\"2\"{}/><text x=\"{}\" y=\"{}\">{}</text>\n",
            width - right + 10, width - right + 34, y, y, colour,
            line.dashed ? " stroke-dasharray=\"5 4\"" : "", width - right + 40, y + 4,
            escaped(line.name));
        ++number;
    }
    return svg + "</svg>\n";
}

}  // namespace artel::lab
