// feb_table.cpp, feb_waiters.cpp, feb_line.cpp and artel/feb.hpp under many interleavings, on the
// real crew: no waiter is forgotten, each value goes to one taker, which sees the writer's earlier
// writes, waiters are served in order of arrival, and a word's cell in the table may be reused at
// once. The memory of a waiter, a callback or an object with a word in it may be reused as soon as
// the operation is done, so the model overwrites it then. The shards have cells for two words at
// first, so that cells are handed from one word to another in most interleavings.
#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include <artel/feb.hpp>

#include "sched/feb_line.cpp"
#include "sched/latch.cpp"

namespace artel::model {

// The table's memory, which the real one keeps for ever, ends with the iteration here.
inline char table_memory[1 << 14];
inline std::size_t table_memory_used = 0;

inline void* table_memory_get(std::size_t bytes) noexcept
{
    char* const at = table_memory + table_memory_used;
    table_memory_used += (bytes + 63) / 64 * 64;
    check(table_memory_used <= sizeof table_memory, "the model's memory is too small");
    std::memset(at, 0, bytes);
    return at;
}

}  // namespace artel::model

namespace std {

inline void* artel_malloc(size_t bytes) noexcept
{
    return artel::model::table_memory_get(bytes);
}
inline void* artel_calloc(size_t n, size_t bytes) noexcept
{
    return artel::model::table_memory_get(n * bytes);
}
inline void artel_free(void*) noexcept {}

}  // namespace std

#define malloc artel_malloc
#define calloc artel_calloc
#define free artel_free
#include "sched/feb_table.cpp"
#include "sched/feb_waiters.cpp"
#undef malloc
#undef calloc
#undef free

#include "base/run_model.hpp"

namespace artel::sched::feb {

// The table is made anew for each iteration.
struct fresh_table {
    fresh_table()
    {
        model::table_memory_used = 0;
        for (shard& s : shards) {
            new (&s) shard;
        }
    }
    ~fresh_table()
    {
        for (shard& s : shards) {
            s.~shard();
        }
    }
};

}  // namespace artel::sched::feb

namespace {

using namespace artel;
namespace feb = sched::feb;
using artel::detail::feb_line;
using artel::detail::feb_waiter;
using artel::detail::feb_wish;

// Words at fixed addresses, all of one shard.
feb::word places[64];

feb::word* in_the_same_shard(unsigned n)
{
    for (feb::word& w : places) {
        if (&feb::shard_of(&w) == &feb::shard_of(&places[0]) && n-- == 0) {
            return &w;
        }
    }
    return nullptr;
}

struct words : feb::fresh_table {
    feb::word* const first = in_the_same_shard(0);
    feb::word* const second = in_the_same_shard(1);
    words() { *first = *second = 0; }

    static void nobody_is_left()
    {
        model::check(feb::words_kept() == 0, "a word that is full and not waited for is kept");
    }
    static unsigned takers()
    {
        unsigned n = 0;
        feb::for_each_waiter(
            [](const void*, const feb_waiter& w, void* sum) {
                *static_cast<unsigned*>(sum) += w.wish == feb_wish::take;
            },
            &n);
        return n;
    }
};

// Two values for two takers, one of them a light thread, which continues on any worker. Takers and
// the writer find the word in the right state, or wait.
struct hand_over : rl::test_suite<hand_over, 3>, sched::model_crew<3, 3>, words {
    model::plain<int> box[3];
    bool taken[3] = {};
    sched::os_event ended;
    base::work starter;
    static inline hand_over* self = nullptr;

    hand_over()
    {
        self = this;
        starter.run = [](void* here, base::work&) {
            sched::run_now(*static_cast<sched::worker*>(here), *fiber::create_plain(live));
        };
    }
    void before() { feb::empty(first); }
    static void live(fiber::fiber&)
    {
        self->take();
        sched::finish(nullptr, nullptr);
    }
    void take()
    {
        const feb::word v = feb::read_fe(first);
        model::check(v == 1 || v == 2, "a value that nobody wrote");
        model::check(!std::exchange(taken[v], true), "a value was taken twice");
        model::check(box[v].get() == static_cast<int>(v), "what the writer did is not seen");
        ended.add();
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 1) {
            serve();
        } else if (i == 2) {
            take();
            serve();  // the light thread may be on this worker
        } else {
            sched::post(number(1), starter, starter);
            for (feb::word v = 1; v <= 2; ++v) {
                box[v].set(static_cast<int>(v));
                sched::linger(sched::long_enough);
                feb::write_ef(first, v);
            }
            sched::linger(sched::after_push);
            ended.wait_for(2);
            release(1);
            release(2);
        }
    }
    void after()
    {
        model::check(!feb::is_full(first), "both are taken, and the word is full");
        feb::fill(first);
        nobody_is_left();
    }
};

