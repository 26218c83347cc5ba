// The functions in a separate unit.
#include "current.hpp"

#include "team.hpp"

namespace cp {

namespace {
__thread thread* now __attribute__((tls_model("initial-exec")));
}

__attribute__((noinline)) thread* current_if_any()
{
    return now;
}

__attribute__((noinline)) thread* current()
{
    return now != nullptr ? now : first_of_os_thread();
}

__attribute__((noinline)) void set_current(thread* t)
{
    now = t;
}

}  // namespace cp
