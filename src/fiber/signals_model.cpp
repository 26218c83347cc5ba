// signals.cpp and the switch under many interleavings: a signal for a light thread reaches it and
// no other exactly once, with its value, while it runs or when it is resumed, and never while that
// light thread blocks it. A lost signal leaves its receiver asleep for ever, which relacy reports
// as a deadlock.
#include "fiber/kernel_model.hpp"

#include "fiber/pending_signals.cpp"
#include "fiber/signals.cpp"

#include "base/run_model.hpp"

#include <cstddef>

namespace {

using namespace artel;
using base::os::set_of;
using base::os::signal_set;

constexpr int the_signal = 1;
constexpr int masters_signal = 2;
constexpr std::uintptr_t the_value = 42;
alignas(64) char stack_of_member[64 * 1024];
alignas(64) char stack_of_light[64 * 1024];

// Up to this many steps of the simulation pass.
void linger(unsigned most)
{
    for (unsigned n = rl::rand(most); n != 0; --n) {
        model::yield();
    }
}

// A member that OS thread 1 and later 2 carry, and OS thread 0, which sends it a signal.
struct two_carriers {
    fiber::carrier carriers[3];
    fiber::fiber bases[3];
    fiber::persona member;
    std::atomic<std::uint32_t> left{0};   // the member has left OS thread 1
    std::atomic<std::uint32_t> wakes[3];  // of OS threads that sleep
    bool member_blocks = false;
    unsigned caught[3] = {};
    static inline two_carriers* self = nullptr;

    two_carriers()
    {
        self = this;
        for (unsigned t = 0; t < 3; ++t) {
            model::kernel[t] = {};
            model::kernel[t].pointer = t + 1;
            model::kernel[t].here = &carriers[t];
            fiber::model_tls[t] = {};
        }
        fiber::members_tls = {};
        new (&fiber::signals_matter) std::atomic<bool>(false);
        new (&fiber::usual) std::atomic<signal_set>(fiber::unknown);
        member.type = fiber::kind::persona;
        member.thread_pointer = fiber::members_pointer;
        member.tls = &fiber::members_tls;
        member.signals.self = &member;
        member.stack = {stack_of_member, sizeof stack_of_member};
        fiber::prepare(member, [](fiber::fiber&) { self->live(); });
        model::interrupt = model::take_nudge;
        model::program_handler = [](int signal, std::uintptr_t value,
                                    base::os::thread_pointer who) {
            self->handle(signal, value, who);
        };
    }
    virtual ~two_carriers()
    {
        model::interrupt = nullptr;
        std::destroy_at(&fiber::signals_matter);
        std::destroy_at(&fiber::usual);
    }
    two_carriers(const two_carriers&) = delete;
    two_carriers& operator=(const two_carriers&) = delete;

    // The member's body.
    virtual void live() = 0;

    void handle(int signal, std::uintptr_t value, base::os::thread_pointer who)
    {
        model::check(who == (signal == the_signal ? fiber::members_pointer : 2),
                     "handled by somebody else");
        model::check(value == the_value, "the value is lost");
        model::check(signal != the_signal || !member_blocks, "handled though it was blocked");
        ++caught[signal];
    }

    fiber::carrier& begin(unsigned t)
    {
        fiber::carrier& here = carriers[t];
        bases[t].type = fiber::kind::bound;
        bases[t].last = &here;
        here.own_thread_pointer = base::os::read_thread_pointer();
        here.own_tls = &fiber::this_tls();
        here.own_exceptions = &fiber::model_exceptions[t];
        here.current = &bases[t];
        fiber::note_own_mask(here);
        here.own_tls->current_carrier = &here;
        return here;
    }

    fiber::carrier& here() { return *fiber::this_tls().current_carrier; }

    void nudge(std::ptrdiff_t t)
    {
        model::enter_kernel();
        model::kernel[t].nudged = true;
        wakes[t].fetch_add(1, std::memory_order_relaxed);
        model::futex_wake(wakes[t], 1);
    }

