// The record of a loop is made by the member that opens it and freed with the slot; waiters spin
// for some time, then sleep on one word for the whole loop.
#include "doacross.hpp"

#include "base/cpu.hpp"
#include "base/os/signals.hpp"
#include "linking/messages.hpp"
#include "sched/wait_word.hpp"
#include "settings/icv.hpp"
#include "team/team.hpp"
#include "waiting/spin.hpp"
#include "waiting/wait_until.hpp"

#include <memory>
#include <new>

namespace artel::openmp {

struct doacross {
    loop_kind kind;
    bool posters_fence = true;  // see post_doacross
    // iterations of the first dimension per entity, where that is constant.
    std::uint64_t chunk = 1;
    std::uint64_t share = 0;  // static_even: iterations per member ...
    std::uint64_t rest = 0;   //   and how many members have one more
    unsigned members = 1;
    unsigned dimensions = 1;
    unsigned spacing = 1;  // words from one entity to the next
    std::unique_ptr<std::uint64_t[]> counts;
    // per entity: flattened index of its last post, plus one.
    std::unique_ptr<std::atomic<std::uint64_t>[]> reached;
    alignas(base::cache_line) std::atomic<std::uint32_t> sleepers{0};
    // the word that sleepers wait on; incremented only while there are any
    std::atomic<std::uint32_t> posts{0};
};

namespace {

// Asked once, when the library is loaded: the process has one thread then.
const bool sleepers_can_fence = base::os::prepare_fence_on_all_threads();

// up to this number each entity has a cache line of its own
constexpr std::uint64_t padded_entities = 8192;

std::uint64_t flatten(const doacross& cross, const std::uint64_t* index) noexcept
{
    std::uint64_t flat = index[0];
    for (unsigned i = 1; i < cross.dimensions; ++i) {
        flat = flat * cross.counts[i] + index[i];
    }
    return flat;
}

// The entity that executes iteration `first` of the first dimension.
std::uint64_t entity_of(const doacross& cross, std::uint64_t first) noexcept
{
    switch (cross.kind) {
    case loop_kind::static_even: {
        const std::uint64_t boundary = cross.rest * (cross.share + 1);
        return first < boundary ? first / (cross.share + 1)
                                : cross.rest + (first - boundary) / cross.share;
    }
    case loop_kind::static_chunked: return first / cross.chunk % cross.members;
    case loop_kind::guided: return first;
    default: return cross.chunk == 1 ? first : first / cross.chunk;
    }
}

std::atomic<std::uint64_t>& reached_by(const doacross& cross, std::uint64_t first) noexcept
{
    return cross.reached[entity_of(cross, first) * cross.spacing];
}

struct awaited_post {
    const std::atomic<std::uint64_t>& reached;
    std::uint64_t wanted;
};

void wait_awake(const std::atomic<std::uint64_t>& reached, std::uint64_t wanted) noexcept
{
    awaited_post post{reached, wanted};
    wait_until(
        [](void* argument) {
            const auto& awaited = *static_cast<awaited_post*>(argument);
            // acquire: as in wait_doacross.
            return awaited.reached.load(std::memory_order_acquire) >= awaited.wanted;
        },
        &post);
}

}  // namespace

doacross* make_doacross(const workshare_slot& slot, unsigned dimensions,
                        const std::uint64_t* counts, unsigned team_size) noexcept
{
    for (unsigned i = 0; i < dimensions; ++i) {
        if (counts[i] == 0) {
            return nullptr;
        }
    }
    std::uint64_t entities = team_size;
    if (slot.kind == loop_kind::guided) {
        entities = slot.loop.count;
    } else if (slot.kind == loop_kind::dynamic || slot.kind == loop_kind::dynamic_careful) {
        entities = (slot.loop.count - 1) / slot.chunk + 1;
    }
    try {
        auto cross = std::make_unique<doacross>();
        cross->kind = slot.kind;
        cross->chunk = slot.chunk;
        cross->share = slot.loop.count / team_size;
        cross->rest = slot.loop.count % team_size;
        cross->members = team_size;
        cross->posters_fence = !sleepers_can_fence || team_size > globals().width;
        cross->dimensions = dimensions;
        cross->spacing = entities <= padded_entities ? base::cache_line / sizeof(std::uint64_t) : 1;
        cross->counts = std::make_unique<std::uint64_t[]>(dimensions);
        for (unsigned i = 0; i < dimensions; ++i) {
            cross->counts[i] = counts[i];
        }
        cross->reached = std::make_unique<std::atomic<std::uint64_t>[]>(entities * cross->spacing);
        return cross.release();
    } catch (const std::bad_alloc&) {
        give_up("Out of memory allocating {} bytes", entities * sizeof(std::uint64_t));
    }
}

void destroy_doacross(doacross* cross) noexcept
{
    delete cross;
}

unsigned doacross_dimensions(const doacross& cross) noexcept
{
    return cross.dimensions;
}

void post_doacross(member& m, const std::uint64_t* index) noexcept
{
    if (m.position.current == nullptr || m.position.current->cross == nullptr) {
        return;
    }
    doacross& cross = *m.position.current->cross;
    // release: pairs with the acquire in wait_doacross, which sees the iteration's results.
    reached_by(cross, index[0]).store(flatten(cross, index) + 1, std::memory_order_release);
    // A fence for each post would wait until this CPU has the line that waiters look at, and double
    // the time of a short iteration. So those that go to sleep, which happens rarely when each
    // member has a CPU, make one on all threads instead.
    if (cross.posters_fence) {
        base::full_fence();
    } else {
        base::os::fence_by_others();
    }
    // relaxed: the fences here and in wait_doacross order store and load on both sides: a waiter
    // sees the post, or we see the waiter.
    if (cross.sleepers.load(std::memory_order_relaxed) != 0) {
        cross.posts.fetch_add(1, std::memory_order_relaxed);
        sched::wake_word(cross.posts, sched::wake_all);
    }
}

void wait_doacross(member& m, const std::uint64_t* index) noexcept
{
    if (m.position.current == nullptr || m.position.current->cross == nullptr) {
        return;
    }
    doacross& cross = *m.position.current->cross;
    const std::uint64_t wanted = flatten(cross, index) + 1;
    std::atomic<std::uint64_t>& reached = reached_by(cross, index[0]);
    // acquire: pairs with the release in post_doacross.
    const auto arrived = [&] { return reached.load(std::memory_order_acquire) >= wanted; };
    if (arrived() ||
        spin_for_members(arrived, member_spin(), pauses_between_looks(cross.dimensions))) {
        return;
    }
    // relaxed: see post_doacross.
    cross.sleepers.fetch_add(1, std::memory_order_relaxed);
    if (!cross.posters_fence && !base::os::fence_on_all_threads()) [[unlikely]] {
        wait_awake(reached, wanted);  // the kernel does not allow it any more
    }
    for (;;) {
        // relaxed: as above.
        const std::uint32_t posts = cross.posts.load(std::memory_order_relaxed);
        base::full_fence();
        if (arrived()) {
            break;
        }
        sched::wait_word(cross.posts, posts);
    }
    // relaxed: as above; a poster that sees it late makes a needless wake-up.
    cross.sleepers.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace artel::openmp
