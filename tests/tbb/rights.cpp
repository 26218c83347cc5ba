// setuid and its kin in tasks: all kernel threads of the process have the new user when the call
// returns, whichever of them carries the task. Status 77 without the right to do so.
#include "check.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <oneapi/tbb.h>
#include <string>
#include <unistd.h>

namespace {

constexpr unsigned nobody = 65534;

// How many of the process's kernel threads have another effective user than `wanted`.
int others(unsigned wanted)
{
    int count = 0;
    int seen = 0;
    std::error_code gone;  // a thread that ends meanwhile
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", gone)) {
        std::ifstream status(thread.path() / "status");
        for (std::string word; status >> word;) {
            unsigned real = 0;
            unsigned effective = 0;
            if (word == "Uid:" && status >> real >> effective) {
                count += effective != wanted ? 1 : 0;
                ++seen;
            }
        }
    }
    CHECK(seen > 0);
    return count;
}

void change()
{
    static std::mutex one_at_a_time;
    const std::scoped_lock lock(one_at_a_time);
    CHECK(seteuid(nobody) == 0);
    CHECK(others(nobody) == 0);
    CHECK(seteuid(0) == 0);
    CHECK(others(0) == 0);
}

void check_enqueued()
{
    tbb::task_arena a(3);
    std::atomic<int> done{0};
    constexpr int tasks = 20;
    for (int i = 0; i < tasks; ++i) {
        a.enqueue([&] {
            change();
            ++done;
        });
    }
    wait_for([&] { return done == tasks; });
}

void check_spawned()
{
    tbb::parallel_for(0, 20, [](int) { change(); });
    change();
}

}  // namespace

int main(int words_count, char** words)
{
    if (geteuid() != 0 || seteuid(nobody) != 0 || seteuid(0) != 0) {
        return 77;
    }
    const named_check checks[] = {{"enqueued", check_enqueued}, {"spawned", check_spawned}};
    run_checks(checks, words_count, words);
    std::puts("good");
    return 0;
}
