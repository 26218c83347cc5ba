// Directives that are hidden from Clang. Those that only promise something (assume), and `nothing`,
// are removed. Those that ask for variants of functions (declare simd) are left to the compiler,
// which makes the variants and calls them in loops with simd; Clang's parser fails at what follows
// them.
#pragma once

#include <string>

namespace cpt {

// Hides them in the text, whose length does not change; returns whether there was any.
bool hide_directives(std::string& text);

// Whether the line is a hidden one that asks for variants.
bool asks_for_variants(const std::string& line);

// The text in which those for the compiler are visible again.
std::string with_variants(const std::string& text);

}  // namespace cpt
