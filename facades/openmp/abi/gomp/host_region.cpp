// A region runs on its caller's stack at once, or as a task (nowait), which keeps copies of the
// firstprivate variables and of the list of addresses.
#include "host_region.hpp"

#include "fiber/fiber.hpp"
#include "linking/messages.hpp"
#include "ompt/events/explicit_task.hpp"
#include "regions/binding.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/tasks.hpp"
#include "team/task_cancellation.hpp"
#include "team/team.hpp"
#include "worksharing/construct.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace artel::openmp {

namespace {

// The kind of a mapping is in the low byte; above it the logarithm of the alignment.
constexpr unsigned map_firstprivate = 12;

// Copies of the firstprivate variables, which replace their addresses.
class private_copies {
public:
    private_copies(std::size_t count, void** addresses, const std::size_t* sizes,
                   const unsigned short* kinds)
    {
        std::size_t bytes = 0;
        std::size_t alignment = 1;
        const auto each = [&](auto&& f) {
            bytes = 0;
            for (std::size_t i = 0; i < count; ++i) {
                // Absent optional arguments have no address.
                if ((kinds[i] & 0xff) == map_firstprivate && addresses[i] != nullptr) {
                    const std::size_t align = std::size_t{1} << (kinds[i] >> 8);
                    alignment = std::max(alignment, align);
                    bytes = (bytes + align - 1) / align * align;
                    f(i);
                    bytes += sizes[i];
                }
            }
        };
        each([](std::size_t) {});
        if (bytes == 0) {
            return;
        }
        memory_.reset(static_cast<char*>(
            std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)));
        if (memory_ == nullptr) {
            give_up("Out of memory allocating {} bytes", bytes);
        }
        each([&](std::size_t i) {
            std::memcpy(memory_.get() + bytes, addresses[i], sizes[i]);
            addresses[i] = memory_.get() + bytes;
        });
    }

private:
    struct free_it {
        void operator()(char* memory) const noexcept { std::free(memory); }
    };
    std::unique_ptr<char, free_it> memory_;
};

// The context of a region on the host.
struct host_context {
    team alone;
    member initial;
};

void run_on_host(void (*function)(void*), void* data, unsigned thread_limit)
{
    member& outside = this_member();
    auto context = std::make_unique<host_context>();
    team& alone = context->alone;
    member& initial = context->initial;
    alone.members = &initial;
    alone.parent = outside.in;  // not nullptr, so that it is not taken for an OS thread's own
    alone.parent_number = outside.number;
    alone.crew_generation = fork_generation();
    alone.barrier.configure(1, 1);
    initial.in = &alone;
    initial.outer = &outside;
    initial.current = &initial.implicit;
    initial.implicit.icvs = globals().initial;
    if (ompt::attached()) [[unlikely]] {
        // To a tool the region is a part of the task that encountered it.
        initial.implicit.tool = outside.current->tool;
        alone.tool = outside.in->tool;
    }
    initial.where = initial_position();
    initial.where.place = outside.where.place;
    if (thread_limit != 0) {
        initial.implicit.icvs.thread_limit = thread_limit;
    }
    begin_region(alone);
    enter_region(initial);
    fiber::this_tls().local = &initial;
    function(data);
    complete_own_tasks(initial);
    await_external_task_ends(alone);
    fiber::this_tls().local = &outside;
}

// A region that a task runs later, with the addresses and firstprivate values of the moment at
// which the task was made.
struct later {
    void (*function)(void*);
    unsigned thread_limit;
    std::vector<void*> addresses;
    private_copies copies;

    explicit later(const host_region& r)
        : function(r.function), thread_limit(r.thread_limit),
          addresses(r.addresses, r.addresses + r.count),
          copies(r.count, addresses.data(), r.sizes, r.kinds)
    {}
};

// The task's copy function and its body. The argument is a pointer to a `later`, which the body
// frees, also of a task that was cancelled.
void make_later(void* to, void* from)
{
    try {
        *static_cast<later**>(to) = new later(*static_cast<const host_region*>(from));
    } catch (const std::bad_alloc&) {
        no_task_memory();
    }
}

void run_later(void* argument)
{
    const std::unique_ptr<later> region(*static_cast<later**>(argument));
    if (!is_cancelled(*this_member().current)) {
        run_on_host(region->function, region->addresses.data(), region->thread_limit);
    }
}

}  // namespace

void run_at_once(const host_region& region)
{
    if (region.function != nullptr) {
        const private_copies copies(region.count, region.addresses, region.sizes, region.kinds);
        run_on_host(region.function, region.addresses, region.thread_limit);
    }
}

void run_as_task(const host_region& region, const depend_list& dependences, ompt::caller who)
{
    member& m = this_member();
    host_region what = region;
    const bool runs = what.function != nullptr;
    const auto function = runs ? run_later : [](void*) {};
    const auto copy = runs ? make_later : nullptr;
    const std::size_t bytes = runs ? sizeof(later*) : 0;
    task_options options;
    options.must_run = runs;
    options.dependences = dependences;
    if (ompt::listens()) [[unlikely]] {
        const ompt::in_runtime here(*m.current, who);
        std::vector<ompt::dependence> told;
        for (const dependence& d : options.dependences) {
            told.push_back(ompt::told(d));
        }
        create_told_task(m, function, &what, copy, bytes, alignof(later*), options, told, who);
    } else {
        create_task(m, function, &what, copy, bytes, alignof(later*), options);
    }
}

}  // namespace artel::openmp
