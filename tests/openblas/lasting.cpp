/* usage: lasting STAND_IN, under `artel run` with ARTEL_BLAS=true

   Calls that last stay where they are, whatever the look for abandoned calls finds: of a thread
   whose number /proc does not know (in another PID namespace), and of one that ends a call and
   begins the next from the same place just while it is looked at. Prints "all right", or what is
   not. */
#include "inside.hpp"

#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>

namespace {

// Who waits for whom. `first_call`: the one that is looked at.
enum step : int { start, first_call, looking, first_ended, looked, second_call, end };
std::atomic<int> now{start};
std::atomic<std::uintptr_t> stack_of_caller{0};

void wait_for(step wanted)
{
    while (now < wanted) {
        usleep(100);
    }
}

void stay(int, void*)
{
    wait_for(end);
}

void nothing(int, void*) {}

void until_looked_at(int, void*)
{
    now = first_call;
    wait_for(looking);
}

void until_end(int, void*)
{
    now = second_call;
    wait_for(end);
}

__attribute__((noinline)) void call_with(inside_function* what)
{
    gemm(what, nullptr);
    asm volatile("");  // not a jump, with the caller's return address
}

void* stays(void*)
{
    call_with(stay);
    return nullptr;
}

pthread_t twice;

void* calls_twice(void*)
{
    const volatile char here = 0;
    stack_of_caller = reinterpret_cast<std::uintptr_t>(&here);
    call_with(until_looked_at);
    now = first_ended;
    wait_for(looked);
    call_with(until_end);
    return nullptr;
}

// Wherever another call got the place of one that lasts, that one returns here, too.
void* calls_briefly(void*)
{
    gemm(nothing, nullptr);
    if (pthread_equal(pthread_self(), twice) != 0) {
        std::puts("a call has returned into the code of another thread");
        std::fflush(stdout);
        _exit(1);
    }
    return nullptr;
}

}  // namespace

// By which the stack of a thread is looked at. What it reads is not changed, only when.
extern "C" ssize_t process_vm_readv(pid_t process, const iovec* into, unsigned long into_count,
                                    const iovec* from, unsigned long from_count,
                                    unsigned long flags)
{
    const auto at = reinterpret_cast<std::uintptr_t>(from->iov_base);
    const bool mine = now == first_call && at - stack_of_caller + 65536 < 2 * 65536;
    if (mine) {
        now = looking;
        wait_for(first_ended);
    }
    const ssize_t result = syscall(SYS_process_vm_readv, process, into, into_count, from,
                                   from_count, flags);
    if (mine) {
        now = looked;
        wait_for(second_call);
    }
    return result;
}

int main(int count, char** words)
{
    if (count != 2) {
        return 2;
    }
    if (!load_library(words[1])) {
        return 1;
    }
    pthread_t other{}, brief{};
    pthread_create(&other, nullptr, stays, nullptr);
    EXPECT(in_the_end(1));
    pthread_create(&twice, nullptr, calls_twice, nullptr);
    wait_for(second_call);
    usleep(100000);  // some looks
    EXPECT(inside() == 2);
    for (int i = 0; i < 1100; ++i) {  // more than there are places for calls
        pthread_create(&brief, nullptr, calls_briefly, nullptr);
        pthread_join(brief, nullptr);
    }
    now = end;
    pthread_join(twice, nullptr);
    pthread_join(other, nullptr);
    EXPECT(inside() == 0);
    return report();
}
