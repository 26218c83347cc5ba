// The names of variables in a unit's functions. If one has the name of a type of the file (`node*
// node`), that name means the variable, and generated text cannot use it for the type.
#pragma once

#include "clang.hpp"

namespace cpt {

// The names in the one unit that this process translates.
const std::set<std::string>& local_names(const clang::ASTContext& context);

}  // namespace cpt
