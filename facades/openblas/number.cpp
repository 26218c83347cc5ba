// Where the library's symbols do not have the variable, the code of its getter is read: few
// instructions return a variable, and each of their forms is known here.
#include "number.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace artel::openblas {
namespace {

using foreign::exported_name;

// With the prefixes and suffixes that are in use.
constexpr std::array setters{
    exported_name("openblas_set_num_threads"),
    exported_name("openblas_set_num_threads64_"),
    exported_name("openblas_set_num_threads_64"),
    exported_name("openblas_set_num_threads64"),
    exported_name("scipy_openblas_set_num_threads"),
    exported_name("scipy_openblas_set_num_threads64_"),
};

// Instructions of a function that only returns a variable, perhaps after it has found that it has
// a value; `skipped` bytes behind the code are its operand.
struct instruction {
    std::string_view code;
    std::size_t skipped = 0;
};
using namespace std::string_view_literals;
constexpr std::array passed{
    instruction{"\xf3\x0f\x1e\xfa"sv},  // endbr64
    instruction{"\x55"sv},              // push %rbp
    instruction{"\x48\x89\xe5"sv},      // mov %rsp, %rbp
    instruction{"\x48\x83\xec\x08"sv},  // sub $8, %rsp
    instruction{"\x85\xc0"sv},          // test %eax, %eax
    instruction{"\x74"sv, 1},           // je: not taken
    instruction{"\x0f\x84"sv, 4},       // je
    instruction{"\x48\x83\xc4\x08"sv},  // add $8, %rsp
    instruction{"\x5d"sv},              // pop %rbp
};
constexpr std::string_view load = "\x8b\x05"sv;  // mov offset(%rip), %eax
constexpr std::string_view ret = "\xc3"sv;
constexpr std::size_t longest = 64;

const char* loaded_from(const char* code) noexcept
{
    std::int32_t offset = 0;
    std::memcpy(&offset, code + load.size(), sizeof offset);
    return code + load.size() + sizeof offset + offset;
}

// The variable whose value a function returns that consists of such instructions; nullptr: it
// consists of others.
const char* returned_by(const char* function, const image& object) noexcept
{
    const char* variable = nullptr;
    for (const char* at = function; at < function + longest;) {
        if (!object.contains(at + longest)) {
            return nullptr;
        }
        const std::string_view here(at, longest);
        if (here.starts_with(ret)) {
            return variable;
        }
        if (here.starts_with(load)) {
            variable = loaded_from(at);
            at += load.size() + sizeof(std::int32_t);
            continue;
        }
        const instruction* found = nullptr;
        for (const instruction& each : passed) {
            found = here.starts_with(each.code) ? &each : found;
        }
        if (found == nullptr) {
            return nullptr;
        }
        at += found->code.size() + found->skipped;
    }
    return nullptr;
}

}  // namespace

bool may_have_number(const foreign::loaded_object& object) noexcept
{
    if (object.exported("blas_cpu_number") != nullptr) {
        return object.exported("exec_blas") != nullptr;
    }
    for (const exported_name& each : setters) {
        if (object.exported(each) != nullptr) {
            return true;
        }
    }
    return false;
}

std::atomic<int>* find_number(const image& object, const library::names& names) noexcept
try {
    if (void* const known = object.defined("blas_cpu_number"); known != nullptr) {
        return static_cast<std::atomic<int>*>(known);
    }
    const auto named = [&](std::string_view name) {
        const std::string full = std::string(names.prefix).append(name).append(names.suffix);
        return static_cast<const char*>(object.defined(full.c_str()));
    };
    // Wrappers have the setter and the getter, too, with a variable that tells nobody.
    if (named("openblas_get_config") == nullptr) {
        return nullptr;
    }
    const char* const function = named("openblas_get_num_threads");
    const char* const variable = function != nullptr ? returned_by(function, object) : nullptr;
    const bool fits = variable != nullptr && object.is_variable(variable) &&
                      reinterpret_cast<std::uintptr_t>(variable) % alignof(int) == 0;
    return fits ? reinterpret_cast<std::atomic<int>*>(const_cast<char*>(variable)) : nullptr;
} catch (const std::bad_alloc&) {
    return nullptr;
}

}  // namespace artel::openblas
