// inbox.hpp under all interleavings: each posted item is taken exactly once, by the owner or by a
// thief, in the order of its chain, and the taker sees the poster's writes. The result of a post is
// right: after a post into an empty inbox the inbox becomes empty only by a take.
#include "base/machine_model.hpp"

#include "sched/inbox.hpp"

#include "base/run_model.hpp"

namespace {

using namespace artel;

struct message : base::work {
    model::plain<int> contents;
    unsigned sender = 0;
    unsigned number = 0;
    int taken = 0;
};

constexpr unsigned senders = 2;

// Threads 0 and 1 send a chain of two messages and a single one each, thread 2 is the owner, thread
// 3 a thief.
struct delivery : rl::test_suite<delivery, 4> {
    sched::inbox inbox_;
    message messages_[senders][3];
    unsigned found_empty_ = 0;  // posts that returned true
    unsigned emptied_ = 0;      // takes that got something

    void send(unsigned sender, unsigned first, unsigned last)
    {
        for (unsigned i = first; i <= last; ++i) {
            message& l = messages_[sender][i];
            l.sender = sender;
            l.number = i;
            l.next = i < last ? &messages_[sender][i + 1] : nullptr;
            l.contents.set(1);
        }
        found_empty_ += inbox_.post(messages_[sender][first], messages_[sender][last]) ? 1 : 0;
    }
    void take()
    {
        base::work* w = inbox_.take_all();
        emptied_ += w != nullptr ? 1 : 0;
        unsigned least[senders] = {};
        while (w != nullptr) {
            auto& l = static_cast<message&>(*w);
            w = w->next;
            model::check(l.taken++ == 0, "taken twice");
            model::check(l.contents.get() == 1, "contents not seen");
            l.contents.set(2);
            model::check(l.number >= least[l.sender], "order of the sender's letters changed");
            least[l.sender] = l.number + 1;
        }
    }
    void thread(unsigned number)
    {
        if (number < senders) {
            send(number, 0, 1);
            send(number, 2, 2);
            return;
        }
        take();
        take();
    }
    void after()
    {
        take();
        for (const auto& of_one : messages_) {
            for (const message& l : of_one) {
                model::check(l.taken == 1, "lost");
            }
        }
        model::check(found_empty_ == emptied_,
                     "a post was told wrongly whether the inbox was empty");
    }
};

const std::vector<model::scenario> scenarios{
    {"two senders, owner and thief", rl::simulate<delivery>, 300000},
};

const std::vector<model::breakage> breakages{
    {"post publishes relaxed", 0, model::damage::relaxed, "inbox.hpp", "::post("},
    {"take_all looks relaxed", 0, model::damage::relaxed, "inbox.hpp", "::take_all("},
    {"take_all leaves what it takes", 0, model::damage::no_write, "inbox.hpp", "::take_all("},
    {"post does not write", 0, model::damage::no_write, "inbox.hpp", "::post("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
