// Offsets of locations, and where statements, lines and directives begin and end; Clang's ranges
// end at the beginning of the last token, and before a semicolon.
#include "source_text.hpp"

#include "promises.hpp"
#include "words.hpp"

namespace cpt {

using namespace clang;

source_text::source_text(ASTContext& context)
    : context_(context), sources_(context.getSourceManager())
{
    const StringRef text = sources_.getBufferData(sources_.getMainFileID());
    text_ = {text.data(), text.size()};
}

unsigned source_text::begin_of(SourceLocation location) const
{
    return sources_.getFileOffset(sources_.getExpansionLoc(location));
}

unsigned source_text::end_of(SourceLocation location) const
{
    const SourceLocation begin = sources_.getExpansionLoc(location);
    return sources_.getFileOffset(begin) +
           Lexer::MeasureTokenLength(begin, sources_, context_.getLangOpts());
}

SourceLocation source_text::location(unsigned offset) const
{
    return sources_.getLocForStartOfFile(sources_.getMainFileID()).getLocWithOffset(int(offset));
}

unsigned source_text::end_of_line(unsigned offset) const
{
    const std::size_t end = text_.find('\n', offset);
    return unsigned(end == text_.npos ? text_.size() : end);
}

unsigned source_text::begin_of_line(unsigned offset) const
{
    const std::size_t newline = offset == 0 ? text_.npos : text_.rfind('\n', offset - 1);
    return unsigned(newline == text_.npos ? 0 : newline + 1);
}

unsigned source_text::front_of(unsigned offset) const
{
    for (unsigned at = offset; at > 0;) {
        const char c = text_[at - 1];
        if (c == ';' || c == '}') {
            break;
        }
        if (const unsigned line = begin_of_line(at - 1); text_[line] == '#') {
            if (asks_for_variants(std::string(between(line, at)))) {
                offset = line;
            } else if (!is_marker(between(line, at))) {
                break;
            }
            at = line;
            continue;
        }
        --at;
        offset = std::isspace(static_cast<unsigned char>(c)) ? offset : at;
    }
    return offset;
}

unsigned source_text::skip_space(unsigned offset) const
{
    while (offset < text_.size()) {
        if (std::isspace(static_cast<unsigned char>(text_[offset]))) {
            ++offset;
        } else if (text_[offset] == '#' && text_.substr(offset, 9) != "#pragma o") {
            offset = end_of_line(offset);
        } else {
            break;
        }
    }
    return offset;
}

unsigned source_text::end_behind_semicolon(unsigned offset) const
{
    const unsigned next = skip_space(offset);
    return next < text_.size() && text_[next] == ';' ? next + 1 : offset;
}

// Clang's ranges of expressions, jumps and do loops end before the semicolon.
unsigned source_text::end_of(const Stmt* statement) const
{
    if (const auto* d = dyn_cast<OMPExecutableDirective>(statement)) {
        const unsigned pragma = end_of_line(begin_of(d->getBeginLoc()));
        const Stmt* inner = d->hasAssociatedStmt() ? d->getAssociatedStmt() : nullptr;
        return inner == nullptr || d->isStandaloneDirective() ? pragma : end_of(inner);
    }
    if (const auto* s = dyn_cast<CapturedStmt>(statement)) {
        return end_of(s->getCapturedStmt());
    }
    if (const auto* s = dyn_cast<OMPCanonicalLoop>(statement)) {
        return end_of(s->getLoopStmt());
    }
    if (const auto* s = dyn_cast<IfStmt>(statement)) {
        return end_of(s->getElse() != nullptr ? s->getElse() : s->getThen());
    }
    if (const auto* s = dyn_cast<ForStmt>(statement)) {
        return end_of(s->getBody());
    }
    if (const auto* s = dyn_cast<WhileStmt>(statement)) {
        return end_of(s->getBody());
    }
    if (const auto* s = dyn_cast<SwitchStmt>(statement)) {
        return end_of(s->getBody());
    }
    if (const auto* s = dyn_cast<LabelStmt>(statement)) {
        return end_of(s->getSubStmt());
    }
    if (const auto* s = dyn_cast<AttributedStmt>(statement)) {
        return end_of(s->getSubStmt());
    }
    if (const auto* s = dyn_cast<SwitchCase>(statement)) {
        return end_of(s->getSubStmt());
    }
    const unsigned end = end_of(statement->getEndLoc());
    if (isa<CompoundStmt, DeclStmt, NullStmt>(statement)) {
        return end;
    }
    return end_behind_semicolon(end);
}

std::string source_text::marker(unsigned offset, bool generated) const
{
    const PresumedLoc at = sources_.getPresumedLoc(location(offset));
    return at.isInvalid() ? "\n"
                          : "\n# " + std::to_string(at.getLine()) + " \"" + file_of(at) + "\"" +
                                (generated ? " 3\n" : "\n");
}

std::string source_text::place(unsigned offset) const
{
    const PresumedLoc at = sources_.getPresumedLoc(location(offset));
    return at.isInvalid() ? "\"?\""
                          : "\"" + file_of(at) + ":" + std::to_string(at.getLine()) + "\"";
}

// The name as in a string literal.
std::string source_text::file_of(const PresumedLoc& at) const
{
    std::string name;
    for (const char c : std::string_view(at.getFilename())) {
        if (c == '"' || c == '\\') {
            name += '\\';
        }
        name += c;
    }
    return name;
}

}  // namespace cpt
