// task_end.hpp under many interleavings: the bodies of nested tasks end on threads of their own, in
// any order, and each may be stopped anywhere. Every task is freed once, and nobody touches it
// afterwards; a thread that sees the implicit task's counts at zero sees what all of them did, and
// may reuse it for the next region. The same where the threads are no members of the team
// (external_task_ends.hpp), which is freed when all tasks are complete and no such thread is left.
#include "base/machine_model.hpp"

#include "external_task_ends.hpp"
#include "task_end.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;

struct node : openmp::task_bits {
    node* parent = nullptr;
    bool is_implicit = false;
    std::atomic<std::uint64_t> counts{0};
    model::plain<int> life;  // 0; 1 after it was freed
    model::plain<int> result;
};

// The first version of end_body: the own part first, then the parent's children.
template <class TakeOff, class Free>
void own_part_first(node& ended, TakeOff take_off, Free free) noexcept
{
    node* at = &ended;
    while (!at->is_implicit) {
        node* const parent = at->parent;
        const bool own_body = at == &ended;
        const std::uint64_t before = at->counts.fetch_sub(node::part, std::memory_order_acq_rel);
        if ((before & node::parts_mask) != node::part) {
            if (own_body) {
                take_off(*parent, node::child);
            }
            return;
        }
        free(*at);
        const std::uint64_t for_parent = own_body ? node::child : 0;
        if (parent->is_implicit) {
            take_off(*parent, for_parent + node::part);
            return;
        }
        if (for_parent != 0) {
            take_off(*parent, for_parent);
        }
        at = parent;
    }
}

// Task i + 1 is a child of task parents[i]; 0 is the implicit one, whose member waits for all.
template <unsigned... parents>
struct bodies_end : rl::test_suite<bodies_end<parents...>, sizeof...(parents) + 1> {
    static constexpr unsigned count = sizeof...(parents) + 1;
    node nodes[count];
    openmp::external_task_ends external_ends;
    model::plain<int> team;  // 0; 1 after it was freed

    bodies_end()
    {
        const unsigned of[] = {parents...};
        nodes[0].is_implicit = true;
        std::uint64_t counts[count] = {};
        for (unsigned i = 1; i < count; ++i) {
            nodes[i].parent = &nodes[of[i - 1]];
            counts[i] += node::part;
            counts[of[i - 1]] += node::part + node::child;
        }
        for (unsigned i = 0; i < count; ++i) {
            nodes[i].counts.store(counts[i], std::memory_order_relaxed);
        }
    }
    void wait_for_all()
    {
        std::uint64_t left = 0;
        while (((left = nodes[0].counts.load(std::memory_order_acquire)) & node::parts_mask) != 0) {
            model::yield();
        }
        model::check(left == 0, "nothing is left below a task, but its children are not over");
        nodes[0].life.set(1);
        while (!model::broken("nobody waits for external ends") && external_ends.any()) {
            model::yield();
        }
        team.set(1);
        for (unsigned i = 1; i < count; ++i) {
            model::check(nodes[i].result.get() == 1, "what a task did is not seen after its end");
            model::check(nodes[i].life.get() == 1, "a task is over and was not freed");
        }
    }
    void thread(unsigned number)
    {
        model::stop_after_change = true;
        if (number == 0) {
            wait_for_all();
            return;
        }
        const auto take_off = [this](node& of, std::uint64_t amount) {
            model::check(of.life.get() == 0, "a task that is gone is counted at");
            of.counts.fetch_sub(amount, std::memory_order_acq_rel);
            model::check(team.get() == 0, "a team that is gone is woken");
        };
        const auto free = [](node& complete) {
            model::check(complete.life.get() == 0, "a task was freed twice");
            complete.life.set(1);
        };
        external_ends.enter();
        nodes[number].result.set(1);
        if (model::broken("the own part is taken off first")) {
            own_part_first(nodes[number], take_off, free);
        } else {
            openmp::end_body(nodes[number], take_off, free);
        }
        external_ends.leave();
    }
};

using chain = bodies_end<0, 1, 2>;        // a task in a task in a task
using brothers = bodies_end<0, 1, 1, 2>;  // siblings, one of which has a child
using at_the_top = bodies_end<0, 0, 1>;

const std::vector<model::scenario> scenarios{
    {"a chain", rl::simulate<chain>, 100000},
    {"brothers", rl::simulate<brothers>, 100000},
    {"children of the implicit task", rl::simulate<at_the_top>, 50000},
};

const std::vector<model::breakage> breakages{
    {"the own part is taken off first", 0, model::damage::custom},
    {"the own part is taken off first", 1, model::damage::custom},
    {"the own part is taken off first", 2, model::damage::custom},
    {"nobody waits for external ends", 0, model::damage::custom},
    {"external ends are counted relaxed", 0, model::damage::relaxed, "external_task_ends.hpp",
     "::leave("},
    {"ends relaxed", 0, model::damage::relaxed, "task_end.hpp", "end_body("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
