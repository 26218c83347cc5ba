// The personas of a hot team's members, and the workers that are their homes.
#include "fiber/signals.hpp"
#include "foreign/thread_persona.hpp"
#include "hot_team.hpp"
#include "member_personas.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include <algorithm>

namespace artel::openmp {

// Gives members up to n-1 personas, and sends each to the worker that is its home.
void hot_team::add_personas(unsigned n) noexcept
{
    sched::crew& crew = sched::crew::get();
    const unsigned width = crew.width();
    const auto worker_at = [&](unsigned home) {
        return crew.own_worker((first_home_ + home - 1) % std::max(crew.own_worker_limit(), 1u));
    };
    // Workers are made after the personas' threads: a worker that finds nothing to do spins, on a
    // CPU that these threads need to get ready. With few personas, workers are made while the
    // threads get ready, and not later: otherwise the CPU falls asleep and is woken once more.
    const auto make_workers = [&] {
        if (n > small || members[personas_].home != nullptr) {
            return;  // homes are given by place, and those workers exist
        }
        for (unsigned i = personas_; i < n; ++i) {
            if (i % width != 0) {
                worker_at(i % width);
            }
        }
    };
    base::work* next = acquire_personas(
        n - personas_, {[](void* make) { (*static_cast<decltype(&make_workers)>(make))(); },
                        const_cast<void*>(static_cast<const void*>(&make_workers))});
    // Personas with the same home are sent together.
    fiber::fiber* first = nullptr;
    fiber::fiber* last = nullptr;
    const auto send = [&] {
        last->next = nullptr;
        sched::make_ready_at_home(*first, *last);
    };
    // Members are distributed over the workers round robin, the first to the master's: so teams of
    // any size are spread evenly, whatever sizes came before. (With blocks of neighbours, members 0
    // and 1 of eight shared a worker, and a following team of two had no other.) Teams of several
    // external threads begin with different workers.
    for (unsigned home = 0; home < width; ++home) {
        for (unsigned i = personas_ + (home + width - personas_ % width) % width; i < n;
             i += width) {
            auto& persona = static_cast<fiber::fiber&>(*next);
            next = next->next;
            member_start& s = starts_[i];
            s.in = this;
            s.number = i;
            s.blocked = fiber::blocked_by(*sched::this_worker());
            s.what = {live, &s, purpose_};
            foreign::assign(persona, s.what);
            members[i].gate_seen = gate_.word();
            sched::worker* const by_place = members[i].home;
            sched::worker* const w = by_place != nullptr ? by_place
                                     : home == 0         ? nullptr
                                                         : worker_at(home);
            // A lasting home: a worker that carried it for a while (the master's, while the
            // member's own was starting) does not keep it.
            persona.home = persona.last = w != nullptr ? w : sched::this_worker();
            if (last != nullptr && last->home == persona.home) {
                last->next = &persona;
            } else {
                if (first != nullptr) {
                    send();
                }
                first = &persona;
            }
            last = &persona;
        }
    }
    personas_ = n;
    send();
}

// add_personas where personas are OS threads, which have no home worker.
void hot_team::add_threads(unsigned n) noexcept
{
    base::work* next = acquire_personas(n - personas_);
    for (; personas_ < n; ++personas_) {
        auto& persona = static_cast<fiber::fiber&>(*next);
        next = next->next;
        member_start& s = starts_[personas_];
        s.in = this;
        s.number = personas_;
        s.blocked = fiber::blocked_by(*sched::this_worker());
        s.what = {live, &s};
        members[personas_].gate_seen = gate_.word();
        foreign::assign(persona, s.what);
        foreign::start_thread_persona(persona);
    }
}

// Moves the calling persona to `home` if that has changed.
void hot_team::go_home(sched::worker& home) noexcept
{
    fiber::fiber* const self = sched::this_worker()->current;
    if (self->home == &home) {
        return;  // others may carry it temporarily
    }
    self->home = &home;
    if (sched::this_worker() != &home) {
        sched::suspend([](fiber::carrier&, fiber::fiber& persona,
                          void*) { sched::make_ready_at_home(persona); },
                       nullptr);
    }
}

}  // namespace artel::openmp
