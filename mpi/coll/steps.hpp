// The steps of one rank in a broadcast of the paper's protocol, with their times: the bars of the
// paper's figure 3. The rank's own thread writes them into memory that it provides.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace artel::coll {

// The steps by their names in the paper. Root: WS waits until a set is free, SO opens it, C copies
// a fragment in, N notifies the children. Others: WO waits until the set is open, W until a
// fragment is there, N notifies the children, C copies it out, A announces that the set is read.
enum class step_kind : std::uint8_t { WS, SO, C, N, WO, W, A };

constexpr const char* name_of(step_kind kind) noexcept
{
    constexpr const char* names[] = {"WS", "SO", "C", "N", "WO", "W", "A"};
    return names[static_cast<std::size_t>(kind)];
}

struct step {
    step_kind kind;
    std::uint32_t fragment;  // of the message; of WS, SO, WO and A the next one
    double begin, end;       // seconds of the steady clock, which all processes share
};

class step_log {
public:
    explicit step_log(std::span<step> room) noexcept : room_(room) {}

    std::span<const step> steps() const noexcept { return room_.first(count_); }
    // Steps for which there was no room.
    std::size_t left_out() const noexcept { return left_out_; }
    void clear() noexcept { count_ = left_out_ = 0; }

    // Logs a step that lasts as long as this object; does nothing without a log.
    class entry {
    public:
        entry(step_log* log, step_kind kind, std::uint32_t fragment) noexcept
            : log_(log), step_{kind, fragment, log == nullptr ? 0 : now(), 0}
        {}
        ~entry()
        {
            if (log_ != nullptr) {
                step_.end = now();
                log_->add(step_);
            }
        }
        entry(const entry&) = delete;
        entry& operator=(const entry&) = delete;

    private:
        step_log* log_;
        step step_;
    };

private:
    static double now() noexcept
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    void add(const step& s) noexcept
    {
        if (count_ == room_.size()) {
            ++left_out_;
        } else {
            room_[count_++] = s;
        }
    }

    std::span<step> room_;
    std::size_t count_ = 0, left_out_ = 0;
};

}  // namespace artel::coll