// A taker that comes while another is in the line, or after it, gets the later value.
struct in_order : rl::test_suite<in_order, 3>, sched::model_crew<3, 3>, words {
    bool first_has_taken = false;
    void before() { feb::empty(first); }
    void thread(unsigned i)
    {
        begin(i);
        switch (i) {
        case 0:
            sched::linger(sched::long_enough);
            feb::write_ef(first, 1);
            feb::write_ef(first, 2);
            sched::linger(sched::after_push);
            break;
        case 1: {
            const feb::word v = feb::read_fe(first);
            first_has_taken = true;
            model::check(v == 1, "overtaken");
            break;
        }
        default:
            while (!model::broken("the second taker does not come later") && !first_has_taken &&
                   takers() == 0) {
                model::yield();
            }
            model::check(feb::read_fe(first) == 2, "overtook another");
            break;
        }
    }
    void after()
    {
        feb::fill(first);
        nobody_is_left();
    }
};

// A word leaves the table while the thread that released its waiters is still serving them, and
// others, one of which looks up this very word, reuse its cell for another word.
struct cells_come_again : rl::test_suite<cells_come_again, 3>, sched::model_crew<3, 3>, words {
    model::plain<int> written;
    void before() { feb::empty(first); }
    void thread(unsigned i)
    {
        begin(i);
        switch (i) {
        case 0:
            sched::linger(sched::long_enough);
            feb::write_ef(first, 1);
            written.set(1);
            feb::write_ef(first, 2);
            sched::linger(sched::after_push);
            break;
        case 1:
            model::check(feb::read_fe(first) == 1, "not the first value");
            feb::purge(second, 10);
            sched::linger(sched::after_push);
            break;
        default: {
            const feb::word v = feb::read_ff(first);
            model::check(v == 1 || v == 2, "a value that nobody wrote");
            if (v == 2) {
                model::check(written.get() == 1, "what the writer did is not seen");
            }
            feb::write_ef(second, 3);
            break;
        }
        }
    }
    void after()
    {
        model::check(feb::read_xx(first) == 2 && feb::read_xx(second) == 3, "a lost value");
        nobody_is_left();
    }
};

// A callback and a waiter in one line. The callback's memory is reused as soon as it has been
// called.
struct callbacks : rl::test_suite<callbacks, 3>, sched::model_crew<3, 3>, words {
    struct noted : feb::callback {
        sched::os_event* told = nullptr;
    };
    union {
        noted place;
    };
    sched::os_event told;
    model::plain<int> written;
    callbacks() {}
    ~callbacks() {}
    void before() { feb::empty(first); }
    void thread(unsigned i)
    {
        begin(i);
        switch (i) {
        case 0:
            written.set(1);
            sched::linger(sched::long_enough);
            feb::write_f(first, 1);
            sched::linger(sched::after_push);
            break;
        case 1:
            new (&place) noted;
            place.told = &told;
            place.call = [](feb::callback& self) noexcept {
                static_cast<noted&>(self).told->add();
            };
            if (feb::call_when_full(first, place)) {
                told.wait_for(1);
            }
            model::check(written.get() == 1, "called before the word was full");
            place.~noted();
            std::memset(static_cast<void*>(&place), 0xee, sizeof place);
            break;
        default:
            model::check(feb::read_ff(first) == 1, "another value");
            model::check(written.get() == 1, "what the writer did is not seen");
            break;
        }
    }
    void after() { nobody_is_left(); }
};

// A word that keeps its state itself and its line in the table, as Qthreads' syncvars do
// (syncvar.cpp). The waiters' memory is overwritten when they have gone on.
struct state_elsewhere : rl::test_suite<state_elsewhere, 3>, sched::model_crew<3, 3>, words {
    base::spinlock lock;
    bool full = false;
    bool waited_for = false;
    model::plain<int> written;

    union place {
        feb_waiter waiter;
        place() {}
        ~place() {}
    };
    place of[3];

    static void nothing(feb_waiter&) noexcept {}

