// See options_document.hpp. tools/update_docs puts the output between the markers of the documents.
#include "artel/options_document.hpp"

#include "base/options.hpp"

#include <fmt/format.h>

#include <string_view>

namespace artel::tool {

namespace {

// In man(7) source a backslash, a leading dot and a plain hyphen mean something else.
std::string man_text(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\\' || c == '-')
            result += '\\';
        result += c == '\\' ? 'e' : c;
    }
    return result;
}

// The anchor of a heading in links: its text in lower case.
std::string anchor(std::string heading)
{
    for (char& c : heading)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return heading;
}

}  // namespace

std::string options_as_markdown()
{
    std::string text = "| Variable | Default | Allowed |\n|---|---|---|\n";
    for (const auto& row : base::option_table())
        text += fmt::format("| [`{}`](#{}) | `{}` | {} |\n", row.variable, anchor(row.variable),
                            row.default_text, row.allowed);
    for (const auto& row : base::option_table())
        text += fmt::format("\n## {}\n\n{}\nAllowed: {}. Default: `{}`.\n", row.variable, row.doc,
                            row.allowed, row.default_text);
    return text;
}

std::string options_as_man()
{
    std::string text;
    for (const auto& row : base::option_table())
        text += fmt::format(".TP\n.B {}\n{}\nAllowed: {}.\nDefault:\n.BR {} .\n",
                            man_text(row.variable), man_text(row.doc), man_text(row.allowed),
                            man_text(row.default_text));
    return text;
}

}  // namespace artel::tool
