// The members of struct spmv, for the two files that make one.
#pragma once

#include <vector>

struct spmv {
    long width = 0;
    std::vector<long> begin{0};  // of each row in columns and values, and the end
    std::vector<int> columns;
    std::vector<double> values;
    std::vector<double> vector;
    std::vector<double> result;
    std::vector<double> expected;

    // Called when the matrix is complete: makes the vector and the expected result.
    void prepare();
};
