// feb_table.cpp, feb_waiters.cpp and feb_line.cpp under many interleavings, on the real crew: no
// waiter for a word in the table is forgotten, each value goes to one taker, which sees the
// writer's earlier writes, waiters are served in order of arrival, and a word's cell may be reused
// at once.
#include "sched/feb_table_model.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;
namespace feb = sched::feb;
using feb::words;

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

const std::vector<model::scenario> scenarios{
    {"two values, two takers", rl::simulate<hand_over>, 50000},
    {"in their order", rl::simulate<in_order>, 50000},
    {"cells come again for other words", rl::simulate<cells_come_again>, 50000},
};

const std::vector<model::breakage> breakages{
    {"a shard is left relaxed", 0, model::damage::relaxed, "spinlock.hpp", "::unlock("},
    {"a shard is entered relaxed", 0, model::damage::relaxed, "spinlock.hpp", "::lock("},
    {"a shard is never left", 2, model::damage::no_write, "spinlock.hpp", "::unlock("},
    {"a waiter goes on relaxed", 0, model::damage::relaxed, "latch.cpp", "::set("},
    {"a waiter that was served waits", 1, model::damage::no_write, "latch.cpp", "::settle("},
    {"a waiter is served, and not told", 2, model::damage::no_write, "latch.cpp", "::set("},
    {"the second taker does not come later", 1, model::damage::custom},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
