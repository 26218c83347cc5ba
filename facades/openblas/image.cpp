// Symbols are counted by the hash table, which does not say how many there are, and what was mapped
// read-only after relocation is opened for the write.
#include "image.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <unistd.h>

namespace artel::openblas {
namespace {

// DT_GNU_HASH lists only definitions, which come last in the symbol table, so the end of the
// longest chain gives the number of symbols.
std::size_t count_symbols(const std::uint32_t* table) noexcept
{
    const std::uint32_t buckets = table[0];
    const std::uint32_t first = table[1];
    const std::uint32_t filter_words = table[2];
    const std::uint32_t* const bucket = table + 4 + std::size_t{filter_words} * 2;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < buckets; ++i) {
        last = std::max(last, bucket[i]);
    }
    if (last < first) {
        return first;
    }
    const std::uint32_t* const chain = bucket + buckets;
    while ((chain[last - first] & 1) == 0) {
        ++last;
    }
    return last + 1;
}

constexpr std::uintptr_t page = 4096;

bool protect(std::uintptr_t from, std::size_t size, int protection) noexcept
{
    const std::uintptr_t begin = from & ~(page - 1);
    return ::mprotect(reinterpret_cast<void*>(begin), from + size - begin, protection) == 0;
}

}  // namespace

image::image(const dl_phdr_info& object) noexcept
    : base_(object.dlpi_addr), headers_(object.dlpi_phdr, object.dlpi_phnum)
{
    for (const ElfW(Phdr) & header : headers_) {
        if (header.p_type == PT_LOAD) {
            low_ = std::min(low_, base_ + header.p_vaddr);
            high_ = std::max(high_, base_ + header.p_vaddr + header.p_memsz);
        }
    }
    for (const ElfW(Phdr) & header : headers_) {
        if (header.p_type == PT_DYNAMIC) {
            read_dynamic(reinterpret_cast<const ElfW(Dyn)*>(base_ + header.p_vaddr));
        }
    }
}

void image::read_dynamic(const ElfW(Dyn) * dynamic) noexcept
{
    std::uintptr_t symbols = 0, jumps = 0, data = 0;
    std::size_t jumps_size = 0, data_size = 0, count = 0;
    for (const auto* e = dynamic; e->d_tag != DT_NULL; ++e) {
        // The kernel's object (vDSO) is not relocated.
        const std::uintptr_t at = e->d_un.d_ptr < base_ ? e->d_un.d_ptr + base_ : e->d_un.d_ptr;
        switch (e->d_tag) {
        case DT_SYMTAB: symbols = at; break;
        case DT_STRTAB: text_ = reinterpret_cast<const char*>(at); break;
        case DT_GNU_HASH:
            count = std::max(count, count_symbols(reinterpret_cast<const std::uint32_t*>(at)));
            break;
        case DT_HASH:
            count = std::max<std::size_t>(count, reinterpret_cast<const std::uint32_t*>(at)[1]);
            break;
        case DT_JMPREL: jumps = at; break;
        case DT_PLTRELSZ: jumps_size = e->d_un.d_val; break;
        case DT_RELA: data = at; break;
        case DT_RELASZ: data_size = e->d_un.d_val; break;
        default: break;
        }
    }
    if (symbols == 0 || text_ == nullptr) {
        return;
    }
    symbols_ = {reinterpret_cast<ElfW(Sym)*>(symbols), count};
    jumps_ = {reinterpret_cast<const ElfW(Rela)*>(jumps), jumps_size / sizeof(ElfW(Rela))};
    data_ = {reinterpret_cast<const ElfW(Rela)*>(data), data_size / sizeof(ElfW(Rela))};
}

void* image::defined(const char* name) const noexcept
{
    for (const ElfW(Sym) & symbol : symbols_) {
        if (symbol.st_shndx != SHN_UNDEF && std::strcmp(name_of(symbol), name) == 0) {
            return address_of(symbol);
        }
    }
    return nullptr;
}

// The protection that the memory is to have after relocation.
int image::protection_of(std::uintptr_t address) const noexcept
{
    int protection = PROT_READ;
    for (const ElfW(Phdr) & header : headers_) {
        const std::uintptr_t begin = base_ + header.p_vaddr;
        if (address < begin || address >= begin + header.p_memsz) {
            continue;
        }
        if (header.p_type == PT_GNU_RELRO) {
            return PROT_READ;
        }
        if (header.p_type == PT_LOAD) {
            protection = ((header.p_flags & PF_R) != 0 ? PROT_READ : 0) |
                         ((header.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
                         ((header.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
        }
    }
    return protection;
}

bool image::open_symbols(bool open) const noexcept
{
    const auto begin = reinterpret_cast<std::uintptr_t>(symbols_.data());
    const int usual = protection_of(begin);
    return (usual & PROT_WRITE) != 0 ||
           protect(begin, symbols_.size_bytes(), open ? usual | PROT_WRITE : usual);
}

bool image::write(void** slot, void* value) const noexcept
{
    const auto at = reinterpret_cast<std::uintptr_t>(slot);
    const int usual = protection_of(at);
    const bool closed = (usual & PROT_WRITE) == 0;
    if (closed && !protect(at, sizeof *slot, usual | PROT_WRITE)) {
        return false;
    }
    // relaxed: a thread that still reads the old value calls the old function.
    std::atomic_ref<void*>(*slot).store(value, std::memory_order_relaxed);
    if (closed) {
        protect(at, sizeof *slot, usual);
    }
    return true;
}

}  // namespace artel::openblas
