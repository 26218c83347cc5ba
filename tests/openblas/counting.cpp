/* usage: counting STAND_IN FRONT OTHER_FRONT, under `artel run` with ARTEL_NUM_THREADS=4

   Which calls of an OpenBLAS are counted as inside: by their names, their amounts of work, through
   libraries in front of it, with many arguments, and on stacks with no room above them.
   Prints "all right", or what is not. */
#include "inside.hpp"

#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>

namespace {

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

}  // namespace

int main(int count, char** words)
{
    if (count != 4) {
        return 2;
    }
    if (!load_library(words[1])) {
        return 1;
    }
    names();
    amounts();
    fronts(words[2], words[3]);
    many_arguments();
    small_stack();
    return report();
}
