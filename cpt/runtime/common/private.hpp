// A thread's copies of threadprivate variables, by the variables' numbers.
#pragma once

#include <vector>

namespace cp {

struct private_table {
    std::vector<void*> copies;
    private_table() = default;
    ~private_table();
    private_table(const private_table&) = delete;
    private_table& operator=(const private_table&) = delete;
};

// For a fork: between these calls the list of variables does not change.
void lock_private_variables();
void unlock_private_variables();

}  // namespace cp
