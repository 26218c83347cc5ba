// A submission is combined into one of eight partial results, by caller, and counts down; the last
// one wakes the waiters, which combine the partial results.
#include "sinc.hpp"

#include "base/log.hpp"
#include "sched/fork_lock.hpp"

#include <artel/detail/feb_line.hpp>
#include <artel/detail/wait_word.hpp>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace artel::qthreads {

using operation = void (*)(void* target, const void* source);

struct sinc_values {
    // A partial result. The program's operation is called under the lock: it may take long, but
    // must not wait.
    struct alignas(128) partial {
        sched::fork_lock lock;
        bool any = false;
        std::vector<unsigned char> value;
    };
    std::size_t size = 0;
    operation combine = nullptr;
    std::vector<unsigned char> initial;
    partial partials[8];
};

void submit(sinc& s, const void* value) noexcept
{
    if (s.values != nullptr && value != nullptr) {
        sinc_values& v = *s.values;
        sinc_values::partial& p = v.partials[artel::detail::feb_caller() % 8];
        const std::scoped_lock hold(p.lock);
        if (p.any) {
            v.combine(p.value.data(), value);
        } else {
            std::memcpy(p.value.data(), value, v.size);
            p.any = true;
        }
    }
    // acq_rel: publishes what all submitters did to the waiters.
    if (s.left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        artel::detail::wake_word(s.left, artel::detail::wake_all);  // the sinc may be freed
    }
}

namespace {

void initialise(sinc* s, std::size_t size, const void* initial, operation combine,
                std::size_t expect)
{
    new (s) sinc{};
    // relaxed: the program publishes the sinc.
    s->left.store(static_cast<std::uint32_t>(expect), std::memory_order_relaxed);
    if (size == 0) {
        return;
    }
    s->values = new sinc_values;
    s->values->size = size;
    s->values->combine = combine;
    const auto* const bytes = static_cast<const unsigned char*>(initial);
    s->values->initial.assign(bytes, bytes + size);
    for (auto& p : s->values->partials) {
        p.value.resize(size);
    }
}

}  // namespace
}  // namespace artel::qthreads

using artel::qthreads::operation;
using artel::qthreads::sinc;

extern "C" {

void qt_sinc_init(sinc* s, std::size_t size, const void* initial, operation combine,
                  std::size_t expect)
{
    artel::qthreads::initialise(s, size, initial, combine, expect);
}
sinc* qt_sinc_create(std::size_t size, const void* initial, operation combine, std::size_t expect)
{
    std::unique_ptr<sinc> s(new (std::nothrow) sinc);
    try {
        if (s != nullptr) {
            artel::qthreads::initialise(s.get(), size, initial, combine, expect);
        }
    } catch (const std::exception&) {  // no memory, or more than a vector could have
        delete s->values;
        return nullptr;
    }
    return s.release();
}
void qt_sinc_fini(sinc* s)
{
    delete s->values;
    s->values = nullptr;
}
void qt_sinc_destroy(sinc* s)
{
    qt_sinc_fini(s);
    delete s;
}
void qt_sinc_reset(sinc* s, std::size_t expect)
{
    if (s->values != nullptr) {
        for (auto& p : s->values->partials) {
            p.any = false;
        }
    }
    // relaxed: as in qt_sinc_init.
    s->left.store(static_cast<std::uint32_t>(expect), std::memory_order_relaxed);
}
void qt_sinc_expect(sinc* s, std::size_t count)
{
    // relaxed: a later submission orders it for the waiters.
    s->left.fetch_add(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
}
// Not declared to programs, but exported: expects more submissions after a sinc is complete.
void qt_sinc_resize(sinc* s, std::size_t more)
{
    qt_sinc_expect(s, more);
}
void qt_sinc_submit(sinc* s, const void* value)
{
    artel::qthreads::submit(*s, value);
}
void qt_sinc_wait(sinc* s, void* target)
{
    // acquire: pairs with the submissions.
    for (std::uint32_t n; (n = s->left.load(std::memory_order_acquire)) != 0;) {
        artel::detail::wait_word(s->left, n);
    }
    if (s->values == nullptr || target == nullptr) {
        return;
    }
    artel::qthreads::sinc_values& v = *s->values;
    std::memcpy(target, v.initial.data(), v.size);
    for (auto& p : v.partials) {
        if (p.any) {
            v.combine(target, p.value.data());
        }
    }
}
}
