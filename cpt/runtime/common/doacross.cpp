// doacross loops: the outer iterations are distributed. One thread executes the inner iterations of
// each in order, and a counter says how many of them are done.
#include "interface.hpp"
#include "team.hpp"
#include "wait.hpp"

#include <algorithm>
#include <cstdlib>

namespace cp {

namespace {

// The index of an iteration among the inner ones of its outer iteration.
__cp_ull place(const doacross& d, const __cp_ull* iteration)
{
    return d.has_inner ? iteration[1] : 0;
}

doacross* make(unsigned levels, const __cp_ull* counts)
{
    const std::size_t n = std::max<__cp_ull>(counts[0], 1);
    auto* const d = static_cast<doacross*>(
        std::calloc(1, sizeof(doacross) + n * sizeof(std::atomic<unsigned long long>)));
    if (d == nullptr) {
        fail("no memory for a doacross loop of " + std::to_string(n) + " iterations");
    }
    d->has_inner = levels > 1;
    return d;
}

}  // namespace

}  // namespace cp

using namespace cp;

extern "C" {

int __cp_doacross_start(unsigned levels, const __cp_ull* counts, int schedule, __cp_ull chunk,
                        __cp_ull* lo, __cp_ull* hi)
{
    const int any = __cp_loop_start(counts[0], schedule, chunk, lo, hi);
    share& s = *current()->at;
    // acquire: pairs with the exchange.
    if (s.waves.load(std::memory_order_acquire) == nullptr) {
        doacross* const made = make(levels, counts);
        doacross* none = nullptr;
        // release: publishes its contents.
        if (!s.waves.compare_exchange_strong(none, made, std::memory_order_release,
                                             std::memory_order_relaxed)) {
            std::free(made);
        }
    }
    return any;
}

void __cp_doacross_post(const __cp_ull* iteration)
{
    // acquire: as above.
    doacross& d = *current()->at->waves.load(std::memory_order_acquire);
    // release: pairs with __cp_doacross_wait.
    d.done(iteration[0]).store(place(d, iteration) + 1, std::memory_order_release);
    wake(&d.done(iteration[0]));
}

void __cp_doacross_wait(unsigned, const __cp_ull* iteration)
{
    // acquire, both: the first as above; the second pairs with __cp_doacross_post.
    doacross& d = *current()->at->waves.load(std::memory_order_acquire);
    std::atomic<unsigned long long>& done = d.done(iteration[0]);
    const __cp_ull at = place(d, iteration);
    wait_until(&done, [&] { return done.load(std::memory_order_acquire) > at; });
}

}  // extern "C"
