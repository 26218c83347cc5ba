// Functions that facades have called by the progress monitor (monitor.hpp). There is room for a few
// of each kind in the process. They should not block: the monitor waits for them. None is called
// while the monitor sleeps because nobody works.
#pragma once

namespace artel::sched {

// The monitor calls `hook` once a second, with a running number. Any thread; registering a function
// again changes nothing.
using second_hook = void (*)(unsigned second) noexcept;
void call_each_second(second_hook hook) noexcept;

// The same at each tick of the monitor, some milliseconds, before it looks at the workers.
using tick_hook = void (*)() noexcept;
void call_each_tick(tick_hook hook) noexcept;

// For the monitor: calls them.
void call_second_hooks(unsigned second) noexcept;
void call_tick_hooks() noexcept;

}  // namespace artel::sched
