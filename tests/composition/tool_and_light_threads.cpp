// A tool of the OpenMP tools interface in a program whose light threads have regions: members keep
// their thread-local variables as they do without a tool, no event comes from a thread that the
// tool does not know, and what begins ends. With an argument the tool leaves in the middle. The
// interface is declared here, as gcc 12 has no header for it.
#include <artel/light_thread.hpp>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

union tool_data {
    std::uint64_t value;
    void* pointer;
};
using any_function = void (*)();
using lookup_function = any_function (*)(const char*);
struct start_result {
    int (*initialize)(lookup_function, int, tool_data*);
    void (*finalize)(tool_data*);
    tool_data data;
};

enum { begins = 1, initial_task = 1 };  // of ompt_scope_endpoint_t, ompt_task_flag_t

tool_data* (*thread_data)();
void (*let_tool_leave)();
bool leaves_early = false;
std::atomic<int> threads{0};
std::atomic<int> threads_ended{0};
std::atomic<int> regions{0};
std::atomic<int> regions_ended{0};
std::atomic<int> initials{0};
std::atomic<int> initials_ended{0};
std::atomic<int> implicits{0};
std::atomic<int> implicits_ended{0};
std::atomic<int> on_unknown_threads{0};
std::atomic<int> begun_twice{0};
std::atomic<int> wrong_values{0};

thread_local bool is_known = false;

void check_thread()
{
    on_unknown_threads += !is_known || thread_data() == nullptr || thread_data()->value == 0;
}

void thread_begin(int /*kind*/, tool_data* mine)
{
    begun_twice += is_known;
    is_known = true;
    mine->value = static_cast<std::uint64_t>(++threads);
}

void thread_end(tool_data* /*mine*/)
{
    check_thread();
    is_known = false;
    ++threads_ended;
}

void parallel_begin(tool_data* /*task*/, const void* /*frame*/, tool_data* region,
                    unsigned /*size*/, int /*flags*/, const void* /*code*/)
{
    check_thread();
    region->value = static_cast<std::uint64_t>(++regions);
}

void parallel_end(tool_data* region, tool_data* /*task*/, int /*flags*/, const void* /*code*/)
{
    check_thread();
    regions_ended += region->value != 0;
}

void implicit_task(int at, tool_data* /*region*/, tool_data* /*task*/, unsigned /*size*/,
                   unsigned /*number*/, int flags)
{
    check_thread();
    const bool initial = (flags & initial_task) != 0;
    if (at == begins) {
        ++(initial ? initials : implicits);
    } else {
        ++(initial ? initials_ended : implicits_ended);
    }
}

int initialize(lookup_function find, int /*device*/, tool_data* /*mine*/)
{
    const auto set = reinterpret_cast<int (*)(int, any_function)>(find("ompt_set_callback"));
    thread_data = reinterpret_cast<tool_data* (*)()>(find("ompt_get_thread_data"));
    let_tool_leave = find("ompt_finalize_tool");
    set(1, reinterpret_cast<any_function>(thread_begin));
    set(2, reinterpret_cast<any_function>(thread_end));
    set(3, reinterpret_cast<any_function>(parallel_begin));
    set(4, reinterpret_cast<any_function>(parallel_end));
    set(7, reinterpret_cast<any_function>(implicit_task));
    return 1;
}

// The crew's own OS threads outlive the tool.
void finalize(tool_data* /*mine*/)
{
    if (leaves_early) {
        return;
    }
    std::printf(
        "threads %d, ended %d; regions %d, ended %d; initial tasks %d, ended %d; implicit tasks "
        "%d, ended %d; events on unknown threads %d, begun twice %d, wrong values %d\n",
        threads.load(), threads_ended.load(), regions.load(), regions_ended.load(), initials.load(),
        initials_ended.load(), implicits.load(), implicits_ended.load(), on_unknown_threads.load(),
        begun_twice.load(), wrong_values.load());
    std::fflush(stdout);
    const bool good = regions > 0 && regions == regions_ended && initials == initials_ended &&
                      implicits == implicits_ended && threads_ended > 0 &&
                      threads_ended <= threads && on_unknown_threads == 0 && begun_twice == 0 &&
                      wrong_values == 0;
    if (!good) {
        ::_exit(1);
    }
}

start_result tool{initialize, finalize, {}};

int mark = 0;
#pragma omp threadprivate(mark)

// Not inlined: the address of the variable is the thread's, which a light thread may change.
[[gnu::noinline]] int& this_mark()
{
    return mark;
}

void region(int value)
{
#pragma omp parallel num_threads(3)
    {
        const int own = value * 10 + omp_get_thread_num() + 1;
        this_mark() = own;
        for (int i = 0; i < 6; ++i) {
#pragma omp barrier
        }
        wrong_values += this_mark() != own;
    }
}

}  // namespace

extern "C" [[gnu::visibility("default")]] start_result* ompt_start_tool(unsigned /*version*/,
                                                                        const char* /*runtime*/)
{
    return &tool;
}

int main(int count, char** /*words*/)
{
    region(0);
    if (count > 1) {
        leaves_early = true;
        std::atomic<int> done{0};
        std::atomic<bool> has_left{false};
        std::vector<artel::light_thread> all;
        for (int i = 0; i < 12; ++i) {
            all.emplace_back([&, i] {
                while (!has_left) {
                    region(i);
                    ++done;
                }
                region(i);
            });
        }
        std::thread([&] {
            while (done < 100) {
                ::usleep(1000);
            }
            let_tool_leave();
            has_left = true;
        }).join();
        for (artel::light_thread& t : all) {
            t.join();
        }
        return wrong_values != 0;
    }
    for (int round = 0; round < 40; ++round) {
        std::vector<artel::light_thread> all;
        for (int i = 0; i < 8; ++i) {
            all.emplace_back([i] { region(i); });
        }
        if (round % 2 == 0) {
            ::usleep(2000);  // workers come for them
        }
        for (artel::light_thread& t : all) {
            t.join();
        }
    }
    return 0;
}
