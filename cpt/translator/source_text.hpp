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
    // The offset after the last character of the token at `location`.
    unsigned end_of(clang::SourceLocation location) const;
    // The offset after a statement, including its semicolon.
    unsigned end_of(const clang::Stmt* statement) const;
    // The offset after the last character of the line that contains `offset`, without its newline.
    unsigned end_of_line(unsigned offset) const;
    unsigned begin_of_line(unsigned offset) const;
    // Where the declaration begins whose specifiers begin at `offset`: attributes may come before
    // them.
    unsigned front_of(unsigned offset) const;
    // The first offset from `offset` on that is neither white space nor part of a line marker.
    unsigned skip_space(unsigned offset) const;
    // A line marker for the text at `offset`, on a line of its own. `generated`: the text that
    // follows is not the user's, and compilers should not warn about it.
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
