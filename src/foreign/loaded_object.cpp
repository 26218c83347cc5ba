// Reads the dynamic section and the hash tables (DT_GNU_HASH and the older DT_HASH) by hand, as the
// dynamic linker does.
#include "foreign/loaded_object.hpp"

#include "fiber/call_out.hpp"
#include "foreign/fork_safe_lock.hpp"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <vector>

namespace artel::foreign {
namespace {

// DT_GNU_HASH: this, then the words of a Bloom filter, then the buckets (the first symbol of each),
// then a word per symbol from `first` on: its hash, whose lowest bit marks the last symbol of its
// bucket.
struct hash_table {
    std::uint32_t buckets;
    std::uint32_t first;
    std::uint32_t filter_words;
    std::uint32_t filter_shift;
};

}  // namespace

loaded_object::loaded_object(const dl_phdr_info& object) noexcept : base_(object.dlpi_addr)
{
    for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
        if (const auto& header = object.dlpi_phdr[i]; header.p_type == PT_DYNAMIC) {
            dynamic_ = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + header.p_vaddr);
        }
    }
}

std::optional<loaded_object> loaded_object::containing(const void* address) noexcept
{
    dl_find_object found{};
    if (::_dl_find_object(const_cast<void*>(address), &found) != 0) {
        return std::nullopt;
    }
    return loaded_object(found.dlfo_link_map->l_addr, found.dlfo_link_map->l_ld);
}

bool loaded_object::contains(void (*function)()) const noexcept
{
    const auto its = containing(reinterpret_cast<const void*>(function));
    return its && identity() == its->identity();
}

struct loaded_object::tables {
    const hash_table* hash = nullptr;
    const std::uint32_t* old_hash = nullptr;  // DT_HASH: number of buckets, number of symbols, ...
    const ElfW(Sym) * symbols = nullptr;
    const char* text = nullptr;
};

loaded_object::tables loaded_object::find_tables() const noexcept
{
    tables t;
    for (const auto* e = dynamic_; e != nullptr && e->d_tag != DT_NULL; ++e) {
        // The kernel's object (vDSO) is not relocated.
        const auto* const there = reinterpret_cast<const void*>(
            e->d_un.d_ptr < base_ ? e->d_un.d_ptr + base_ : e->d_un.d_ptr);
        switch (e->d_tag) {
        case DT_GNU_HASH: t.hash = static_cast<const hash_table*>(there); break;
        case DT_HASH: t.old_hash = static_cast<const std::uint32_t*>(there); break;
        case DT_SYMTAB: t.symbols = static_cast<const ElfW(Sym)*>(there); break;
        case DT_STRTAB: t.text = static_cast<const char*>(there); break;
        default: break;
        }
    }
    return t;
}

bool loaded_object::refers_weakly_to(const char* name) const noexcept
{
    const tables t = find_tables();
    if (t.symbols == nullptr || t.text == nullptr) {
        return false;
    }
    // References come before the symbols in the newer table, which has definitions only.
    const std::uint32_t end = t.hash != nullptr       ? t.hash->first
                              : t.old_hash != nullptr ? t.old_hash[1]
                                                      : 0;
    for (std::uint32_t i = 0; i < end; ++i) {
        const ElfW(Sym)& symbol = t.symbols[i];
        if (symbol.st_shndx == SHN_UNDEF && std::strcmp(t.text + symbol.st_name, name) == 0) {
            return ELF64_ST_BIND(symbol.st_info) == STB_WEAK;
        }
    }
    return false;
}

void* loaded_object::exported(exported_name name) const noexcept
{
    const tables t = find_tables();
    const hash_table* const table = t.hash;
    if (table == nullptr || table->buckets == 0) {
        return nullptr;
    }
    const std::uint32_t hash = name.hash;
    const auto* const filter = reinterpret_cast<const std::uint64_t*>(table + 1);
    const std::uint64_t word = filter[hash / 64 % table->filter_words];
    if ((word >> hash % 64 & word >> (hash >> table->filter_shift) % 64 & 1) == 0) {
        return nullptr;
    }
    const auto* const buckets = reinterpret_cast<const std::uint32_t*>(filter +
                                                                       table->filter_words);
    const auto* const hashes = buckets + table->buckets;
    std::uint32_t i = buckets[hash % table->buckets];
    if (i < table->first) {
        return nullptr;
    }
    for (;; ++i) {
        const std::uint32_t its = hashes[i - table->first];
        if ((its | 1) == (hash | 1) && t.symbols[i].st_shndx != SHN_UNDEF &&
            std::strcmp(t.text + t.symbols[i].st_name, name.text) == 0) {
            return reinterpret_cast<void*>(base_ + t.symbols[i].st_value);
        }
        if ((its & 1) != 0) {
            return nullptr;
        }
    }
}

bool loaded_object::needs(const char* library) const noexcept
{
    const char* const text = find_tables().text;
    for (const auto* e = dynamic_; e != nullptr && e->d_tag != DT_NULL; ++e) {
        if (e->d_tag == DT_NEEDED &&
            std::strncmp(text + e->d_un.d_val, library, std::strlen(library)) == 0) {
            return true;
        }
    }
    return false;
}

bool loaded_object::is_called(const char* library) const noexcept
{
    const char* const text = find_tables().text;
    for (const auto* e = dynamic_; e != nullptr && e->d_tag != DT_NULL; ++e) {
        if (e->d_tag == DT_SONAME) {
            return std::strcmp(text + e->d_un.d_val, library) == 0;
        }
    }
    return false;
}

namespace {

fork_safe_lock visiting;

// No exception passes the C library's frames.
struct user_of_all {
    void (*use)(std::span<const dl_phdr_info>, void*);
    void* argument;
    std::vector<dl_phdr_info> all;
    bool done = true;
};

int note_one(dl_phdr_info* info, std::size_t, void* argument)
{
    auto& user = *static_cast<user_of_all*>(argument);
    try {
        user.all.push_back(*info);
    } catch (const std::bad_alloc&) {
        user.done = false;
    }
    return user.done ? 0 : 1;
}

// For the first object: the linker's lock, which is held for a visit, may be taken again by the
// same thread.
int note_and_use_all(dl_phdr_info*, std::size_t, void* argument)
{
    auto& user = *static_cast<user_of_all*>(argument);
    ::dl_iterate_phdr(note_one, &user);
    try {
        if (user.done) {
            user.use(user.all, user.argument);
        }
    } catch (const std::bad_alloc&) {
        user.done = false;
    }
    return 1;
}

}  // namespace

int visit_loaded_objects(int (*visit)(dl_phdr_info*, std::size_t, void*), void* argument) noexcept
{
    const fiber::call_out_lock hold(visiting);
    return ::dl_iterate_phdr(visit, argument);
}

bool with_loaded_objects(void (*use)(std::span<const dl_phdr_info>, void*), void* argument) noexcept
{
    user_of_all user{use, argument, {}};
    visit_loaded_objects(note_and_use_all, &user);
    return user.done;
}

}  // namespace artel::foreign
