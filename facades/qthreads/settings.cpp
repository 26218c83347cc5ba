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
};

constexpr row table[] = {
    {"NUM_SHEPHERDS", &settings::shepherds},
    {"NUM_WORKERS_PER_SHEPHERD", &settings::workers_per_shepherd},
    {"HWPAR", &settings::workers},
    {"TASKLOCAL_SIZE", &settings::task_local_size},
    {"STACK_SIZE", &settings::stack_size},
    {"INFO", &settings::info},
};

constexpr unsigned long most = 4096;  // of anything that is counted in threads

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
            if (*end != 0 || errno != 0 || *text == '-' ||
                (number > most && r.value != &settings::task_local_size &&
                 r.value != &settings::stack_size)) {
                base::warn("{}={} is not a number that can be used; ignored", name, text);
                continue;
            }
            result.*r.value = number;
            break;
        }
    }
    return result;
}

}  // namespace artel::qthreads
