// Reads Matrix Market files: coordinate; real, integer or pattern; general or symmetric.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include "spmv.h"
#include "spmv_storage.hpp"

namespace {

spmv* failed(const char* path, const std::string& why)
{
    std::fprintf(stderr, "%s: %s\n", path, why.c_str());
    return nullptr;
}

}  // namespace

spmv* spmv_read(const char* path)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
        return failed(path, "cannot be read, or is empty");
    std::transform(line.begin(), line.end(), line.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::istringstream banner(line);
    std::string mark, object, form, field, symmetry;
    banner >> mark >> object >> form >> field >> symmetry;
    if (mark != "%%matrixmarket" || object != "matrix" || form != "coordinate")
        return failed(path, "does not begin with '%%MatrixMarket matrix coordinate'");
    if ((field != "real" && field != "integer" && field != "pattern") ||
        (symmetry != "general" && symmetry != "symmetric"))
        return failed(path, "'" + field + " " + symmetry + "' matrices cannot be read");

    while (std::getline(file, line) && (line.empty() || line[0] == '%')) {
    }
    long rows = 0, columns = 0, count = 0;
    if (!(std::istringstream(line) >> rows >> columns >> count) || rows < 1 || columns < 1 ||
        columns > 1L << 31 || count < 0)
        return failed(path, "has no line with its size");
    std::vector<std::tuple<long, int, double>> entries;
    for (long i = 0; i < count; ++i) {
        long row = 0, column = 0;
        double value = 1;
        if (!(file >> row >> column) || (field != "pattern" && !(file >> value)) || row < 1 ||
            row > rows || column < 1 || column > columns)
            return failed(path, "entry " + std::to_string(i + 1) + " of " + std::to_string(count) +
                                    " is missing or outside of the matrix");
        entries.emplace_back(row - 1, static_cast<int>(column - 1), value);
        if (symmetry == "symmetric" && row != column)
            entries.emplace_back(column - 1, static_cast<int>(row - 1), value);
    }
    std::sort(entries.begin(), entries.end());

    auto* const m = new spmv;
    m->width = columns;
    m->begin.resize(static_cast<std::size_t>(rows) + 1);
    for (const auto& [row, column, value] : entries) {
        ++m->begin[static_cast<std::size_t>(row) + 1];
        m->columns.push_back(column);
        m->values.push_back(value);
    }
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
        m->begin[row + 1] += m->begin[row];
    m->prepare();
    return m;
}
