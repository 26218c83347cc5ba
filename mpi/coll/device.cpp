// Asks cuPointerGetAttribute, found by name among the loaded libraries, for the kind of memory.
#include "coll/device.hpp"

#include <atomic>
#include <cstdint>
#include <dlfcn.h>

namespace artel::coll {
namespace {

// cuPointerGetAttribute of CUDA's stable driver interface: it returns 0 for success; attribute 2 is
// the type of memory, and type 1 is the host's.
using pointer_attribute = int (*)(void* data, int attribute, std::uint64_t pointer);
constexpr int memory_type = 2;
constexpr unsigned host_memory = 1;

// relaxed, all accesses: a function's address, set once; a thread that does not see it yet uses a
// communicator that was made before there was a device.
std::atomic<pointer_attribute> ask{nullptr};

}  // namespace

void look_for_devices() noexcept
{
    // relaxed: see above.
    if (ask.load(std::memory_order_relaxed) != nullptr) {
        return;
    }
    void* found = ::dlsym(RTLD_DEFAULT, "cuPointerGetAttribute");
    if (found == nullptr) {
        // Other code has loaded it for its own use. We never close it, because the process needs it
        // to its end anyway.
        if (void* const library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
            library != nullptr) {
            found = ::dlsym(library, "cuPointerGetAttribute");
        }
    }
    // relaxed: see above.
    ask.store(reinterpret_cast<pointer_attribute>(found), std::memory_order_relaxed);
}

bool on_device(const void* address) noexcept
{
    // relaxed: see above.
    const pointer_attribute question = ask.load(std::memory_order_relaxed);
    unsigned type = 0;
    // For memory that CUDA does not know the call returns an error.
    return question != nullptr && address != nullptr &&
           question(&type, memory_type, reinterpret_cast<std::uintptr_t>(address)) == 0 &&
           type != host_memory;
}

}  // namespace artel::coll
