// Replaces a library's functions by ours (entry.hpp): in its symbol table, and where its names have
// already been looked up. In two steps, because the dynamic linker is asked first, for which this
// thread may have to wait for one that loads a library; and while others' references are written,
// no object may be unloaded, so nothing may wait.
#pragma once

#include "entry.hpp"
#include "image.hpp"
#include "library.hpp"

#include <link.h>
#include <span>
#include <utility>
#include <vector>

namespace artel::openblas {

// Replacements by the address of the library's own function.
class replacements {
public:
    void add(void* before, void* after) { all_.emplace_back(before, after); }
    void sort();
    void* of(const void* before) const noexcept;

private:
    std::vector<std::pair<void*, void*>> all_;
};

class standing_before {
public:
    // `object`: the library, or one that wraps it with entry points of its own. It stays loaded.
    // May throw std::bad_alloc. Called without locks.
    standing_before(library& of, const image& object);

    // `all`: all loaded objects, none of which is unloaded meanwhile. False: the system does not
    // permit it; nothing is changed. Waits for nothing.
    bool begin(std::span<const dl_phdr_info> all) noexcept;

private:
    void prepare(library& of);
    void find_own();

    image object_;
    entry_page page_;
    replacements instead_;
    std::vector<std::pair<ElfW(Sym)*, void*>> changes_;
    std::vector<std::pair<void**, void*>> own_;  // the library's references to itself
    bool ready_ = false;
};

}  // namespace artel::openblas
