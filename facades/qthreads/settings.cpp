// One table of the variables, with the range of each; a value outside of it gets a warning and
// counts as not set.
#include "settings.hpp"

#include "base/log.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>

namespace artel::qthreads {
namespace {

struct row {
    const char* name;
    unsigned long settings::* value;
    unsigned long most;
};

constexpr unsigned long most_threads = 4096;
constexpr unsigned long most_bytes = 1ul << 30;

constexpr row table[] = {
    {"NUM_SHEPHERDS", &settings::shepherds, most_threads},
    {"NUM_WORKERS_PER_SHEPHERD", &settings::workers_per_shepherd, most_threads},
    {"HWPAR", &settings::workers, most_threads},
    {"TASKLOCAL_SIZE", &settings::task_local_size, most_bytes},
    {"STACK_SIZE", &settings::stack_size, most_bytes},
    {"INFO", &settings::info, most_threads},
};

}  // namespace

settings read_settings()
{
    settings result;
    for (const row& r : table) {
        for (const char* prefix : {"QT_", "QTHREAD_"}) {
            const std::string name = std::string(prefix) + r.name;
            const char* const text = std::getenv(name.c_str());
            if (text == nullptr || *text == 0) {
                continue;
            }
            char* end = nullptr;
            errno = 0;
            const unsigned long number = std::strtoul(text, &end, 10);
            if (*end != 0 || errno != 0 || *text == '-' || number > r.most) {
                base::warn("{}={} is not a number from 0 to {}; ignored", name, text, r.most);
                continue;
            }
            result.*r.value = number;
            break;
        }
    }
    return result;
}

}  // namespace artel::qthreads
