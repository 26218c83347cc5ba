// See exchange_storage.hpp.
#include "lab/exchange_storage.hpp"

#include "lab/shared_memory.hpp"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace artel::lab {

double* vector_storage::append(std::size_t count)
{
    auto& array = table_[static_cast<std::size_t>(number_)].elements;
    array.resize(array.size() + count);
    return array.data() + array.size() - count;
}

void vector_storage::drop_front(std::size_t count) noexcept
{
    auto& array = table_[static_cast<std::size_t>(number_)].elements;
    array.erase(array.begin(), array.begin() + static_cast<std::ptrdiff_t>(count));
}

namespace {

[[noreturn]] void raise(const char* what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

constexpr std::size_t page = 4096;

}  // namespace

file_storage::~file_storage()
{
    if (elements_ != nullptr)
        ::munmap(elements_, mapped_);
}

void file_storage::resize(std::size_t count)
{
    const auto bytes = round_up(count * sizeof(double), page);
    if (bytes != mapped_) {
        void* moved = nullptr;
        if (bytes == 0)
            ::munmap(elements_, mapped_);
        else if (elements_ == nullptr)
            moved = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                           0);
        else
            moved = ::mremap(elements_, mapped_, bytes, MREMAP_MAYMOVE);
        if (moved == MAP_FAILED)
            raise("mmap of the task's array");
        elements_ = static_cast<double*>(moved);
        mapped_ = bytes;
    }
    count_ = count;
}

double* file_storage::append(std::size_t count)
{
    resize(count_ + count);
    return elements_ + count_ - count;
}

void file_storage::drop_front(std::size_t count)
{
    std::memmove(elements_, elements_ + count, (count_ - count) * sizeof(double));
    resize(count_ - count);
}

void file_storage::hand_over()
{
    const int file = files_[static_cast<std::size_t>(number_)];
    const auto bytes = count_ * sizeof(double);
    for (std::size_t done = 0; done < bytes;) {
        const auto n = ::pwrite(file, reinterpret_cast<const char*>(elements_) + done, bytes - done,
                                static_cast<off_t>(done));
        if (n <= 0)
            raise("pwrite of the task's array to tmpfs");
        done += static_cast<std::size_t>(n);
    }
    // The length of the file tells the receiver that of the array.
    if (::ftruncate(file, static_cast<off_t>(bytes)) != 0)
        raise("ftruncate of the array's file");
    number_ = -1;
}

void file_storage::take(std::int64_t number)
{
    const int file = files_[static_cast<std::size_t>(number)];
    struct stat status{};
    if (::fstat(file, &status) != 0)
        raise("fstat of the array's file");
    const auto bytes = static_cast<std::size_t>(status.st_size);
    resize(bytes / sizeof(double));
    for (std::size_t done = 0; done < bytes;) {
        const auto n = ::pread(file, reinterpret_cast<char*>(elements_) + done, bytes - done,
                               static_cast<off_t>(done));
        if (n <= 0)
            raise("pread of an array from tmpfs");
        done += static_cast<std::size_t>(n);
    }
    number_ = number;
}

}  // namespace artel::lab
