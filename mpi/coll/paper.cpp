// The steps in the order of the paper's figures 1 and 2. Each is entered into the log, if there is
// one, under the paper's name for it.
#include "coll/paper.hpp"

#include "coll/steps.hpp"
#include "shm/memory.hpp"

#include <algorithm>

namespace artel::coll {

using shm::status;

namespace {

std::size_t fragment_bytes(const settings& s)
{
    return shm::round_up(std::max<std::size_t>(s.fragment == 0 ? 8192 : s.fragment, 1),
                         shm::page_size());
}

// s, a multiple of q.
std::size_t queue_length(const settings& s)
{
    return std::max<std::size_t>(s.queue_bytes / fragment_bytes(s) / s.sets, 1) * s.sets;
}

}  // namespace

segment_shape paper_shape(const settings& s)
{
    const std::size_t page = shm::page_size();
    const std::size_t length = queue_length(s);
    return {page + s.sets * page, length * (page + fragment_bytes(s)), length * page};
}

std::unique_ptr<channel> make_paper_channel(const party& p, const shm::waiter& waiting)
{
    return std::make_unique<paper_channel>(p, waiting);
}

paper_channel::paper_channel(const party& p, const shm::waiter& waiting)
    : waiting_(waiting), rank_(p.rank), size_(static_cast<unsigned>(p.members.size())),
      f_(fragment_bytes(p.chosen)), s_(queue_length(p.chosen)), q_(p.chosen.sets),
      segment_(p.segment), head_(paper_shape(p.chosen).head), area_(paper_shape(p.chosen).area),
      page_(shm::page_size()),
      // A rank cannot tell by the size of the message which tree another rank takes, so with `auto`
      // this protocol always takes the same.
      tree_(p.chosen.shape == tree_kind::automatic ? tree_kind::hierarchical : p.chosen.shape,
            p.chosen.k, p.rank, size_, p.localities()),
      uses_(q_, 0)
{}

paper_channel::set_counters& paper_channel::counters(std::size_t set) const noexcept
{
    return *reinterpret_cast<set_counters*>(segment_ + head_ - (q_ - set) * page_);
}

paper_channel::control_block& paper_channel::control(unsigned rank,
                                                     std::size_t index) const noexcept
{
    return *reinterpret_cast<control_block*>(segment_ + head_ + rank * area_ + index * page_);
}

std::byte* paper_channel::fragment(unsigned rank, std::size_t index) const noexcept
{
    return segment_ + head_ + rank * area_ + s_ * page_ + index * f_;
}

void paper_channel::tell_children(unsigned root, std::size_t index, std::uint32_t size) noexcept
{
    const std::uint32_t use = uses_[index / (s_ / q_)];
    tree_.for_each_child(root, [&](unsigned child) {
        control_block& block = control(child, index);
        block.size = size;
        block.use.publish(use);
    });
}

// Root: waits until all have left the set's last use, and opens the set. Others: wait until it is
// open. `next` is the message's next fragment.
status paper_channel::enter(std::size_t set, unsigned root, std::uint32_t next) noexcept
{
    set_counters& shared = counters(set);
    const std::uint32_t use = uses_[set] + 1;
    if (rank_ == root) {
        const step_log::entry wait(log_, step_kind::WS, next);
        if (const status s = waiting_.wait(shared.left, uses_[set] * (size_ - 1));
            s != status::ok) {
            return s;
        }
    } else {
        const step_log::entry wait(log_, step_kind::WO, next);
        if (const status s = waiting_.wait(shared.op, use); s != status::ok) {
            return s;
        }
    }
    uses_[set] = use;
    if (rank_ == root) {
        const step_log::entry open(log_, step_kind::SO, next);
        shared.op.publish(use);
    }
    return status::ok;
}

// Transfers the message's fragment `number` through a buffer of the root's queue.
status paper_channel::pass(std::size_t index, unsigned root, std::uint32_t number,
                           rest& message) noexcept
{
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(message.left(), f_));
    if (rank_ == root) {
        {
            const step_log::entry copy(log_, step_kind::C, number);
            message.take(fragment(root, index), bytes);
        }
        const step_log::entry notify(log_, step_kind::N, number);
        tell_children(root, index, bytes);
        return status::ok;
    }
    control_block& block = control(rank_, index);
    {
        const step_log::entry wait(log_, step_kind::W, number);
        if (const status s = waiting_.wait(block.use, uses_[index / (s_ / q_)]); s != status::ok) {
            return s;
        }
    }
    if (block.size != bytes) {
        message.fail();
    }
    {
        const step_log::entry notify(log_, step_kind::N, number);
        tell_children(root, index, block.size);
    }
    const step_log::entry copy(log_, step_kind::C, number);
    message.put(fragment(root, index), bytes);
    return status::ok;
}

status paper_channel::broadcast(const artel_message& m, unsigned root) noexcept
{
    rest message(m);
    const std::size_t per_set = s_ / q_;
    std::uint32_t number = 0;
    while (message.left() > 0) {
        const std::size_t set = op_++ % q_;
        if (const status s = enter(set, root, number); s != status::ok) {
            return s;
        }
        for (std::size_t index = set * per_set; index < (set + 1) * per_set && message.left() > 0;
             ++index, ++number) {
            if (const status s = pass(index, root, number, message); s != status::ok) {
                return s;
            }
        }
        if (rank_ != root) {
            const step_log::entry leave(log_, step_kind::A, number);
            counters(set).left.add();
        }
    }
    return message.result();
}

}  // namespace artel::coll
