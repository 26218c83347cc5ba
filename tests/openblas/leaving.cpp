/* usage: leaving STAND_IN FRONT OTHER_FRONT, under `artel run` with ARTEL_NUM_THREADS=4

   Calls of an OpenBLAS that end otherwise than by returning, that are made on stacks with no room
   above them, and what is no call of BLAS: who is counted as inside afterwards, or meanwhile.
   Prints "all right", or what is not. */
#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace {

using inside_function = void(int threads, void* data);
using call_function = void(inside_function* inside, void* data);

int failures = 0;

#define EXPECT(condition)                                               \
    do {                                                                \
        if (!(condition)) {                                             \
            ++failures;                                                 \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
        }                                                               \
    } while (0)

void* library;

template <class Function>
Function* need(const char* name)
{
    void* found = dlsym(library, name);
    if (found == nullptr) {
        found = dlsym(RTLD_DEFAULT, name);
    }
    if (found == nullptr) {
        std::printf("no %s: %s\n", name, dlerror());
        std::exit(1);
    }
    return reinterpret_cast<Function*>(found);
}

call_function* gemm;
call_function* getrf;
unsigned (*inside)();

// Waits for what may take some hundredths of a second.
bool in_the_end(unsigned wanted)
{
    for (int i = 0; i < 4000 && inside() != wanted; ++i) {
        usleep(5000);
    }
    return inside() == wanted;
}

void note(int, void* seen)
{
    *static_cast<unsigned*>(seen) = inside();
}

unsigned seen_by(call_function* call)
{
    unsigned seen = 99;
    call(note, &seen);
    return seen;
}

void names()
{
    EXPECT(seen_by(gemm) == 1 && seen_by(getrf) == 1);
    EXPECT(seen_by(need<call_function>("scipy_dsolve_64_")) == 0);
    EXPECT(seen_by(need<call_function>("scipy_openblas_run64_")) == 0);
    EXPECT(inside() == 0);
}

void amounts()
{
    auto* const by_value = need<void(int, int, int, std::int64_t, std::int64_t, std::int64_t,
                                     inside_function*, void*)>("scipy_cblas_dgemm64_");
    auto* const by_reference = need<void(const char*, const char*, const std::int64_t*,
                                         const std::int64_t*, const std::int64_t*, const double*,
                                         inside_function*, void*)>("scipy_dgemm_64_");
    struct {
        std::int64_t m, n, k;
        unsigned counted;
    } const cases[] = {{8, 8, 8, 0},          {40, 40, 40, 0},          {41, 41, 41, 1},
                       {0, 1000, 1000, 0},    {1, 65536, 1, 0},         {1, 65537, 1, 1},
                       {-3, 5, 7, 1},         {1000, 1000, 1000, 1},    {1L << 33, 1, 1, 1},
                       {65536, 65536, 1L, 1}, {2, 1L << 31, 1L << 3, 1}};
    const double one = 1;
    for (const auto& c : cases) {
        unsigned seen[2] = {99, 99};
        by_value(101, 111, 111, c.m, c.n, c.k, note, &seen[0]);
        by_reference("N", "N", &c.m, &c.n, &c.k, &one, note, &seen[1]);
        if (seen[0] != c.counted || seen[1] != c.counted) {
            ++failures;
            std::printf("%ld %ld %ld: %u and %u inside\n", c.m, c.n, c.k, seen[0], seen[1]);
        }
    }
}

// Libraries in front of an OpenBLAS: one that brings it, and one that comes when it is there.
void fronts(const char* one, const char* other)
{
    const auto called = [](const char* file, const char* name) {
        void* const front = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        void* const found = front != nullptr ? dlsym(front, name) : nullptr;
        if (found == nullptr) {
            std::printf("%s\n", dlerror());
            return 99U;
        }
        return seen_by(reinterpret_cast<call_function*>(found));
    };
    EXPECT(called(one, "dsymm_") == 1);
    EXPECT(called(other, "dpotrf_") == 1);
    EXPECT(inside() == 0);
}

