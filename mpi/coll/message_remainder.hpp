// The remaining part of a message that is being transferred: hands out, or takes in, its bytes in
// order, whether they are contiguous or have to be packed.
//
// A failure to pack or unpack does not end the transfer, because the other ranks wait for all
// items: the rest is transferred with arbitrary bytes, and the rank that failed reports it at the
// end.
#pragma once

#include "coll/message.h"
#include "shm/waiter.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace artel::coll {

// Copies of a few bytes, without a call for the sizes that programs use most.
inline void copy_small(void* to, const void* from, std::size_t bytes) noexcept
{
    if (bytes == 8) {
        std::memcpy(to, from, 8);
    } else if (bytes == 4) {
        std::memcpy(to, from, 4);
    } else {
        std::memcpy(to, from, bytes);
    }
}

class rest {
public:
    explicit rest(const artel_message& m) noexcept
        : message_(m), at_(static_cast<std::byte*>(m.data)), left_(m.bytes)
    {}

    std::uint64_t left() const noexcept { return left_; }
    shm::status result() const noexcept { return failed_ ? shm::status::failed : shm::status::ok; }
    void fail() noexcept { failed_ = true; }

    // Where the next bytes go if they are contiguous, else nullptr.
    std::byte* place() const noexcept { return at_; }
    void skip(std::uint64_t bytes) noexcept
    {
        at_ += bytes;
        left_ -= bytes;
    }

    // Root: copies the next bytes to `into`.
    void take(std::byte* into, std::size_t bytes) noexcept
    {
        if (at_ == nullptr) {
            left_ -= bytes;
            failed_ = message_.move(message_.stream, into, bytes) != 0 || failed_;
        } else {
            std::memcpy(into, at_, bytes);
            skip(bytes);
        }
    }
    // Root: the address of the next bytes; packed into `buffer` unless they can be read in place.
    const std::byte* next(std::byte* buffer, std::size_t bytes) noexcept
    {
        if (at_ == nullptr) {
            take(buffer, bytes);
            return buffer;
        }
        const std::byte* const found = at_;
        skip(bytes);
        return found;
    }
    // Others: stores the next bytes, from `from`.
    void put(std::byte* from, std::size_t bytes) noexcept
    {
        if (at_ == nullptr) {
            left_ -= bytes;
            failed_ = message_.move(message_.stream, from, bytes) != 0 || failed_;
        } else {
            copy_small(at_, from, bytes);
            skip(bytes);
        }
    }

private:
    const artel_message& message_;
    std::byte* at_;
    std::uint64_t left_;
    bool failed_ = false;
};

}  // namespace artel::coll
