// The soname of a program or shared library, and the libraries that it needs.
#pragma once

#include <string>
#include <vector>

namespace artel::tool {

struct elf_needs {
    std::string soname;               // empty: none
    std::vector<std::string> needed;  // sonames, in their order
    std::string loader;               // of a program that is linked dynamically; else empty
};

// Reads the file; everything is empty when it cannot be read or is no 64-bit ELF file.
elf_needs read_elf_needs(const std::string& path);

}  // namespace artel::tool
