// Light threads of Argobots (libabt.so.1: Artel's, or a stock one). A thread of this library starts
// it and makes the streams, which share one pool. So no stream belongs to a thread of the program,
// which may block in the kernel. A light thread waits for an eventual.
#include "../common/light.hpp"

#include "../common/outside.hpp"
#include "../common/own_thread.hpp"
#include "../common/processors.hpp"
#include "../common/settings.hpp"
#include "../common/spinlock.hpp"

#include <abt.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace cp::light {

const char* const name = "abt";

namespace {

ABT_pool pool;
std::vector<ABT_xstream> all_streams;
ABT_thread_attr attributes;

void check(int error, const char* what)
{
    if (error != ABT_SUCCESS) {
        throw std::runtime_error(std::string(what) + " failed with error " + std::to_string(error) +
                                 " of Argobots");
    }
}

// Eventuals are kept until the library ends: the setter may still hold the lock of one when the
// waiter goes on.
class eventuals {
public:
    ABT_eventual take()
    {
        lock_.lock();
        ABT_eventual e = ABT_EVENTUAL_NULL;
        if (!free_.empty()) {
            e = free_.back();
            free_.pop_back();
        }
        lock_.unlock();
        if (e == ABT_EVENTUAL_NULL && ABT_eventual_create(0, &e) != ABT_SUCCESS) {
            fail("no memory for a light thread that waits");
        }
        return e;
    }
    // Called at the end of the library.
    void clear()
    {
        for (ABT_eventual& e : free_) {
            ABT_eventual_free(&e);
        }
        free_.clear();
    }
    void give(ABT_eventual e)
    {
        ABT_eventual_reset(e);
        lock_.lock();
        free_.push_back(e);
        lock_.unlock();
    }

private:
    spinlock lock_;
    std::vector<ABT_eventual> free_;
};

eventuals& waits()
{
    static auto* const all = new eventuals;
    return *all;
}

void begin(unsigned streams)
{
    const unsigned long stack = settings().stack;
    // Artel's library has a pool of stacks of one size, as wide a crew as there are streams, and
    // binds its workers itself.
    setenv("ARTEL_STACK_SIZE", std::to_string(stack).c_str(), 0);
    setenv("ARTEL_NUM_THREADS", std::to_string(streams).c_str(), 0);
    setenv("ABT_THREAD_STACKSIZE", std::to_string(stack).c_str(), 0);
    if (settings().bind) {
        setenv("ARTEL_BIND", "cores", 0);
    }
    if (!settings().nodes.empty()) {
        bind_to(processors(settings().nodes));
    }
    check(ABT_init(0, nullptr), "ABT_init");
    check(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &pool),
          "ABT_pool_create_basic");
    check(ABT_thread_attr_create(&attributes), "ABT_thread_attr_create");
    check(ABT_thread_attr_set_stacksize(attributes, stack), "ABT_thread_attr_set_stacksize");
    const std::vector<unsigned> where = processors(settings().nodes);
    for (unsigned i = 0; i < streams; ++i) {
        ABT_xstream stream;
        check(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, &pool, ABT_SCHED_CONFIG_NULL, &stream),
              "ABT_xstream_create_basic");
        all_streams.push_back(stream);
        if (settings().bind) {
            // If the library cannot bind streams, the kernel places them.
            (void)ABT_xstream_set_cpubind(stream, static_cast<int>(where[i % where.size()]));
        }
    }
}

void end()
{
    // A stream ends when nothing is left in the pool.
    for (ABT_xstream& stream : all_streams) {
        ABT_xstream_join(stream);
        ABT_xstream_free(&stream);
    }
    all_streams.clear();
    waits().clear();
    ABT_thread_attr_free(&attributes);
    ABT_pool_free(&pool);
    ABT_finalize();
}

own_thread& starter()
{
    static auto* const it = new own_thread;
    return *it;
}

}  // namespace

void start(unsigned streams)
{
    starter().start(begin, streams);
}

bool stop()
{
    starter().stop(end);
    return true;
}

void enter(void (*f)(void*), void* argument)
{
    outside_call call(f, argument);
    spawn(outside_call::run, &call, 0, 1);
    call.wait();
}

void spawn(void (*f)(void*), void* argument, unsigned, unsigned)
{
    const int error = ABT_thread_create(pool, f, argument, attributes, nullptr);
    if (error != ABT_SUCCESS) {
        fail("Argobots cannot make a light thread: error " + std::to_string(error));
    }
}

void suspend(void (*published)(handle, void*), void* argument)
{
    const ABT_eventual e = waits().take();
    published(e, argument);
    ABT_eventual_wait(e, nullptr);
    waits().give(e);
}

void resume(handle h)
{
    ABT_eventual_set(static_cast<ABT_eventual>(h), nullptr, 0);
}

void yield()
{
    ABT_thread_yield();
}

}  // namespace cp::light
