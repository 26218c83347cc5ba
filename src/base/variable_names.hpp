// Names of environment variables: which are set, which of them are read by parts that have no
// option in the table, and what a name that nobody reads was probably meant to be.
//
// Used where a table of variables is read: the options (options.cpp) and the settings of MPI's
// collectives, whose libraries have this file without the rest of base. Nothing here prints.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace artel::base {

// The names of all variables that begin so. Reads environ: not beside setenv, as getenv. May throw
// std::bad_alloc.
std::vector<std::string> environment_names(std::string_view beginning);

// Whether an ARTEL_ variable belongs to a part that reads its variables itself.
bool is_read_elsewhere(std::string_view name) noexcept;

// The sentence for a variable that nobody reads, with that of `known` which is nearest if one is
// near. All begin with `beginning`; `command` is what lists them. May throw std::bad_alloc.
std::string unknown_variable(std::string_view name, std::string_view beginning,
                             std::span<const std::string_view> known, std::string_view command);

}  // namespace artel::base
