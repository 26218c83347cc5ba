// Which libraries a process has loaded, and which are needed by others in it: what a facade must
// know of the runtimes beside it and of those that it replaces. Nothing is cached, since libraries
// are loaded and unloaded. Any thread, at any time; a few us.
#pragma once

namespace artel::foreign {

// Whether any object in the process was linked to a library whose name begins with `library`, under
// its own name or that of a copy in a wheel.
bool is_asked_for(const char* library) noexcept;

// Whether a library of this name, its own (DT_SONAME) or that of its file, is loaded, other than
// the one that contains the function, which may be loaded under that name, too.
bool is_loaded_beside(void (*function)(), const char* library) noexcept;

}  // namespace artel::foreign
