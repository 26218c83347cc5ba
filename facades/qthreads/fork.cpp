// The qthread_fork functions: qthread_spawn with some of its arguments.
#include "spawn.hpp"

#include <cstdarg>
#include <cstdint>
#include <vector>

namespace {

using artel::qthreads::no_shepherd;
using artel::qthreads::shepherd_id;
using artel::qthreads::spawn;
using artel::qthreads::task_function;

int spawn_when_full(task_function f, const void* argument, std::size_t size, void* result,
                    shepherd_id target, unsigned flags, int count, std::va_list list)
{
    // A negative count: one argument follows, an array of -count words.
    if (count < 0) {
        return spawn(f, argument, size, result, static_cast<std::size_t>(-std::int64_t{count}),
                     va_arg(list, void**), target, flags);
    }
    std::vector<void*> preconditions;
    for (int i = 0; i < count; ++i) {
        preconditions.push_back(va_arg(list, void*));
    }
    return spawn(f, argument, size, result, preconditions.size(), preconditions.data(), target,
                 flags);
}

}  // namespace

extern "C" {

int qthread_syncvar_writeEF_const(void* v, std::uint64_t value);

int qthread_spawn(task_function f, const void* argument, std::size_t size, void* result,
                  std::size_t count, void* preconditions, shepherd_id target, unsigned flags)
{
    return spawn(f, argument, size, result, count, static_cast<void**>(preconditions), target,
                 flags);
}
int qthread_fork(task_function f, const void* argument, void* result)
{
    return spawn(f, argument, 0, result, 0, nullptr, no_shepherd, 0);
}
int qthread_fork_net(task_function f, const void* argument, void* result)
{
    return spawn(f, argument, 0, result, 0, nullptr, no_shepherd, 0);
}
int qthread_fork_to(task_function f, const void* argument, void* result, shepherd_id target)
{
    return spawn(f, argument, 0, result, 0, nullptr, target, 0);
}
int qthread_fork_syncvar(task_function f, const void* argument, void* result)
{
    return spawn(f, argument, 0, result, 0, nullptr, no_shepherd, artel::qthreads::returns_syncvar);
}
int qthread_fork_syncvar_to(task_function f, const void* argument, void* result, shepherd_id target)
{
    return spawn(f, argument, 0, result, 0, nullptr, target, artel::qthreads::returns_syncvar);
}
int qthread_fork_copyargs(task_function f, const void* argument, std::size_t size, void* result)
{
    return spawn(f, argument, size, result, 0, nullptr, no_shepherd, 0);
}
int qthread_fork_syncvar_copyargs(task_function f, const void* argument, std::size_t size,
                                  void* result)
{
    return spawn(f, argument, size, result, 0, nullptr, no_shepherd,
                 artel::qthreads::returns_syncvar);
}
int qthread_fork_syncvar_copyargs_simple(task_function f, const void* argument, std::size_t size,
                                         void* result)
{
    return spawn(f, argument, size, result, 0, nullptr, no_shepherd,
                 artel::qthreads::returns_syncvar | artel::qthreads::simple);
}
// The result is a word, as in the stock library, whatever type the header gives it.
int qthread_fork_copyargs_to(task_function f, const void* argument, std::size_t size, void* result,
                             shepherd_id target)
{
    return spawn(f, argument, size, result, 0, nullptr, target, 0);
}
int qthread_fork_copyargs_precond(task_function f, const void* argument, std::size_t size,
                                  void* result, int count, ...)
{
    std::va_list list;
    va_start(list, count);
    const int status = spawn_when_full(f, argument, size, result, no_shepherd,
                                       artel::qthreads::returns_syncvar, count, list);
    va_end(list);
    return status;
}
int qthread_fork_precond(task_function f, const void* argument, void* result, int count, ...)
{
    std::va_list list;
    va_start(list, count);
    const int status = spawn_when_full(f, argument, 0, result, no_shepherd, 0, count, list);
    va_end(list);
    return status;
}
int qthread_fork_precond_simple(task_function f, const void* argument, void* result, int count, ...)
{
    std::va_list list;
    va_start(list, count);
    const int status = spawn_when_full(f, argument, 0, result, no_shepherd, artel::qthreads::simple,
                                       count, list);
    va_end(list);
    return status;
}
int qthread_fork_precond_to(task_function f, const void* argument, void* result, shepherd_id target,
                            int count, ...)
{
    std::va_list list;
    va_start(list, count);
    const int status = spawn_when_full(f, argument, 0, result, target, 0, count, list);
    va_end(list);
    return status;
}
// Not a fork: calls the function here, and writes the result as a qthread does at its end, except
// that it waits until the word or syncvar is empty. It has flags of its own.
void qthread_call_method(task_function f, void* argument, void* result, std::uint16_t flags)
{
    constexpr unsigned to_syncvar = 1u << 2;
    constexpr unsigned to_sinc = 1u << 3;
    const std::uint64_t value = f(argument);
    if (result == nullptr) {
        return;
    }
    switch (flags & (to_syncvar | to_sinc)) {
    case to_syncvar | to_sinc:
        artel::qthreads::deliver(artel::qthreads::returns_sinc_void, result, value);
        break;
    case to_sinc: artel::qthreads::deliver(artel::qthreads::returns_sinc, result, value); break;
    case to_syncvar: qthread_syncvar_writeEF_const(result, value << 4 >> 4); break;
    default: artel::sched::feb::write_ef(static_cast<std::uint64_t*>(result), value); break;
    }
}
}
