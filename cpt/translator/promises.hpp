// Directives that Clang is not shown. Those that only promise something (assume) or say nothing are
// left out. Those that ask for variants of functions (declare simd) are the compiler's, which makes
// the variants and calls them in loops with simd; Clang's parser stumbles over what follows them.
#pragma once

#include <string>

namespace cpt {

// Changes the text, whose length stays; whether there was any.
bool hide_directives(std::string& text);

// Whether the line is one that asks for variants, hidden.
bool asks_for_variants(const std::string& line);

// The text with the hidden ones that are the compiler's.
std::string with_variants(const std::string& text);

}  // namespace cpt
