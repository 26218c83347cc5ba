// Lists the waiters of full/empty words and syncvars, for debuggers and tools within the program.
#include "sched/fork_lock.hpp"
#include "spawn.hpp"
#include "syncvar.hpp"

#include <pthread.h>

namespace artel::qthreads {
namespace {

[[maybe_unused]] const int fork_handlers = ::pthread_atfork(
    sched::fork_exclusion::begin_fork, sched::fork_exclusion::end_fork,
    sched::fork_exclusion::end_fork_in_child);

using visitor = void (*)(const void* word, task_function f, void* argument, void* result,
                         unsigned id, void* local, void* context);

struct visit {
    visitor call;
    void* context;
    bool syncvars;
};

const task* waiting(const artel::detail::feb_waiter& w, bool syncvars) noexcept
{
    const task* const beginner = waiting_to_begin(w);
    if (beginner != nullptr) {
        return ((beginner->flags & awaits_syncvars) != 0) == syncvars ? beginner : nullptr;
    }
    const sched::unit* const u = syncvars ? waiting_for_syncvar(w)
                                          : sched::feb::waiting_for_word(w);
    // A unit with rules belongs to another interface.
    return u != nullptr && u->rules == nullptr ? static_cast<const task*>(u) : nullptr;
}

void for_each(visitor call, void* context, bool syncvars) noexcept
{
    // The function is called under locks that forks take, and may take locks for which forks wait.
    const sched::fork_section section;
    visit v{call, context, syncvars};
    sched::feb::for_each_waiter(
        [](const void* word, const artel::detail::feb_waiter& w, void* argument) {
            const visit& to = *static_cast<visit*>(argument);
            if (const task* const t = waiting(w, to.syncvars); t != nullptr) {
                to.call(word, t->body, t->argument, t->result, static_cast<unsigned>(t->id),
                        t->local, to.context);
            }
        },
        &v);
}

}  // namespace
}  // namespace artel::qthreads

extern "C" {

// The function is called with locks held: it must not use full/empty words.
void qthread_feb_callback(artel::qthreads::visitor call, void* context)
{
    artel::qthreads::for_each(call, context, false);
}
void qthread_syncvar_callback(artel::qthreads::visitor call, void* context)
{
    artel::qthreads::for_each(call, context, true);
}
}
