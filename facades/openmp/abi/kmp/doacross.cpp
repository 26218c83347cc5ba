// Doacross loops of the __kmpc_ interface, which does not say how the loop is cut, and may collapse
// several of its dimensions: so every iteration has a bit of its own, set when others need not wait
// for it any more.
//
// A waiter counts itself as a sleeper, makes a full fence, and checks its bit once more before it
// sleeps on `posts`; a poster sets the bit, makes a full fence, and then checks for sleepers. One
// of them sees the other.
#include "worksharing/doacross.hpp"
#include "base/cpu.hpp"
#include "kmp.hpp"
#include "linking/messages.hpp"
#include "ompt/entries/work.hpp"
#include "sched/wait_word.hpp"
#include "team/team.hpp"
#include "waiting/spin.hpp"
#include "worksharing/construct.hpp"

#include <atomic>
#include <memory>
#include <new>
#include <vector>

namespace artel::openmp {

struct iteration_flags {
    struct dimension {
        std::int64_t lower;
        std::int64_t upper;
        std::int64_t step;
        std::uint64_t count;
    };
    std::vector<dimension> dimensions;
    std::unique_ptr<std::atomic<std::uint32_t>[]> bits;
    std::atomic<unsigned> users;
    alignas(base::cache_line) std::atomic<std::uint32_t> sleepers{0};
    // the word that sleepers wait on; incremented only while there are any
    std::atomic<std::uint32_t> posts{0};
};

namespace kmp {
namespace {

using flags = iteration_flags;

// The compiler's description of a dimension; both bounds included.
struct compilers_dimension {
    std::int64_t lower;
    std::int64_t upper;
    std::int64_t step;
};

std::uint64_t distance(std::int64_t from, std::int64_t to) noexcept
{
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

std::uint64_t count_of(const compilers_dimension& d) noexcept
{
    if (d.step > 0) {
        return d.upper < d.lower
                   ? 0
                   : distance(d.lower, d.upper) / static_cast<std::uint64_t>(d.step) + 1;
    }
    return d.lower < d.upper
               ? 0
               : distance(d.upper, d.lower) / (0 - static_cast<std::uint64_t>(d.step)) + 1;
}

flags* make(std::int32_t count, const compilers_dimension* list, unsigned members)
{
    auto f = std::make_unique<flags>();
    std::uint64_t all = 1;
    for (std::int32_t i = 0; i < count; ++i) {
        const std::uint64_t n = count_of(list[i]);
        f->dimensions.push_back({list[i].lower, list[i].upper, list[i].step, n});
        if (__builtin_mul_overflow(all, n, &all)) {
            throw std::bad_alloc();
        }
    }
    f->bits = std::make_unique<std::atomic<std::uint32_t>[]>(all / 32 + 1);
    f->users.store(members, std::memory_order_relaxed);  // relaxed: published with the construct
    return f.release();
}

// Computes the number of an iteration; false if the loop does not contain it.
bool flatten(const flags& f, const std::int64_t* index, std::uint64_t& number) noexcept
{
    number = 0;
    for (std::size_t i = 0; i < f.dimensions.size(); ++i) {
        const auto& d = f.dimensions[i];
        const bool up = d.step > 0;
        if (up ? index[i] < d.lower || index[i] > d.upper
               : index[i] > d.lower || index[i] < d.upper) {
            return false;
        }
        const std::uint64_t here = up ? distance(d.lower, index[i]) /
                                            static_cast<std::uint64_t>(d.step)
                                      : distance(index[i], d.lower) /
                                            (0 - static_cast<std::uint64_t>(d.step));
        number = number * d.count + here;
    }
    return true;
}

inline void tell_dependences(const flags* f, const std::int64_t* index,
                             ompt::dependence_kind kind) noexcept
{
    if (ompt::attached() && f != nullptr) [[unlikely]] {
        ompt::tell_doacross({reinterpret_cast<const std::uint64_t*>(index), f->dimensions.size()},
                            kind);
    }
}

}  // namespace

ARTEL_KMP void __kmpc_doacross_init(const ident*, std::int32_t, std::int32_t count,
                                    const compilers_dimension* list)
{
    member& m = this_member();
    if (m.in->size == 1) {
        m.position.iterations = nullptr;
        return;
    }
    // Uses a construct of its own, as the loop has another one or none. The last member to leave
    // the loop frees the flags.
    meet(m, [&](workshare_slot& slot) {
        try {
            slot.copyprivate = make(count, list, m.in->size);
        } catch (const std::bad_alloc&) {
            give_up("Out of memory allocating flags of a doacross loop");
        }
    });
    m.position.iterations = static_cast<flags*>(m.position.current->copyprivate);
    leave(m);
}

ARTEL_KMP void __kmpc_doacross_post(const ident*, std::int32_t, const std::int64_t* index)
{
    flags* const f = this_member().position.iterations;
    std::uint64_t number = 0;
    if (f == nullptr || !flatten(*f, index, number)) {
        return;
    }
    tell_dependences(f, index, ompt::dependence_kind::source);
    // release: pairs with the acquire in __kmpc_doacross_wait, which sees the iteration's results.
    f->bits[number / 32].fetch_or(1u << number % 32, std::memory_order_release);
    base::full_fence_after_exchange();
    // relaxed, both: the fence orders; see the head of this file.
    if (f->sleepers.load(std::memory_order_relaxed) != 0) {
        f->posts.fetch_add(1, std::memory_order_relaxed);
        sched::wake_word(f->posts, sched::wake_all);
    }
}

ARTEL_KMP void __kmpc_doacross_wait(const ident*, std::int32_t, const std::int64_t* index)
{
    flags* const f = this_member().position.iterations;
    std::uint64_t number = 0;
    if (f == nullptr || !flatten(*f, index, number)) {
        return;  // iterations outside the loop are not waited for
    }
    tell_dependences(f, index, ompt::dependence_kind::sink);
    const std::atomic<std::uint32_t>& word = f->bits[number / 32];
    const std::uint32_t bit = 1u << number % 32;
    // acquire: pairs with the release in __kmpc_doacross_post.
    const auto posted = [&] { return (word.load(std::memory_order_acquire) & bit) != 0; };
    if (posted() ||
        spin_for_members(posted, member_spin(), pauses_between_looks(f->dimensions.size()))) {
        return;
    }
    // relaxed: the fence orders; see the head of this file.
    f->sleepers.fetch_add(1, std::memory_order_relaxed);
    for (;;) {
        const std::uint32_t posts = f->posts.load(std::memory_order_relaxed);  // relaxed: as above
        base::full_fence();
        if (posted()) {
            break;
        }
        sched::wait_word(f->posts, posts);
    }
    // relaxed: a poster that sees it late makes a needless wake-up.
    f->sleepers.fetch_sub(1, std::memory_order_relaxed);
}

ARTEL_KMP void __kmpc_doacross_fini(const ident*, std::int32_t)
{
    worksharing_position& p = this_member().position;
    // acq_rel: the last one frees the flags after all uses by others.
    if (p.iterations != nullptr &&
        p.iterations->users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete p.iterations;
    }
    p.iterations = nullptr;
}

}  // namespace kmp
}  // namespace artel::openmp
