// OMP_DISPLAY_ENV, and KMP_VERSION and KMP_SETTINGS of programs made for libomp: print the settings
// in force to stderr before the program begins.
#include "env_text.hpp"
#include "icv.hpp"
#include "linking/messages.hpp"
#include "settings/kmp/display.hpp"
#include "variable.hpp"

#include <atomic>
#include <exception>

namespace artel::openmp {
namespace {

void display_as_asked()
{
    const variable v("OMP_DISPLAY_ENV");
    if (globals().kmp.version) {
        display_kmp_version();
    }
    if (globals().kmp.display) {
        display_kmp_settings();
    }
    if (!v) {
        return;
    }
    static constexpr const char* words[] = {"verbose"};
    if (parse_word(v.text(), words, 1)) {
        display_environment(true);
    } else if (const auto on = v.boolean(); on && *on) {
        display_environment(false);
    }
}

}  // namespace

void display_environment_if_asked() noexcept
{
    globals();  // the warnings first
    static std::atomic<bool> done{false};
    // relaxed: it does not matter which thread is first.
    if (done.exchange(true, std::memory_order_relaxed)) {
        return;
    }
    try {
        display_as_asked();
    } catch (const std::exception&) {
        complain("Out of memory while trying to parse environment variables");
    }
}

}  // namespace artel::openmp
