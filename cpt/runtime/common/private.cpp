// threadprivate variables. The program's first thread uses the variables themselves. Every other
// thread has a copy, with the value that the variable had when its program or library was loaded.
#include "private.hpp"

#include "interface.hpp"
#include "team.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace cp {

namespace {

struct variable {
    unsigned long number = 0, alignment = 0;
    std::vector<char> image;
};

std::mutex& lock()
{
    static std::mutex m;
    return m;
}

// The variables by address, because each unit that names a variable has a record of its own.
std::unordered_map<void*, variable>& variables()
{
    static std::unordered_map<void*, variable> all;
    return all;
}

}  // namespace

void lock_private_variables()
{
    lock().lock();
}
void unlock_private_variables()
{
    lock().unlock();
}

private_table::~private_table()
{
    for (void* const copy : copies) {
        std::free(copy);
    }
}

}  // namespace cp

using namespace cp;

extern "C" {

void __cp_private_register(struct __cp_private_variable* v)
{
    const std::lock_guard guard(lock());
    auto& all = variables();
    const auto [found, is_new] = all.try_emplace(v->original);
    if (is_new) {
        const char* const bytes = static_cast<const char*>(v->original);
        found->second = {all.size(), v->alignment, std::vector<char>(bytes, bytes + v->bytes)};
    }
    // release: publishes the entry of this number to __cp_private.
    __atomic_store_n(&v->number, found->second.number, __ATOMIC_RELEASE);
}

void* __cp_private(struct __cp_private_variable* v)
{
    thread& me = *current();
    if (me.initial) {
        return v->original;
    }
    // acquire: pairs with __cp_private_register.
    if (__atomic_load_n(&v->number, __ATOMIC_ACQUIRE) == 0) {
        __cp_private_register(v);
    }
    if (me.privates == nullptr) {
        me.privates = new private_table;
    }
    auto& copies = me.privates->copies;
    const unsigned long at = __atomic_load_n(&v->number, __ATOMIC_ACQUIRE) - 1;  // acquire: as
                                                                                 // above
    if (copies.size() <= at) {
        copies.resize(at + 1);
    }
    if (copies[at] == nullptr) {
        const std::lock_guard guard(lock());
        const variable& from = variables().at(v->original);
        void* copy = nullptr;
        if (posix_memalign(&copy, std::max(from.alignment, 64ul), from.image.size()) != 0) {
            fail("no memory for threadprivate variables");
        }
        std::memcpy(copy, from.image.data(), from.image.size());
        copies[at] = copy;
    }
    return copies[at];
}

}  // extern "C"
