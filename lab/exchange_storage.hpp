// Where the array of an Exchanges task is stored, and how it is passed on. Only in this workload do
// the two variants differ in more than how tasks are started: between address spaces data must be
// copied.
//
// vector_storage, for threads: all arrays are std::vectors in one table, and only the number of an
// array is passed on. file_storage, for processes: the array is mapped memory that grows and
// shrinks with mremap; to pass it on the task writes it with pwrite to the tmpfs file with its
// number, and the receiver reads it into memory of its own. The files have no names (O_TMPFILE), so
// nothing can be left behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace artel::lab {

// Padded to cache lines of its own: neighbours in the table belong to different threads.
struct alignas(128) array_slot {
    std::vector<double> elements;
};

class vector_storage {
public:
    vector_storage(std::vector<array_slot>& table, std::int64_t number)
        : table_(table), number_(number)
    {}

    double* elements() noexcept
    {
        return table_[static_cast<std::size_t>(number_)].elements.data();
    }
    std::size_t count() const noexcept
    {
        return table_[static_cast<std::size_t>(number_)].elements.size();
    }
    double* append(std::size_t count);  // returns the new, zeroed elements; throws std::bad_alloc
    void drop_front(std::size_t count) noexcept;
    // the array is complete for every thread that learns its number.
    void hand_over() noexcept { number_ = -1; }
    void take(std::int64_t number) noexcept { number_ = number; }
    std::int64_t number() const noexcept { return number_; }

private:
    std::vector<array_slot>& table_;
    std::int64_t number_;
};

class file_storage {
public:
    file_storage(const std::vector<int>& files, std::int64_t number)
        : files_(files), number_(number)
    {}
    file_storage(const file_storage&) = delete;
    file_storage& operator=(const file_storage&) = delete;
    ~file_storage();

    double* elements() noexcept { return elements_; }
    std::size_t count() const noexcept { return count_; }
    double* append(std::size_t count);  // these throw std::system_error with what the kernel says
    void drop_front(std::size_t count);
    void hand_over();
    void take(std::int64_t number);
    std::int64_t number() const noexcept { return number_; }

private:
    void resize(std::size_t count);

    const std::vector<int>& files_;
    std::int64_t number_;
    double* elements_ = nullptr;
    std::size_t count_ = 0, mapped_ = 0;  // elements, bytes
};

}  // namespace artel::lab
