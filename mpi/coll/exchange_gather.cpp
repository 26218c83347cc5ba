// Allgather through lines and pieces: see exchange.hpp.
#include "coll/copy.hpp"
#include "coll/exchange.hpp"

#include <algorithm>

namespace artel::coll {

using shm::status;

status exchange::allgather(const void* own, std::uint64_t bytes, void* all) noexcept
{
    if (died_) {
        return status::peer_died;
    }
    auto* const to = static_cast<std::byte*>(all);
    const auto* const from = static_cast<const std::byte*>(own);
    const std::uint64_t first = round_;
    // Copies the rank's own payload before it waits for the others: it is still in the caches.
    const auto keep_own = [&](std::uint64_t at, std::uint64_t length) {
        if (from != to + rank_ * bytes) {
            std::memcpy(to + rank_ * bytes + at, from + at, length);
        }
    };
    if (bytes <= line_payload) {
        if (const status s = post_payload(from, bytes, read_by::all); s != status::ok) {
            return s;
        }
        keep_own(0, bytes);
        for (unsigned i = 1; i < size_; ++i) {
            const unsigned r = (rank_ + i) % size_;
            if (const status s = wait_for(r, first); s != status::ok) {
                return s;
            }
            mismatch_ = mismatch_ || line(r, first).length != bytes;
            copy_from_shared(to + r * bytes, payload(r, first, bytes, read_by::all), bytes);
        }
    }
    // Piece by piece; each is filled before the rank waits for the one before it.
    const std::uint64_t count = bytes <= line_payload ? 0
                                                      : (bytes + piece_bytes_ - 1) / piece_bytes_;
    const auto part = [&](std::uint64_t i) {
        return std::min<std::uint64_t>(piece_bytes_, bytes - i * piece_bytes_);
    };
    for (std::uint64_t i = 0; i <= count && count > 0; ++i) {
        if (i < count) {
            if (const status s = open_piece(); s != status::ok) {
                return s;
            }
            turn_piece();
            copy_to_shared(piece(rank_, piece_), from + i * piece_bytes_, part(i));
            if (const status s = post_empty(); s != status::ok) {
                return s;
            }
            // Read after the next piece was posted, before the one after that is; the last two
            // before the next collective's.
            free_after(std::min(first + i + 3, first + count + 1));
            keep_own(i * piece_bytes_, part(i));
        }
        for (unsigned n = 1; i > 0 && n < size_; ++n) {
            const unsigned r = (rank_ + n) % size_;
            if (const status s = wait_for(r, first + i - 1); s != status::ok) {
                return s;
            }
            deliver(to + r * bytes + (i - 1) * piece_bytes_, piece(r, piece_ - (i < count ? 2 : 1)),
                    part(i - 1), (size_ + 1) * size_ * bytes);
        }
    }
    return outcome();
}

}  // namespace artel::coll
