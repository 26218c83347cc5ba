// Half-open ranges of two and three indices, which bodies of nested loops get: blocked_range2d and
// blocked_range3d.
#pragma once

#include <algorithm>
#include <artel/blocked_range.hpp>
#include <cstdint>
#include <type_traits>

namespace artel {

// Rows and columns. A range is cut into blocks of row_grain rows and column_grain columns, fewer at
// the ends.
template <std::integral Row, std::integral Column = Row>
class blocked_range2d {
public:
    constexpr blocked_range2d(blocked_range<Row> rows, blocked_range<Column> columns,
                              std::int64_t row_grain = 1, std::int64_t column_grain = 1)
        : rows_(rows), columns_(columns), row_grain_(std::max<std::int64_t>(row_grain, 1)),
          column_grain_(std::max<std::int64_t>(column_grain, 1))
    {}
    constexpr blocked_range2d(Row row_begin, std::type_identity_t<Row> row_end, Column column_begin,
                              std::type_identity_t<Column> column_end)
        : blocked_range2d(blocked_range<Row>(row_begin, row_end),
                          blocked_range<Column>(column_begin, column_end))
    {}
    constexpr const blocked_range<Row>& rows() const { return rows_; }
    constexpr const blocked_range<Column>& columns() const { return columns_; }
    constexpr std::int64_t row_grain() const { return row_grain_; }
    constexpr std::int64_t column_grain() const { return column_grain_; }
    constexpr bool empty() const { return rows_.empty() || columns_.empty(); }

private:
    blocked_range<Row> rows_;
    blocked_range<Column> columns_;
    std::int64_t row_grain_;
    std::int64_t column_grain_;
};

// Pages of rows and columns.
template <std::integral Page, std::integral Row = Page, std::integral Column = Row>
class blocked_range3d {
public:
    constexpr blocked_range3d(blocked_range<Page> pages, blocked_range<Row> rows,
                              blocked_range<Column> columns, std::int64_t page_grain = 1,
                              std::int64_t row_grain = 1, std::int64_t column_grain = 1)
        : pages_(pages), rows_(rows), columns_(columns),
          page_grain_(std::max<std::int64_t>(page_grain, 1)),
          row_grain_(std::max<std::int64_t>(row_grain, 1)),
          column_grain_(std::max<std::int64_t>(column_grain, 1))
    {}
    constexpr blocked_range3d(Page page_begin, std::type_identity_t<Page> page_end, Row row_begin,
                              std::type_identity_t<Row> row_end, Column column_begin,
                              std::type_identity_t<Column> column_end)
        : blocked_range3d(blocked_range<Page>(page_begin, page_end),
                          blocked_range<Row>(row_begin, row_end),
                          blocked_range<Column>(column_begin, column_end))
    {}
    constexpr const blocked_range<Page>& pages() const { return pages_; }
    constexpr const blocked_range<Row>& rows() const { return rows_; }
    constexpr const blocked_range<Column>& columns() const { return columns_; }
    constexpr std::int64_t page_grain() const { return page_grain_; }
    constexpr std::int64_t row_grain() const { return row_grain_; }
    constexpr std::int64_t column_grain() const { return column_grain_; }
    constexpr bool empty() const { return pages_.empty() || rows_.empty() || columns_.empty(); }

private:
    blocked_range<Page> pages_;
    blocked_range<Row> rows_;
    blocked_range<Column> columns_;
    std::int64_t page_grain_;
    std::int64_t row_grain_;
    std::int64_t column_grain_;
};

}  // namespace artel
