// What variables of a unit's functions are called. Where one of them is called like a type of the
// file (`node* node`), the type's name means the variable, and generated text cannot use it.
#pragma once

#include "clang.hpp"

namespace cpt {

// Of the one unit that this process translates.
const std::set<std::string>& local_names(const clang::ASTContext& context);

}  // namespace cpt
