// Light threads on Taskflow: fibers that asynchronous tasks of one executor carry. A worker of the
// executor runs its latest task first. So tasks are not bound to fibers: each takes the fiber that
// has waited longest, so that a yield lets others run first.
#include "../common/light.hpp"

#include "../common/outside.hpp"
#include "../common/processors.hpp"
#include "../common/settings.hpp"
#include "../common/spinlock.hpp"
#include "../fibers/fiber.hpp"

#include <taskflow/taskflow.hpp>

namespace cp::light {

const char* const name = "taskflow";

namespace {

// Binds the executor's threads as they start.
class placement : public tf::WorkerInterface {
public:
    void scheduler_prologue(tf::Worker& worker) override
    {
        const std::vector<unsigned> where = processors(settings().nodes);
        if (settings().bind) {
            bind_to(where[worker.id() % where.size()]);
        } else if (!settings().nodes.empty()) {
            bind_to(where);
        }
    }
    void scheduler_epilogue(tf::Worker&, std::exception_ptr) override {}
};

tf::Executor* executor = nullptr;  // never deleted at exit: its threads may still run then

spinlock lock;
// Under the lock: the queue of ready fibers. There are as many pending tasks.
fiber *first = nullptr, *last = nullptr;

void carry_first()
{
    lock.lock();
    fiber* const x = first;
    first = x->next;
    lock.unlock();
    carry(x);
}

void make_task(fiber* x)
{
    x->next = nullptr;
    lock.lock();
    (first == nullptr ? first : last->next) = x;
    last = x;
    lock.unlock();
    executor->silent_async(carry_first);
}

}  // namespace

void start(unsigned streams)
{
    executor = new tf::Executor(streams, tf::make_worker_interface<placement>());
}

bool stop()
{
    delete executor;
    executor = nullptr;
    return true;
}

void enter(void (*f)(void*), void* argument)
{
    outside_call call(f, argument);
    make_task(make_fiber(outside_call::run, &call, nullptr));
    call.wait();
}

void spawn(void (*f)(void*), void* argument, unsigned, unsigned)
{
    make_task(make_fiber(f, argument, nullptr));
}

void resume(handle h)
{
    make_task(static_cast<fiber*>(h));
}

void yield()
{
    suspend([](handle self, void*) { resume(self); }, nullptr);
}

}  // namespace cp::light
