// The unit that queues hold: an intrusive link, and a function that the worker that takes it calls.
// It is embedded in an object that owns it (a fork-join task on the spawner's stack, a fiber to
// resume, a team looking for members); a queue never allocates or frees it. It is public only
// because tasks are embedded in the frames of the program's functions; programs do not use it.
#pragma once

namespace artel::base {

struct work {
    // Runs on a worker's scheduling loop; `carrier` is that worker (fiber::carrier). May switch
    // fibers. The work may be freed or queued again before it returns, so the caller does not touch
    // it afterwards.
    using function = void (*)(void* carrier, work& self);

    work* next = nullptr;  // owned by the queue that holds the work
    function run = nullptr;
};

}  // namespace artel::base
