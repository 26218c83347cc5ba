// The preprocessed text of a unit, and where things are in it. There are no macros and no comments
// left, so every location of the AST is an offset, and what lies between two tokens is white space
// or a line marker.
#pragma once

#include "clang.hpp"

namespace cpt {

class source_text {
public:
    explicit source_text(clang::ASTContext& context);

    std::string_view all() const { return text_; }
    std::string_view between(unsigned begin, unsigned end) const
    {
        return text_.substr(begin, end - begin);
    }
    unsigned begin_of(clang::SourceLocation location) const;
    // Behind the last character of the token at `location`.
    unsigned end_of(clang::SourceLocation location) const;
    // Behind a statement, its semicolon included.
    unsigned end_of(const clang::Stmt* statement) const;
    // Behind the last character of the line that holds `offset`, without its newline.
    unsigned end_of_line(unsigned offset) const;
    unsigned begin_of_line(unsigned offset) const;
    // Where the declaration begins whose specifiers do at `offset`: attributes may stand in front.
    unsigned front_of(unsigned offset) const;
    // The first offset from `offset` on that is neither white space nor part of a line marker.
    unsigned skip_space(unsigned offset) const;
    // A line marker for what stands at `offset`, in a line of its own. `generated`: what follows is
    // not the user's, and compilers are not to warn about it.
    std::string marker(unsigned offset, bool generated = false) const;
    // Where `offset` is in the user's file, as a literal: "file.c:12".
    std::string place(unsigned offset) const;
    clang::SourceLocation location(unsigned offset) const;

private:
    std::string file_of(const clang::PresumedLoc& at) const;
    unsigned end_behind_semicolon(unsigned offset) const;

    clang::ASTContext& context_;
    const clang::SourceManager& sources_;
    std::string_view text_;
};

}  // namespace cpt
