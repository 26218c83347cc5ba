// See elf_needs.hpp. By hand, as in program.cpp.
#include "artel/elf_needs.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>

namespace artel::tool {

namespace {

class elf_file {
public:
    explicit elf_file(const std::string& path) : file_(path, std::ios::binary)
    {
        Elf64_Ehdr header{};
        if (!read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
            header.e_ident[EI_CLASS] != ELFCLASS64)
            return;
        for (unsigned i = 0; i < header.e_phnum; ++i) {
            Elf64_Phdr segment{};
            if (read(header.e_phoff + std::uint64_t{i} * header.e_phentsize, &segment,
                     sizeof segment))
                segments_.push_back(segment);
        }
    }

    const Elf64_Phdr* segment(unsigned type) const
    {
        for (const auto& it : segments_)
            if (it.p_type == type)
                return &it;
        return nullptr;
    }

    bool read(std::uint64_t offset, void* to, std::size_t size)
    {
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(offset));
        return static_cast<bool>(
            file_.read(static_cast<char*>(to), static_cast<std::streamsize>(size)));
    }

    // The string at the offset; empty beyond the end of the file.
    std::string text(std::uint64_t offset)
    {
        std::string result;
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(offset));
        std::getline(file_, result, '\0');
        return result;
    }

    std::optional<std::uint64_t> offset_of(std::uint64_t address) const
    {
        for (const auto& it : segments_)
            if (it.p_type == PT_LOAD && address >= it.p_vaddr && address - it.p_vaddr < it.p_filesz)
                return it.p_offset + (address - it.p_vaddr);
        return std::nullopt;
    }

private:
    std::ifstream file_;
    std::vector<Elf64_Phdr> segments_;
};

}  // namespace

elf_needs read_elf_needs(const std::string& path)
{
    elf_needs result;
    elf_file file(path);
    if (const auto* loader = file.segment(PT_INTERP))
        result.loader = file.text(loader->p_offset);
    const auto* dynamic = file.segment(PT_DYNAMIC);
    if (dynamic == nullptr)
        return result;
    std::vector<std::uint64_t> needed;
    std::optional<std::uint64_t> soname, strings;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic->p_filesz;
         at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry{};
        if (!file.read(dynamic->p_offset + at, &entry, sizeof entry) || entry.d_tag == DT_NULL)
            break;
        switch (entry.d_tag) {
        case DT_NEEDED: needed.push_back(entry.d_un.d_val); break;
        case DT_SONAME: soname = entry.d_un.d_val; break;
        case DT_STRTAB: strings = file.offset_of(entry.d_un.d_ptr); break;
        default: break;
        }
    }
    if (!strings)
        return result;
    if (soname)
        result.soname = file.text(*strings + *soname);
    for (const auto offset : needed)
        result.needed.push_back(file.text(*strings + offset));
    return result;
}

}  // namespace artel::tool
