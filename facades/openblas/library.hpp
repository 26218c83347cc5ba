// A loaded OpenBLAS with threads of its own (not one built for OpenMP, which asks the OpenMP
// runtime).
#pragma once

#include "image.hpp"

#include <atomic>
#include <string>
#include <string_view>

namespace artel::openblas {

class library {
public:
    // Prefix and suffix of its names: `scipy_` and `64_` in wheels.
    struct names {
        std::string_view prefix;
        std::string_view suffix;
        // The name in OpenBLAS's documentation; empty when it has another prefix or suffix.
        std::string_view plain(std::string_view name) const noexcept;
    };

    using set_function = void(int threads);

    std::string path, prefix_text, suffix_text;
    names called;
    std::uintptr_t base = 0;
    std::atomic<int>* number = nullptr;  // its blas_cpu_number
    set_function* set_number = nullptr;  // its own openblas_set_num_threads
    // All guarded by `counts_lock` (thread_counts.hpp).
    int limit = 0;         // the user's limit; 0: not known yet, the library is still being loaded
    int thread_count = 0;  // what was last written
    bool is_being_set = false;
};

// Prefix and suffix of this image's names if it is such an OpenBLAS, recognised by its setter.
bool is_openblas(const image& object, library::names& found) noexcept;

}  // namespace artel::openblas
