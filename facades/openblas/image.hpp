// A loaded program or library whose symbol table and references can be changed: the results of
// later symbol look-ups in this library, and those of earlier ones. Changes memory of this process
// only, no file. Valid as long as the object stays loaded.
//
// The values in the object's own symbol table (DT_SYMTAB) are changed. All later look-ups of a name
// get the new value: those of libraries that are loaded later, of references that are resolved at
// their first call, and of dlsym(). Rejected: rewriting the callers' references alone, which misses
// later ones unless dlopen() is interposed. That would change the directories that dlopen()
// searches, because these depend on its caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <link.h>
#include <span>
#include <sys/mman.h>

namespace artel::openblas {

class image {
public:
    // As dl_iterate_phdr gives it.
    explicit image(const dl_phdr_info& object) noexcept;

    // All symbols that it defines or refers to; empty without a hash table, which gives their
    // number.
    std::span<ElfW(Sym)> symbols() const noexcept { return symbols_; }
    const char* name_of(const ElfW(Sym) & symbol) const noexcept { return text_ + symbol.st_name; }
    static bool is_function(const ElfW(Sym) & symbol) noexcept
    {
        return symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
    }
    void* address_of(const ElfW(Sym) & symbol) const noexcept
    {
        return reinterpret_cast<void*>(base_ + symbol.st_value);
    }

    // The function or variable of that name that it defines; nullptr: none. Compares all names.
    void* defined(const char* name) const noexcept;

    // Makes the symbol table writable, or restores its protection. False: the system does not
    // permit it.
    bool open_symbols(bool open) const noexcept;
    // Makes the symbol lead to `to`. Only between open_symbols(true) and open_symbols(false).
    void redirect(ElfW(Sym) & symbol, const void* to) const noexcept
    {
        symbol.st_value = reinterpret_cast<ElfW(Addr)>(to) - base_;
    }

    // Calls visit(slot, symbol) for each word that the dynamic linker has filled, or will fill at
    // the first call, with just the address of a symbol.
    template <class Visit>
    void each_reference(Visit&& visit) const
    {
        for (const std::span<const ElfW(Rela)> table : {jumps_, data_}) {
            for (const ElfW(Rela) & entry : table) {
                const auto type = ELF64_R_TYPE(entry.r_info);
                const std::size_t index = ELF64_R_SYM(entry.r_info);
                const bool plain = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
                                   (type == R_X86_64_64 && entry.r_addend == 0);
                if (plain && index != 0 && index < symbols_.size()) {
                    visit(reinterpret_cast<void**>(base_ + entry.r_offset), symbols_[index]);
                }
            }
        }
    }

    // Writes such a word, which may be in memory that is read-only after relocation. False: the
    // system does not permit it. Others may read the word at the same time.
    bool write(void** slot, void* value) const noexcept;

    std::uintptr_t base() const noexcept { return base_; }
    // Whether it may be written to as long as the object is loaded.
    bool is_variable(const void* address) const noexcept
    {
        return contains(address) &&
               (protection_of(reinterpret_cast<std::uintptr_t>(address)) & PROT_WRITE) != 0;
    }
    // Whether the address is in the object.
    bool contains(const void* address) const noexcept
    {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        return at >= low_ && at < high_;
    }

private:
    void read_dynamic(const ElfW(Dyn) * dynamic) noexcept;
    int protection_of(std::uintptr_t address) const noexcept;

    std::uintptr_t base_;
    std::uintptr_t low_ = UINTPTR_MAX, high_ = 0;
    std::span<const ElfW(Phdr)> headers_;
    std::span<ElfW(Sym)> symbols_;
    const char* text_ = nullptr;
    std::span<const ElfW(Rela)> jumps_, data_;
};

}  // namespace artel::openblas
