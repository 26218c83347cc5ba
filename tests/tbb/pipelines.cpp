// Pipelines that cannot be made, or have no memory for a token: the exception comes out, and what
// is on its way ends.
#include "check.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <string>

namespace {

// How many allocations by this thread succeed before one fails; below 0: none fails.
thread_local int before_failure = -1;

void* allocated(std::size_t size)
{
    const bool fails = before_failure >= 0 && before_failure-- == 0;
    void* const memory = fails ? nullptr : std::malloc(size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

}  // namespace

void* operator new(std::size_t size)
{
    return allocated(size);
}
void* operator new[](std::size_t size)
{
    return allocated(size);
}
// oneTBB's headers forget the memory of a token whose constructor throws. For the leak checker.
extern "C" const char* __lsan_default_suppressions()  // NOLINT(bugprone-reserved-identifier)
{
    return "leak:create_token\n";
}

// All kinds that are freed by the functions below. These ones report no exception, and never fail.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return std::malloc(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept
{
    return std::malloc(size);
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace {

// An item that is too large to be passed in a pointer.
struct item {
    static inline int alive = 0;
    std::string text = "some words that are longer than a pointer";
    item() { ++alive; }
    item(const item& other) : text(other.text) { ++alive; }
    item& operator=(const item&) = default;
    ~item() { --alive; }
};

// Whether the pipeline ran to its end although one allocation failed, or none did.
bool run(int failing)
{
    constexpr int items = 10;
    int made = 0;
    int passed = 0;
    const auto first = tbb::make_filter<void, item>(tbb::filter_mode::serial_in_order,
                                                    [&](tbb::flow_control& control) {
                                                        if (made == items) {
                                                            control.stop();
                                                        } else {
                                                            ++made;
                                                        }
                                                        return item();
                                                    });
    const auto last = tbb::make_filter<item, void>(tbb::filter_mode::serial_in_order,
                                                   [&](const item&) { ++passed; });
    const auto both = first & last;
    // Its queue of tasks is made for the first token that is spawned in it.
    tbb::task_arena one(1);
    bool caught = false;
    one.execute([&] {
        before_failure = failing;
        try {
            tbb::parallel_pipeline(4, both);
        } catch (const std::bad_alloc&) {
            caught = true;
        }
        before_failure = -1;
    });
    CHECK(item::alive == 0);
    CHECK(caught || passed == items);
    return !caught;
}

// Each of the first allocations fails in turn.
void check_each_allocation()
{
    CHECK(run(-1));
    int failed = 0;
    for (int failing = 0; failing < 60; ++failing) {
        failed += run(failing) ? 0 : 1;
    }
    CHECK(failed > 10);
}

constexpr named_check checks[] = {
    {"each_allocation", check_each_allocation},
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
