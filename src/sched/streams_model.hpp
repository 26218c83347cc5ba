// Streams of units on the real crew, for models: units that run a function of the model, and data
// that a program keeps per stream without locks.
#pragma once

#include "sched/crew_model.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "sched/latch.cpp"

namespace artel::sched {

inline constexpr unsigned workers = 3;
inline constexpr unsigned most_streams = 3;

// A unit that runs a function of the model, once.
struct model_unit : unit {
    void (*body)(model_unit&) = nullptr;
    void* in = nullptr;
    model::plain<int> contents;

    void prepare(void* of, void (*what)(model_unit&), bool may_be_taken = false)
    {
        in = of;
        body = what;
        stays = !may_be_taken;
        contents.set(7);
        run = [](void*, base::work& self) {
            auto& j = static_cast<model_unit&>(static_cast<unit&>(self));
            model::check(j.contents.get() == 7, "run without its contents, or twice");
            j.contents.set(8);
            j.body(j);
        };
    }
};

template <unsigned pools, unsigned streams_each>
struct on_streams : model_crew<workers, workers> {
    static constexpr unsigned streams = pools * streams_each;
    static_assert(streams <= most_streams);
    stream_group group{pools, streams_each};
    os_event ended;
    // Stands for data that a program keeps per stream without locks.
    model::plain<int> used[streams];
    const void* inside[streams] = {};

    on_streams() { model::stop_for = 0; }

    // Takes several steps; called by the only unit on its stream.
    void use(const void* by)
    {
        const unsigned n = this_stream()->number;
        model::check(inside[n] == nullptr, "two units of a stream at a time");
        inside[n] = by;
        used[n].set(used[n].get() + 1);
        model::yield();
        model::yield();
        model::check(inside[n] == by && this_stream()->number == n,
                     "two units of a stream at a time");
        inside[n] = nullptr;
    }
    // The other workers work until all counted units have ended.
    void wait_and_release(std::uint32_t n)
    {
        linger(after_push);
        ended.wait_for(n);
        this->release(1);
        this->release(2);
    }
};

}  // namespace artel::sched