void many_arguments()
{
    auto* const sum = need<std::int64_t(std::int64_t, ...)>("scipy_duncsd_64_");
    const std::int64_t found = sum(60, std::int64_t{1}, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L,
                                   12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L, 21L, 22L, 23L, 24L,
                                   25L, 26L, 27L, 28L, 29L, 30L, 31L, 32L, 33L, 34L, 35L, 36L, 37L,
                                   38L, 39L, 40L, 41L, 42L, 43L, 44L, 45L, 46L, 47L, 48L, 49L, 50L,
                                   51L, 52L, 53L, 54L, 55L, 56L, 57L, 58L, 59L, 60L);
    EXPECT(found == 60 * 61 / 2);
}

// A call by code whose stack begins right above it, and others on it meanwhile.
ucontext_t here, there;
unsigned seen_there[3];

void switch_back(int, void* seen)
{
    *static_cast<unsigned*>(seen) = inside();
    swapcontext(&there, &here);
}

void on_a_small_stack()
{
    getrf(note, &seen_there[0]);
    getrf(switch_back, &seen_there[1]);
    gemm(note, &seen_there[2]);
}

void small_stack()
{
    constexpr std::size_t size = 64 * 1024;
    auto* const memory = static_cast<char*>(
        mmap(nullptr, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory + size, 4096, PROT_NONE);
    getcontext(&there);
    there.uc_stack.ss_sp = memory;
    there.uc_stack.ss_size = size;
    there.uc_link = &here;
    makecontext(&there, on_a_small_stack, 0);
    swapcontext(&here, &there);
    EXPECT(seen_there[0] == 1 && seen_there[1] == 1);
    // This thread calls from another stack while that call waits in the middle.
    for (int i = 0; i < 3; ++i) {
        const unsigned seen = seen_by(gemm);
        EXPECT(seen == 1 || seen == 2);
    }
    swapcontext(&here, &there);
    EXPECT(seen_there[2] == 1);
    EXPECT(inside() == 0);
    munmap(memory, size + 4096);
    EXPECT(seen_by(gemm) == 1 && inside() == 0);
}

struct destroyed {
    bool& flag;
    ~destroyed() { flag = true; }
};

void throw_out(int, void*)
{
    throw std::runtime_error("from within");
}

void exceptions()
{
    for (int i = 0; i < 3000; ++i) {  // more than there are places for calls
        bool gone = false, caught = false;
        try {
            const destroyed d{gone};
            gemm(throw_out, nullptr);
        } catch (const std::runtime_error& e) {
            caught = std::string("from within") == e.what();
        }
        EXPECT(caught && gone);
        if (inside() != 0) {
            EXPECT(inside() == 0);
            break;
        }
    }
    EXPECT(seen_by(gemm) == 1 && inside() == 0);
}

void end_thread(int, void*)
{
    pthread_exit(nullptr);
}

std::atomic<bool> cleaned{false};

void* exits(void*)
{
    struct sets {
        ~sets() { cleaned = true; }
    } const s;
    gemm(end_thread, nullptr);
    return nullptr;
}

sem_t waits;

void wait_to_be_cancelled(int, void*)
{
    sem_post(&waits);
    for (;;) {
        pause();
    }
}

void* is_cancelled(void*)
{
    getrf(wait_to_be_cancelled, nullptr);
    return nullptr;
}

void ends_of_threads()
{
    pthread_t thread{};
    for (int i = 0; i < 1500; ++i) {
        cleaned = false;
        pthread_create(&thread, nullptr, exits, nullptr);
        pthread_join(thread, nullptr);
        if (!cleaned || inside() != 0) {
            EXPECT(cleaned && inside() == 0);
            break;
        }
    }
    sem_init(&waits, 0, 0);
    for (int i = 0; i < 20; ++i) {
        pthread_create(&thread, nullptr, is_cancelled, nullptr);
        sem_wait(&waits);
        EXPECT(inside() == 1);
        pthread_cancel(thread);
        pthread_join(thread, nullptr);
        EXPECT(inside() == 0);
    }
    EXPECT(seen_by(gemm) == 1);
}

thread_local jmp_buf back;

void jump(int, void*)
{
    std::longjmp(back, 1);
}

__attribute__((noinline)) void leave_deep_down(int depth)
{
    volatile char room[200];
    room[0] = static_cast<char>(depth);
    if (depth > 0) {
        leave_deep_down(depth - 1);
    } else {
        gemm(jump, nullptr);
    }
    room[1] = room[0];
}

void* jumps_and_ends(void*)
{
    if (setjmp(back) == 0) {
        leave_deep_down(10);
    }
    return nullptr;
}

void* jumps_and_sleeps(void* until)
{
    if (setjmp(back) == 0) {
        leave_deep_down(20);
    }
    sem_wait(static_cast<sem_t*>(until));
    return nullptr;
}

void long_jumps()
{
    for (int i = 0; i < 1500; ++i) {
        pthread_t thread{};
        pthread_create(&thread, nullptr, jumps_and_ends, nullptr);
        pthread_join(thread, nullptr);
        if (inside() != 0) {
            EXPECT(inside() == 0);
            break;
        }
    }
    // Threads that go on without calling BLAS, seen once somebody else is inside beside them.
    sem_t until;
    sem_init(&until, 0, 0);
    std::vector<pthread_t> threads(3);
    for (pthread_t& each : threads) {
        pthread_create(&each, nullptr, jumps_and_sleeps, &until);
    }
    usleep(50000);
    seen_by(gemm);
    EXPECT(in_the_end(0));
    EXPECT(seen_by(gemm) == 1);
    for (std::size_t i = 0; i < threads.size(); ++i) {
        sem_post(&until);
    }
    for (const pthread_t each : threads) {
        pthread_join(each, nullptr);
    }
    EXPECT(inside() == 0);
    for (int i = 0; i < 5000; ++i) {
        if (setjmp(back) == 0) {
            leave_deep_down(i % 7);
        }
    }
    seen_by(gemm);
    EXPECT(in_the_end(0));
}

void stop(int, void*)
{
    std::exit(7);
}

void end_of_the_process()
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        std::thread([] { gemm(stop, nullptr); }).join();
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

void fork_in_there(int, void* result)
{
    const pid_t child = fork();
    if (child == 0) {
        const bool right = inside() == 1 && seen_by(gemm) == 1;
        // and returns from the call, in the child
        *static_cast<int*>(result) = right ? 1 : 2;
        return;
    }
    int status = 0;
    waitpid(child, &status, 0);
    *static_cast<int*>(result) = WIFEXITED(status) ? 10 + WEXITSTATUS(status) : 20;
}

// Beside a call that ends only afterwards: the fork waits for it, in vain.
void forks()
{
    sem_t until;
    sem_init(&until, 0, 0);
    sem_init(&waits, 0, 0);
    std::thread other([&] {
        gemm(
            [](int, void* u) {
                sem_post(&waits);
                sem_wait(static_cast<sem_t*>(u));
            },
            &until);
    });
    sem_wait(&waits);
    int result = 0;
    std::fflush(stdout);
    gemm(fork_in_there, &result);
    if (result < 10) {
        _exit(result == 1 && inside() == 0 && seen_by(gemm) == 1 ? 5 : 6);
    }
    EXPECT(result == 15);
    sem_post(&until);
    other.join();
    EXPECT(inside() == 0);
}

}  // namespace

int main(int count, char** words)
{
    if (count != 4) {
        return 2;
    }
    library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::printf("%s\n", dlerror());
        return 1;
    }
    gemm = need<call_function>("scipy_cblas_dsymm64_");
    getrf = need<call_function>("scipy_dgetrf_64_");
    inside = need<unsigned()>("artel_openblas_inside");
    names();
    amounts();
    fronts(words[2], words[3]);
    many_arguments();
    small_stack();
    exceptions();
    ends_of_threads();
    long_jumps();
    end_of_the_process();
    forks();
    if (failures == 0) {
        std::puts("all right");
    }
    return failures != 0;
}
