// Matrix multiply by the naive formula, the paper's workloads 2 (rows) and 3 (tiles): each task
// computes a block of rows of R = A * B. The two differ only in the position of an element: by rows
// at [i][k], in tiles at [i/32][k/16][i%32][k%16], a tile being one page of 4 KiB.
//
// Elements of A and B are small whole numbers, so that every sum is exact in double, whatever the
// order, and the product can be checked exactly: against R * x = A * (B * x) for random x in
// arithmetic modulo 2^64, which takes time K^2 and misses a wrong element with probability 2^-64 or
// so; in full mode against the product itself.
#include "lab/matrix.hpp"
#include "lab/random.hpp"
#include "lab/workload.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <sys/mman.h>

namespace artel::lab {

namespace {

// The memory of a matrix, in one piece from malloc or mmap, as the variant says.
class matrix_memory {
public:
    matrix_memory(std::size_t bytes, const variant& how)
        : shared_(how.mapped ? bytes : 0, how.huge ? page_kind::huge : page_kind::small)
    {
        data_ = shared_.data();
        if (how.mapped)
            return;
        // Aligned to huge pages, so that even a matrix of a few MiB consists of them: at malloc's
        // address one of 2 MiB would have none. T-N does the same, so that the two differ in
        // nothing else.
        const auto whole = round_up(bytes, huge_page_bytes);
        data_ = std::aligned_alloc(huge_page_bytes, whole);
        if (data_ == nullptr)
            throw refused(
                fmt::format("malloc of {} bytes: {} (ulimit -v?)", whole, std::strerror(errno)));
        // In variant T the matrices have transparent huge pages where possible; on some systems
        // only memory with this advice gets them.
        if (!how.no_thp)
            ::madvise(data_, whole, MADV_HUGEPAGE);
    }
    matrix_memory(const matrix_memory&) = delete;
    matrix_memory& operator=(const matrix_memory&) = delete;
    ~matrix_memory()
    {
        if (shared_.data() == nullptr)
            std::free(data_);
    }
    double* elements() const noexcept { return static_cast<double*>(data_); }

private:
    shared_memory shared_;
    void* data_;
};

template <class Layout>
class matmul_workload : public workload {
public:
    matmul_workload(const cell& c, const variant& how, task_records& records)
        : layout_(c.size), tasks_(c.tasks), full_check_(c.full_check), records_(records),
          a_(layout_.elements() * sizeof(double), how),
          b_(layout_.elements() * sizeof(double), how), r_(layout_.elements() * sizeof(double), how)
    {
        fill_matrix(layout_, a_.elements(), 1);
        fill_matrix(layout_, b_.elements(), 2);
        // The tasks are the first to write R, as in the paper's programs, except that with huge
        // pages nothing may be missing later on.
    }

    void run(unsigned task) noexcept override
    {
        const auto k = layout_.size();
        const auto begin = k * task / tasks_, end = k * (task + 1) / tasks_;
        multiply_rows(layout_, a_.elements(), b_.elements(), r_.elements(), begin, end);
        records_[task].steps = end - begin;
        records_.note(task, 0, begin);
        records_.note(task, 1, end);
    }

    std::string check() override
    {
        std::uint64_t rows = 0;
        for (unsigned task = 0; task < tasks_; ++task)
            rows += records_[task].steps;
        if (rows != layout_.size())
            return fmt::format("{} rows were computed of {}", rows, layout_.size());
        const auto row = full_check_
                             ? find_wrong_row_fully(layout_, a_.elements(), b_.elements(),
                                                    r_.elements())
                             : find_wrong_row(layout_, a_.elements(), b_.elements(), r_.elements());
        return row < 0 ? std::string() : fmt::format("row {} of the product", row);
    }

    workload_facts facts() override
    {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < layout_.size(); ++i)
            for (std::size_t k = 0; k < layout_.size(); ++k)
                sum = sum * 31 + static_cast<std::uint64_t>(
                                     static_cast<std::int64_t>(r_.elements()[layout_(i, k)]));
        workload_facts result;
        result.checksum = fmt::format("{:016x}", sum);
        return result;
    }

private:
    Layout layout_;
    unsigned tasks_;
    bool full_check_;
    task_records& records_;
    matrix_memory a_, b_, r_;
};

}  // namespace

std::unique_ptr<workload> make_matmul(const cell& c, const variant& how, task_records& records)
{
    if (c.size == 0)
        throw refused("a matrix needs at least one row");
    if (c.workload == "tiles")
        return std::make_unique<matmul_workload<tiles_layout>>(c, how, records);
    return std::make_unique<matmul_workload<rows_layout>>(c, how, records);
}

}  // namespace artel::lab
