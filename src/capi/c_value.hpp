// A value of the C interface, whose size only the program knows, in the form that the C++
// algorithms need: it can be copied and moved, byte by byte. Small ones are stored in the object.
// Inside src/capi only.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace artel::capi {

class value {
public:
    // Throws std::bad_alloc.
    value(const void* bytes, std::size_t size) : size_(size)
    {
        if (size > in_place) {
            large_ = ::operator new(size);
        }
        copy(bytes);
    }
    value(const value& other) : value(other.data(), other.size_) {}
    value(value&& other) noexcept : size_(other.size_) { take(other); }
    value& operator=(value&& other) noexcept
    {
        if (this != &other) {
            drop();
            size_ = other.size_;
            take(other);
        }
        return *this;
    }
    value& operator=(const value& other) { return *this = value(other); }
    ~value() { drop(); }

    // A multiple of 16. nullptr once it has been moved from, if it is large.
    void* data() noexcept { return size_ > in_place ? large_ : small_; }
    const void* data() const noexcept { return size_ > in_place ? large_ : small_; }

private:
    static constexpr std::size_t in_place = 64;

    void copy(const void* bytes) noexcept
    {
        if (size_ != 0) {
            std::memcpy(data(), bytes, size_);
        }
    }
    void take(value& other) noexcept
    {
        if (size_ > in_place) {
            large_ = std::exchange(other.large_, nullptr);
        } else {
            copy(other.small_);
        }
    }
    void drop() noexcept
    {
        if (size_ > in_place) {
            ::operator delete(large_);
        }
    }

    std::size_t size_;
    union {
        alignas(16) unsigned char small_[in_place];
        void* large_;
    };
};

}  // namespace artel::capi
