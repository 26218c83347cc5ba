// Each member's range is one word (loop/range_word.hpp), taken from at the front by its owner and
// halved by thieves.
#include "loop_shares.hpp"

#include "fiber/call_out.hpp"

#include <algorithm>
#include <new>

namespace artel::openmp {

bool loop_shares::deal(std::uint64_t count, std::uint64_t chunk, unsigned size) noexcept
{
    if (capacity_ < size) {
        const fiber::call_out guard;
        auto* const made = new (std::nothrow) share[size];
        if (made == nullptr) {
            return false;
        }
        shares_.reset(made);
        capacity_ = size;
    }
    size_ = size;
    exact_ = chunk > 0;
    unit_ = std::max<std::uint64_t>(chunk, 1);
    const std::uint64_t most_units = UINT32_MAX;
    if (count / unit_ >= most_units) {
        unit_ = count / most_units + 1;
    }
    const std::uint64_t units = count == 0 ? 0 : (count - 1) / unit_;  // without the last one
    last_ = {units * unit_, count};
    for (unsigned i = 0; i < size; ++i) {
        const auto first = static_cast<std::uint32_t>(units * i / size);
        const auto last = static_cast<std::uint32_t>(units * (i + 1) / size);
        shares_[i].units.put({first, last});
    }
    return true;
}

// Steals half of another member's range, neighbours first, as the member's own.
bool loop_shares::steal(unsigned number) noexcept
{
    for (unsigned i = 1; i < size_; ++i) {
        const unsigned victim = number + i < size_ ? number + i : number + i - size_;
        const loop::unit_range got = shares_[victim].units.take_back_half(1);
        if (!got.empty()) {
            shares_[number].units.put(got);
            return true;
        }
    }
    return false;
}

bool loop_shares::take(unsigned number, piece& taken) noexcept
{
    loop::range_word& own = shares_[number].units;
    do {
        const std::uint32_t most = exact_ ? 1 : std::max<std::uint32_t>(own.look().size() / 8, 1);
        const loop::unit_range got = own.claim(most);
        if (!got.empty()) {
            taken.low = got.first * unit_;
            taken.high = got.last * unit_;
            return true;
        }
    } while (steal(number));
    return false;
}

}  // namespace artel::openmp
