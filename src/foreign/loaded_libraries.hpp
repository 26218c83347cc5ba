// Which libraries a process has, and which somebody in it asks for: what a facade must know of the
// runtimes that it stands beside or takes the place of. Nothing is remembered, since libraries come
// and go. Any thread, at any time; a few us.
#pragma once

namespace artel::foreign {

// Whether anything in the process was linked to a library whose name begins with `library`, under
// its own name or that of a copy in a wheel.
bool is_asked_for(const char* library) noexcept;

// Whether a library of this name, its own (DT_SONAME) or that of its file, is loaded, other than
// the one that the function is in, which may be loaded under that name too.
bool is_loaded_beside(void (*function)(), const char* library) noexcept;

}  // namespace artel::foreign
