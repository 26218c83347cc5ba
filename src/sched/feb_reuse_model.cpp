// Memory that may be reused as soon as an operation on a full/empty word is done: that of a waiter,
// of a callback, and of an object with a word in it (artel/feb.hpp, feb_waiters.cpp, feb_line.cpp).
// The models overwrite it then. No waiter is forgotten, and each value goes to one taker.
#include "sched/feb_table_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
namespace feb = sched::feb;
using artel::detail::feb_line;
using artel::detail::feb_waiter;
using artel::detail::feb_wish;
using feb::words;

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
    {"callbacks", rl::simulate<callbacks>, 50000},
    {"words with a state of their own", rl::simulate<state_elsewhere>, 50000},
    {"objects", rl::simulate<objects>, 50000},
};

const std::vector<model::breakage> breakages{
    {"who waits comes to the line after its look", 1, model::damage::custom},
    {"the next waiter is looked up after the first has gone on", 1, model::damage::custom},
    {"a word is filled relaxed", 2, model::damage::relaxed, "feb.hpp", "::write_ef("},
    {"a word is left relaxed", 2, model::damage::relaxed, "feb.hpp", "::unlock("},
    {"a word is entered relaxed", 2, model::damage::relaxed, "feb.hpp", "::lock("},
    {"a word is not locked", 2, model::damage::no_write, "feb.hpp", "::lock("},
    {"the word is looked at after its value has been taken", 2, model::damage::custom},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