    // As the drop-in's send() and crew::nudge_carrier_of().
    void send(fiber::signal_state& to, int signal)
    {
        if (fiber::leave_signal(to, nullptr, signal, true, the_value)) {
            return;
        }
        base::os::fence_on_all_threads();
        for (unsigned t = 1; t < 3; ++t) {
            if (carriers[t].current == to.self) {
                nudge(t);
                return;
            }
        }
        if (to.self->type == fiber::kind::bound) {
            nudge(to.self->last - carriers);
        }
    }

    // Waits until the signal has come; no switch.
    void sleep_until_caught(int signal)
    {
        const unsigned t = model::this_thread();
        for (;;) {
            const std::uint32_t seen = wakes[t].load(std::memory_order_relaxed);
            model::take_nudge();
            if (caught[signal] != 0) {
                return;
            }
            model::futex_wait(wakes[t], seen);
        }
    }

    // Suspends the member, and then shows it to OS thread 2.
    void leave()
    {
        fiber::carrier& from = here();
        fiber::switch_to(
            from, bases[&from - carriers],
            [](fiber::carrier&, fiber::fiber&, void* event) {
                auto& word = *static_cast<std::atomic<std::uint32_t>*>(event);
                word.store(1, std::memory_order_release);
                model::futex_wake(word, 1);
            },
            &left);
    }
    void carry_when_left(fiber::carrier& on)
    {
        while (left.load(std::memory_order_acquire) == 0) {
            model::futex_wait(left, std::uint32_t{0});
        }
        fiber::switch_to(on, member, nullptr, nullptr);
    }
    // The member's last switch.
    [[noreturn]] void end()
    {
        fiber::carrier& from = here();
        fiber::exit_to(from, bases[&from - carriers], nullptr, nullptr);
    }

    // As the drop-in's change_mask().
    void change_mask(int how, int signal)
    {
        member_blocks = member_blocks && how != SIG_UNBLOCK;
        const signal_set was = base::os::change_blocked(how, set_of(signal));
        member_blocks = how == SIG_BLOCK;
        fiber::mask_was_changed(here(), was,
                                how == SIG_BLOCK ? was | set_of(signal) : was & ~set_of(signal));
    }
};

// The member runs on one OS thread, waits, and continues on the other, where it does not switch any
// more: the signal comes, whenever it was sent.
struct wherever_it_is : rl::test_suite<wherever_it_is, 3>, two_carriers {
    void live() override
    {
        linger(20);
        leave();
        linger(20);
        sleep_until_caught(the_signal);
        end();
    }
    void thread(unsigned t)
    {
        fiber::carrier& on = begin(t);
        if (t == 0) {
            linger(120);
            send(member.signals, the_signal);
        } else if (t == 1) {
            linger(20);
            fiber::switch_to(on, member, nullptr, nullptr);
        } else {
            carry_when_left(on);
            model::check(caught[the_signal] == 1, "handled twice");
        }
    }
};

// The same where the member blocks the signal until it is on the other OS thread, whose own code
// does not block it; and the master, on the first one, is sent one of its own.
struct blocked_meanwhile : rl::test_suite<blocked_meanwhile, 3>, two_carriers {
    void live() override
    {
        change_mask(SIG_BLOCK, the_signal);
        linger(20);
        leave();
        linger(20);
        change_mask(SIG_UNBLOCK, the_signal);
        sleep_until_caught(the_signal);
        end();
    }
    void thread(unsigned t)
    {
        fiber::carrier& on = begin(t);
        if (t == 0) {
            // Not before it blocks it, or it would be handled then.
            while (left.load(std::memory_order_relaxed) == 0 &&
                   (rl::rand(2) != 0 || !member_blocks)) {
                model::yield();
            }
            send(carriers[1].own_signals, masters_signal);
            send(member.signals, the_signal);
        } else if (t == 1) {
            fiber::switch_to(on, member, nullptr, nullptr);
            sleep_until_caught(masters_signal);
        } else {
            carry_when_left(on);
            model::check(caught[the_signal] == 1, "handled twice");
        }
    }
};

// The member raises the signal while it blocks it, so that it stays with OS thread 1, whose own
// code does not block it; the member takes it along.
struct raised_and_left : rl::test_suite<raised_and_left, 3>, two_carriers {
    void live() override
    {
        change_mask(SIG_BLOCK, the_signal);
        fiber::stays_with_kernel(member.signals, the_signal);
        base::os::send_to_thread(base::os::this_kernel_thread(), the_signal, true, the_value);
        member.signals.values[the_signal - 1].store(the_value, std::memory_order_relaxed);
        leave();
        linger(20);
        change_mask(SIG_UNBLOCK, the_signal);
        sleep_until_caught(the_signal);
        end();
    }
    void thread(unsigned t)
    {
        fiber::carrier& on = begin(t);
        if (t == 1) {
            fiber::switch_to(on, member, nullptr, nullptr);
        } else if (t == 2) {
            carry_when_left(on);
            model::check(caught[the_signal] == 1, "handled twice");
        }
    }
};

// The master's signal comes while its OS thread runs the member, or a light thread that follows and
// waits for it.
struct light_in_its_place : rl::test_suite<light_in_its_place, 2>, two_carriers {
    fiber::fiber light;

