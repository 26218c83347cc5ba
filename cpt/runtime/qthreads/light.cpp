// Light threads of Qthreads (libqthread.so.1, Artel's). A thread of this library starts it, with
// one shepherd for each stream, and is the first stream. A light thread waits for a word of its own
// to become full.
#include "../common/light.hpp"

#include "../common/outside.hpp"
#include "../common/own_thread.hpp"
#include "../common/processors.hpp"
#include "../common/settings.hpp"

#include <qthread/qthread.h>

#include <cstdlib>
#include <stdexcept>

namespace cp::light {

const char* const name = "qthreads";

namespace {

// Becomes full when the library is to end. The thread that started it waits for that, while its
// stream runs others.
aligned_t ending;
bool running = false;

// At exit Qthreads reports threads that still wait. This wait is no error of the user's, so it is
// ended before.
__attribute__((destructor)) void wait_no_more()
{
    if (running) {
        qthread_fill(&ending);
    }
}

void begin(unsigned streams)
{
    const unsigned long stack = settings().stack;
    // Variables that the library reads; values that the user has set take precedence.
    setenv("ARTEL_STACK_SIZE", std::to_string(stack).c_str(), 0);
    setenv("ARTEL_NUM_THREADS", std::to_string(streams).c_str(), 0);
    setenv("QT_STACK_SIZE", std::to_string(stack).c_str(), 0);
    setenv("QT_NUM_SHEPHERDS", std::to_string(streams).c_str(), 0);
    setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 0);
    if (settings().bind) {
        setenv("ARTEL_BIND", "cores", 0);
    }
    if (!settings().nodes.empty()) {
        bind_to(processors(settings().nodes));
    }
    if (qthread_initialize() != QTHREAD_SUCCESS) {
        throw std::runtime_error("qthread_initialize failed");
    }
    qthread_empty(&ending);
}

own_thread& starter()
{
    static auto* const it = new own_thread;
    return *it;
}

struct call {
    void (*f)(void*);
    void* argument;
};

aligned_t run(void* made)
{
    const call c = *static_cast<call*>(made);
    c.f(c.argument);
    return 0;
}

}  // namespace

void start(unsigned streams)
{
    starter().start(begin, streams, [] {
        aligned_t value = 0;
        qthread_readFF(&value, &ending);
    });
    running = true;
}

bool stop()
{
    running = false;
    starter().stop(qthread_finalize, [] { qthread_fill(&ending); });
    return true;
}

void enter(void (*f)(void*), void* argument)
{
    outside_call c(f, argument);
    spawn(outside_call::run, &c, 0, 1);
    c.wait();
}

// The library copies the argument.
void spawn(void (*f)(void*), void* argument, unsigned, unsigned)
{
    const call c{f, argument};
    if (qthread_fork_copyargs(run, &c, sizeof c, nullptr) != QTHREAD_SUCCESS) {
        fail("Qthreads cannot make a light thread");
    }
}

void suspend(void (*published)(handle, void*), void* argument)
{
    aligned_t word = 0, value = 0;
    qthread_empty(&word);
    published(&word, argument);
    qthread_readFF(&value, &word);
}

void resume(handle h)
{
    qthread_fill(static_cast<aligned_t*>(h));
}

void yield()
{
    qthread_yield();
}

}  // namespace cp::light
