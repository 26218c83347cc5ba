// What an expression of the program stands for.
#pragma once

#include "clang.hpp"

namespace cpt {

// The variable that an expression names; nullptr: it is something else.
const clang::VarDecl* variable_of(const clang::Expr* e);

// The expression that the user wrote where Clang keeps its value in a variable of its own.
const clang::Expr* written(const clang::Expr* e);

}  // namespace cpt