    light_in_its_place()
    {
        light.type = fiber::kind::plain;
        light.stack = {stack_of_light, sizeof stack_of_light};
        fiber::prepare(light, [](fiber::fiber&) {
            auto& all = *static_cast<light_in_its_place*>(self);
            all.sleep_until_caught(masters_signal);
            fiber::exit_to(all.carriers[1], all.bases[1], nullptr, nullptr);
        });
    }
    void live() override
    {
        linger(20);
        fiber::switch_to(here(), light, nullptr, nullptr);
        end();
    }
    void thread(unsigned t)
    {
        fiber::carrier& on = begin(t);
        if (t == 0) {
            while (fiber::model_tls[1].current_carrier == nullptr) {
                model::yield();  // not before the other is known
            }
            linger(60);
            send(carriers[1].own_signals, masters_signal);
        } else {
            fiber::switch_to(on, member, nullptr, nullptr);
            fiber::switch_to(on, member, nullptr, nullptr);
            model::check(caught[masters_signal] == 1, "handled twice");
        }
    }
};

const std::vector<model::scenario> scenarios{
    {"wherever it is", rl::simulate<wherever_it_is>, 200000},
    {"blocked meanwhile", rl::simulate<blocked_meanwhile>, 100000},
    {"raised and left", rl::simulate<raised_and_left>, 50000},
    {"light in its place", rl::simulate<light_in_its_place>, 100000},
};

const std::vector<model::breakage> breakages{
    {"no fence in the switch", 0, model::damage::no_fence, "kernel_model.hpp", "fence_by_others"},
    {"no fence in the sender", 0, model::damage::no_fence, "kernel_model.hpp",
     "fence_on_all_threads"},
    {"one look at the flag", 0, model::damage::zero, "signals.hpp", "matter_by_now("},
    {"a nudge does nothing", 0, model::damage::zero, "signals.cpp", "send_pending_on("},
    {"nobody looks on arrival", 0, model::damage::zero, "pending_signals.cpp",
     "send_deliverable_on("},
    {"left relaxed", 0, model::damage::relaxed, "signals.cpp", "leave_signal("},
    {"taken relaxed", 0, model::damage::relaxed, "pending_signals.cpp", "take_signal("},
    {"taken twice", 0, model::damage::no_write, "pending_signals.cpp", "take_signal("},
    {"switches do not look before", 1, model::damage::zero, "signals.hpp", "masks_differ("},
    {"what was raised stays behind", 2, model::damage::zero, "pending_signals.cpp", "take_back("},
    {"no nudge for the light thread", 3, model::damage::zero, "signals.cpp", "send_pending_on("},
};

}  // namespace

ARTEL_MODEL_MAIN(scenarios, breakages)
