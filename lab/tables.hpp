// The paper's tables 2 to 5 for this machine, as rows of text: times by variant and number of
// tasks, and below them how threads and processes compare here and on the paper's machines. Text
// and HTML reports print the same rows.
#pragma once

#include "lab/results.hpp"

#include <string>
#include <vector>

namespace artel::lab {

struct table_row {
    std::string name;
    std::vector<std::string> squares{};  // one for each number of tasks
    // as many as squares, or none: what the squares do not show, such as the spread of the repeats.
    std::vector<std::string> hints{};
    enum class row_kind { times, ratio, paper_ratio } kind = row_kind::times;
};

struct table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<table_row> rows;
    std::vector<std::string> notes;  // why squares say FAIL or SKIP, and how far repeats lie apart
};

std::vector<table> make_tables(const results& r);
table make_allocator_table(const results& r);  // no rows if allocators were not compared
std::string as_text(const table& t);

}  // namespace artel::lab
