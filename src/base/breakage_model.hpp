// Breakages. A model that cannot fail proves nothing. Each model lists breakages: a source file, a
// function in it, and a change to the atomic operations or fences there (weaker orders, falsified
// results, no fence). The run passes when the intact code survives all interleavings tried and
// every breakage is caught. The modelled code does not know of this: source_location identifies
// each operation.
#pragma once

#include "base/relacy_model.hpp"

namespace artel::model {

using where = std::source_location;

enum class damage {
    no_fence,  // full_fence() does nothing
    relaxed,   // every order becomes relaxed
    zero,      // loads and read-modify-writes return 0
    no_write,  // stores and read-modify-writes change nothing, but report success
    custom,    // the model itself asks broken("name")
};

// `name` is what `--broken NAME` takes; file and function are matched against the ends of __FILE__
// and as a part of the function's signature.
struct breakage {
    const char* name;
    unsigned scenario;  // which scenario must catch it
    damage kind;
    const char* file = "";
    const char* function = "";
};

inline const breakage* in_force = nullptr;

inline bool broken(damage kind, const where& at) noexcept
{
    if (in_force == nullptr || in_force->kind != kind) [[likely]] {
        return false;
    }
    return std::string_view(at.file_name()).ends_with(in_force->file) &&
           std::string_view(at.function_name()).find(in_force->function) != std::string_view::npos;
}

inline bool broken(std::string_view name) noexcept
{
    return in_force != nullptr && in_force->kind == damage::custom && name == in_force->name;
}

}  // namespace artel::model
