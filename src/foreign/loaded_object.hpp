// A program or library as the dynamic linker has loaded it, seen through its dynamic section: what
// it defines and what it needs. Asks nothing that takes the linker's locks (dlsym waits for one
// that a library's constructor holds, and constructors may have regions): any thread, at any time.
// Nothing is remembered from one question to the next, since libraries come and go. Valid as long
// as the object stays loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <link.h>
#include <optional>

namespace artel::foreign {

// A name with its hash in DT_GNU_HASH, made by the compiler.
struct exported_name {
    const char* text;
    std::uint32_t hash = 5381;

    consteval exported_name(const char* name) noexcept
        : text(name)  // NOLINT: a name is what it is made of
    {
        for (; *name != 0; ++name) {
            hash = hash * 33 + static_cast<unsigned char>(*name);
        }
    }
};

class loaded_object {
public:
    // As dl_iterate_phdr gives it.
    explicit loaded_object(const dl_phdr_info& object) noexcept;

    // The one that the address lies in. Some 20 ns.
    static std::optional<loaded_object> containing(const void* address) noexcept;

    // Where the function or variable is that the object itself exports under this name, in any
    // version; nullptr: none. Only objects with a GNU hash table, which all linkers make for Linux.
    // Some tens of ns.
    void* exported(exported_name name) const noexcept;

    // Does it refer to such a function or variable of others, in a way that allows that there is
    // none? Some us in a large library.
    bool refers_weakly_to(const char* name) const noexcept;

    // No other object has the same at the same time. Even.
    std::uintptr_t identity() const noexcept { return reinterpret_cast<std::uintptr_t>(dynamic_); }

    // Is it the program or library that the function is in?
    bool contains(void (*function)()) const noexcept;

    // Does it ask for a library whose name begins so?
    bool needs(const char* library) const noexcept;

    // Is it the library of this name (DT_SONAME)?
    bool is_called(const char* library) const noexcept;

private:
    loaded_object(ElfW(Addr) base, const ElfW(Dyn) * dynamic) noexcept
        : base_(base), dynamic_(dynamic)
    {}
    struct tables;
    tables find_tables() const noexcept;

    ElfW(Addr) base_;
    const ElfW(Dyn) * dynamic_ = nullptr;  // ends with DT_NULL; nullptr: the object has none
};

// dl_iterate_phdr, which holds a lock of the C library that a fork leaves taken in the child; so a
// fork waits meanwhile. `visit` takes no lock.
int visit_loaded_objects(int (*visit)(dl_phdr_info*, std::size_t, void*), void* argument) noexcept;

}  // namespace artel::foreign
