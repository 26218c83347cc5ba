// Pragmas that no construct translates: those without an effect in a translation for the host are
// removed, the others refused.
#include "unit.hpp"

namespace cpt {

using namespace clang;

namespace {

// Pragmas without an effect in a translation for the host, or whose effect Clang's declarations
// already have.
bool harmless(std::string_view pragma)
{
    for (const std::string_view words :
         {"declare target", "begin declare target", "end declare target", "declare reduction",
          "declare mapper", "threadprivate", "requires", "assumes", "begin assumes", "end assumes",
          "assume", "nothing", "section", "scan", "begin declare variant", "end declare variant",
          "metadirective"}) {
        if (pragma.substr(0, words.size()) == words) {
            return true;
        }
    }
    // Calls are translated to the variant's name, but the arguments that append_args asks for are
    // not made.
    if (pragma.starts_with("declare variant")) {
        return pragma.find("append_args") == pragma.npos;
    }
    // Ordinary variables will do for any allocator.
    return pragma.substr(0, 8) == "allocate" && pragma.find("align") == pragma.npos;
}

}  // namespace

void unit::for_each_pragma(unsigned begin, unsigned end,
                           const std::function<void(unsigned, unsigned, std::string_view)>& f) const
{
    for (std::size_t at = source_.all().find("#pragma omp", begin); at < end;
         at = source_.all().find("#pragma omp", at + 1)) {
        // In preprocessed text directives are on lines of their own; elsewhere the words are in a
        // string.
        const unsigned line = source_.begin_of_line(unsigned(at));
        if (source_.between(line, unsigned(at)).find_first_not_of(" \t") !=
            std::string_view::npos) {
            continue;
        }
        const unsigned line_end = source_.end_of_line(unsigned(at));
        std::string_view words = source_.between(unsigned(at) + 11, line_end);
        words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
        f(unsigned(at), line_end, words);
    }
}

void unit::note_pragmas(unsigned begin, unsigned end)
{
    for_each_pragma(begin, end, [&](unsigned at, unsigned line_end, std::string_view words) {
        // The directive that a metadirective becomes begins within the line.
        const auto chosen = facts_.directives.upper_bound(at);
        if (words.starts_with("metadirective") && chosen != facts_.directives.end() &&
            chosen->first < line_end) {
            refuse(*chosen->second, "a metadirective is supported only where it becomes nothing");
        }
        if (!facts_.directives.contains(at) && harmless(words)) {
            facts_.edits[at] = {line_end, ""};
            pragmas_done_.insert(source_.begin_of_line(at));
        }
    });
}

void unit::settle_pragmas()
{
    for_each_pragma(
        0, unsigned(source_.all().size()), [&](unsigned at, unsigned end, std::string_view words) {
            if (pragmas_done_.contains(source_.begin_of_line(at)) || was_skipped(at)) {
                return;
            }
            if (harmless(words)) {
                edits_[at] = {end, ""};
            } else if (!failed_) {
                try {
                    refuse(source_.location(at),
                           "'omp " + std::string(words.substr(0, words.find_first_of("(,"))) +
                               "' is not supported here");
                } catch (const refused&) {
                }
            }
        });
}

}  // namespace cpt
