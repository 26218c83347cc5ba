// One loop of a directive, as the language allows it: its counter, bounds and step.
#pragma once

#include "clang.hpp"

namespace cpt {

struct level {
    const clang::VarDecl* counter;
    clang::QualType counter_type, bound_type;
    const clang::Expr *begin, *bound;
    const clang::Expr* step = nullptr;  // nullptr: one
    bool minus = false;                 // i -= step
    bool up = true, inclusive = false;
};

// The loop in a statement that consists of one, also inside of blocks and directives that do not
// change it; nullptr: none.
const clang::ForStmt* loop_in(const clang::Stmt* s);

// The next loop of a nest in the body of a loop, also where other statements stand beside it;
// nullptr: none.
const clang::ForStmt* next_loop(const clang::Stmt* body);

// Returns false if the loop has another form.
bool read_loop(const clang::ForStmt* f, clang::ASTContext& context, level& l);

}  // namespace cpt
