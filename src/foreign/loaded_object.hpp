// A loaded program or library, seen through its dynamic section: what it defines and what it needs.
// Takes none of the linker's locks (dlsym waits for one that a library's constructor holds, and
// constructors may have regions): any thread, at any time. Nothing is cached between calls, since
// libraries are loaded and unloaded. Valid as long as the object stays loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <link.h>
#include <optional>
#include <span>

namespace artel::foreign {

// A name with its hash in DT_GNU_HASH, computed by the compiler.
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

    // The object that contains the address. Some 20 ns.
    static std::optional<loaded_object> containing(const void* address) noexcept;

    // The address of the function or variable that the object itself exports under this name, in
    // any version; nullptr: none. Only for objects with a GNU hash table, which all linkers for
    // Linux make. Some tens of ns.
    void* exported(exported_name name) const noexcept;

    // Whether it has a weak reference to a function or variable of this name in another object.
    // Some us in a large library.
    bool refers_weakly_to(const char* name) const noexcept;

    // A value that no other object has at the same time. Even.
    std::uintptr_t identity() const noexcept { return reinterpret_cast<std::uintptr_t>(dynamic_); }

    // Whether it is the program or library that contains the function.
    bool contains(void (*function)()) const noexcept;

    // Whether it needs a library whose name begins with this.
    bool needs(const char* library) const noexcept;

    // Whether it is the library of this name (DT_SONAME).
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

// dl_iterate_phdr, which holds a lock of the C library that a fork would leave taken in the child;
// so forks wait for it. `visit` takes no lock.
int visit_loaded_objects(int (*visit)(dl_phdr_info*, std::size_t, void*), void* argument) noexcept;

// Calls use(all, argument) once, with all loaded objects in their order; none is unloaded before it
// returns, and forks wait for it. `use` takes no lock, and may throw std::bad_alloc. False: there
// is no memory.
bool with_loaded_objects(void (*use)(std::span<const dl_phdr_info> all, void*),
                         void* argument) noexcept;

}  // namespace artel::foreign
