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

// The list of variables stays as it is between these: for a fork.
void lock_private_variables();
void unlock_private_variables();

}  // namespace cp
