// Exceptions of the interface, failed assertions of the program's headers, and the version.
#include "abi.hpp"
#include "base/log.hpp"
#include "control.hpp"

#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace tbb::detail::r1 {

const char* bad_last_alloc::what() const noexcept
{
    return "an allocation by another thread has failed";
}
const char* user_abort::what() const noexcept
{
    return "the operation was aborted by the program";
}
const char* missing_wait::what() const noexcept
{
    return "a task group was destroyed with tasks that nobody waited for";
}
unsafe_wait::~unsafe_wait() = default;

void throw_exception(d0::exception_id id)
{
    if (artel::onetbb::terminates_on_exception()) {
        std::terminate();
    }
    switch (id) {
    case d0::exception_id::bad_alloc: throw std::bad_alloc();
    case d0::exception_id::bad_last_alloc: throw bad_last_alloc();
    case d0::exception_id::user_abort: throw user_abort();
    case d0::exception_id::nonpositive_step:
        throw std::invalid_argument("the step of a loop must be positive");
    case d0::exception_id::out_of_range: throw std::out_of_range("index out of range");
    case d0::exception_id::reservation_length_error:
        throw std::length_error("a container cannot be that large");
    case d0::exception_id::missing_wait: throw missing_wait();
    case d0::exception_id::invalid_load_factor:
        throw std::out_of_range("the load factor of a hash table is out of range");
    case d0::exception_id::invalid_key: throw std::out_of_range("there is no such key");
    case d0::exception_id::bad_tagged_msg_cast: throw std::runtime_error("Illegal tagged_msg cast");
    case d0::exception_id::unsafe_wait: throw unsafe_wait("the scheduler cannot be waited for");
    default: break;
    }
}

using assertion_handler = void (*)(const char*, int, const char*, const char*);

namespace {
// acquire and release: publish what the handler uses.
std::atomic<assertion_handler> handler{nullptr};
}  // namespace

assertion_handler set_assertion_handler(assertion_handler h) noexcept
{
    // acq_rel: see the declaration.
    return handler.exchange(h, std::memory_order_acq_rel);
}

assertion_handler get_assertion_handler() noexcept
{
    return handler.load(std::memory_order_acquire);  // acquire: see the declaration
}

void assertion_failure(const char* location, int line, const char* expression, const char* comment)
{
    if (const assertion_handler h = get_assertion_handler(); h != nullptr) {
        h(location, line, expression, comment);
        return;
    }
    artel::base::warn("Assertion {} failed (located in the {} function, line in file: {}){}{}",
                      expression, location, line,
                      comment != nullptr ? "\nDetailed description: " : "",
                      comment != nullptr ? comment : "");
    std::abort();
}

}  // namespace tbb::detail::r1

extern "C" {

// The version whose names are the newest that are here.
const char* TBB_runtime_version()
{
    return "2023.2.0";
}
int TBB_runtime_interface_version()
{
    return 12200;
}
}