    void read(place& p)
    {
        new (&p.waiter) feb_waiter(feb_wish::leave_full, nothing);
        const bool early = model::broken("who waits comes to the line after its look");
        lock.lock();
        feb_line line = waited_for ? feb::take_line(this) : feb_line{};
        bool go_on = full;
        if (early) {
            lock.unlock();
            sched::linger(sched::after_push);
            lock.lock();
        }
        if (!go_on) {
            line.append(p.waiter);
        }
        if (!line.empty()) {
            feb::put_line(this, line);
        }
        waited_for = !line.empty();
        lock.unlock();
        if (!go_on) {
            artel::detail::feb_wait(p.waiter);
        }
        p.waiter.~feb_waiter();
        std::memset(static_cast<void*>(&p), 0, sizeof p);
    }
    void fill()
    {
        lock.lock();
        feb_line line = waited_for ? feb::take_line(this) : feb_line{};
        feb_line served;
        full = artel::detail::feb_serve(line, true, served);
        waited_for = false;
        lock.unlock();
        if (model::broken("the next waiter is looked up after the first has gone on")) {
            for (feb_waiter* w = served.first; w != nullptr; w = w->next) {
                w->done.set();
                sched::linger(sched::long_enough);
            }
        } else if (rl::rand(2) != 0) {
            feb::release(served);
        } else {
            artel::detail::feb_release(served);
        }
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i == 0) {
            written.set(1);
            sched::linger(sched::long_enough);
            fill();
            sched::linger(sched::after_push);
        } else {
            read(of[i]);
            model::check(written.get() == 1, "what the writer did is not seen");
        }
    }
    void after() { nobody_is_left(); }
};

// artel::feb: two writers, and a reader that destroys the word when it has both values.
struct objects : rl::test_suite<objects, 3>, sched::model_crew<3, 3> {
    struct value {
        explicit value(int of) : n(of) {}
        value(value&& other) noexcept : n(other.n)
        {
            self->touch(this);
            self->touch(&other);
        }
        value& operator=(value&&) = delete;
        ~value() { self->touch(this); }
        int n;
    };
    union {
        artel::feb<value> word;
    };
    model::plain<int> box[3];
    model::plain<int> inside;  // stands for the value in the word
    static inline objects* self = nullptr;

    objects() : word() { self = this; }
    ~objects() {}
    void touch(const value* at)
    {
        const auto* const begin = reinterpret_cast<const char*>(&word);
        const auto* const p = reinterpret_cast<const char*>(at);
        if (p >= begin && p < begin + sizeof word) {
            inside.set(inside.get() + 1);
        }
    }
    void thread(unsigned i)
    {
        begin(i);
        if (i != 0) {
            box[i].set(static_cast<int>(i));
            sched::linger(sched::long_enough);
            word.write_ef(value(static_cast<int>(i)));
            if (model::broken("the word is looked at after its value has been taken")) {
                sched::linger(sched::long_enough);
                static_cast<void>(word.is_full());
            }
            sched::linger(sched::after_push);
            return;
        }
        const int a = word.read_fe().n;
        const int b = word.read_fe().n;
        model::check(a + b == 3 && (a == 1 || a == 2), "a value was lost or came twice");
        model::check(box[1].get() == 1 && box[2].get() == 2, "what the writers did is not seen");
        word.~feb();
    }
};

const std::vector<model::scenario> scenarios{
    {"two values, two takers", rl::simulate<hand_over>, 50000},
    {"in their order", rl::simulate<in_order>, 50000},
    {"cells come again for other words", rl::simulate<cells_come_again>, 50000},
    {"callbacks", rl::simulate<callbacks>, 50000},
    {"words with a state of their own", rl::simulate<state_elsewhere>, 50000},
    {"objects", rl::simulate<objects>, 50000},
};

const std::vector<model::breakage> breakages{
    {"a shard is left relaxed", 0, model::damage::relaxed, "spinlock.hpp", "::unlock("},
    {"a shard is entered relaxed", 0, model::damage::relaxed, "spinlock.hpp", "::lock("},
    {"a shard is never left", 2, model::damage::no_write, "spinlock.hpp", "::unlock("},
    {"a waiter goes on relaxed", 0, model::damage::relaxed, "latch.cpp", "::set("},
    {"a waiter that was served waits", 1, model::damage::no_write, "latch.cpp", "::settle("},
    {"a waiter is served, and not told", 2, model::damage::no_write, "latch.cpp", "::set("},
    {"the second taker does not come later", 1, model::damage::custom},
    {"who waits comes to the line after its look", 4, model::damage::custom},
    {"the next waiter is looked up after the first has gone on", 4, model::damage::custom},
    {"a word is filled relaxed", 5, model::damage::relaxed, "feb.hpp", "::write_ef("},
    {"a word is left relaxed", 5, model::damage::relaxed, "feb.hpp", "::unlock("},
    {"a word is entered relaxed", 5, model::damage::relaxed, "feb.hpp", "::lock("},
    {"a word is not locked", 5, model::damage::no_write, "feb.hpp", "::lock("},
    {"the word is looked at after its value has been taken", 5, model::damage::custom},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
