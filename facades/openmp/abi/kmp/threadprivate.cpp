// threadprivate variables of compilers that do not use thread-local storage for them. The initial
// thread uses the original; every other thread (OS threads of the program, personas) gets a copy
// when it first asks: made by the registered constructor, or from the original's value when any
// thread first asked. Compilers may read the cache themselves, by global number; it has room for
// every number.
#include "base/log.hpp"
#include "fiber/call_out.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/thread_end_key.hpp"
#include "kmp.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace artel::openmp::kmp {
namespace {

using constructor = void* (*)(void*);
using copier = void* (*)(void*, void*);
using destructor = void (*)(void*);
using array_constructor = void* (*)(void*, std::size_t);
using array_copier = void* (*)(void*, void*, std::size_t);
using array_destructor = void (*)(void*, std::size_t);

struct variable {
    constructor construct = nullptr;
    copier copy = nullptr;
    destructor destroy = nullptr;
    array_constructor construct_array = nullptr;
    array_copier copy_array = nullptr;
    array_destructor destroy_array = nullptr;
    std::size_t elements = 0;
    std::unique_ptr<char[]> first_value;
};

// never held while the program's code runs.
foreign::fork_safe_lock variables_lock;
std::unordered_map<void*, variable>* variables = nullptr;  // guarded by the lock

[[noreturn]] void out_of_memory() noexcept
{
    base::fatal("libgomp: Out of memory allocating threadprivate variables");
}

// libomp's structure private_common of a copy, which programs get from kmp_threadprivate_insert.
struct entry {
    entry* next;  // never set: there is no list to walk
    entry* link;
    void* original;
    void* copy;
    std::size_t bytes;
};

// The copies of one thread.
struct own_copies {
    std::unordered_map<void*, void*> of;
    // of copies that the program has asked for in this way
    std::unordered_map<void*, entry> entries;
    // of the initial thread: the variables whose first value it has noted
    std::unordered_set<void*> noted;

    own_copies() = default;
    own_copies(const own_copies&) = delete;
    own_copies& operator=(const own_copies&) = delete;
    ~own_copies()
    {
        // Destructors may use further variables, which gives them copies, and those that have been
        // destroyed.
        std::unordered_map<void*, void*> ended;
        while (ended.size() != of.size()) {
            std::vector<std::pair<void*, void*>> next;
            for (const auto& each : of) {
                if (ended.insert(each).second) {
                    next.emplace_back(each);
                }
            }
            for (const auto& [original, copy] : next) {
                destroy(original, copy);
            }
        }
        for (const auto& [original, copy] : ended) {
            std::free(copy);
        }
    }

private:
    static void destroy(void* original, void* copy)
    {
        destructor destroy = nullptr;
        array_destructor destroy_array = nullptr;
        std::size_t elements = 0;
        {
            const fiber::call_out_lock hold(variables_lock);
            const variable& v = foreign::made(variables)[original];
            destroy = v.destroy;
            destroy_array = v.destroy_array;
            elements = v.elements;
        }
        if (destroy_array != nullptr) {
            destroy_array(copy, elements);
        } else if (destroy != nullptr) {
            destroy(copy);
        }
    }
};

// The initial thread, if it loaded us. Its global number does not identify it: a persona that it
// carries has the same.
pthread_t initial_thread;
bool initial_thread_known = false;

[[gnu::constructor]] void note_initial_thread() noexcept
{
    initial_thread = ::pthread_self();
    initial_thread_known = ::getpid() == ::gettid();
}

bool is_initial_thread() noexcept
{
    return initial_thread_known && ::pthread_equal(::pthread_self(), initial_thread) != 0;
}

// `first`: the initial value of copies, unless one is known already.
void* make_copy(void* original, const void* first, std::size_t bytes)
{
    void* const copy = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (copy == nullptr) {
        out_of_memory();
    }
    constructor construct = nullptr;
    copier copy_one = nullptr;
    array_constructor construct_array = nullptr;
    array_copier copy_array = nullptr;
    std::size_t elements = 0;
    {
        const fiber::call_out_lock hold(variables_lock);
        variable& v = foreign::made(variables)[original];
        construct = v.construct;
        copy_one = v.copy;
        construct_array = v.construct_array;
        copy_array = v.copy_array;
        elements = v.elements;
        if (v.first_value == nullptr) {
            v.first_value = std::make_unique<char[]>(bytes);
            std::memcpy(v.first_value.get(), first, bytes);
        }
        std::memcpy(copy, v.first_value.get(), bytes);
    }
    if (construct_array != nullptr) {
        construct_array(copy, elements);
    } else if (copy_array != nullptr) {
        copy_array(copy, original, elements);
    } else if (construct != nullptr) {
        construct(copy);
    } else if (copy_one != nullptr) {
        copy_one(copy, original);
    }
    return copy;
}

void note_first_value(void* original, const void* first, std::size_t bytes)
{
    const fiber::call_out_lock hold(variables_lock);
    variable& v = foreign::made(variables)[original];
    if (v.first_value == nullptr) {
        v.first_value = std::make_unique<char[]>(bytes);
        std::memcpy(v.first_value.get(), first, bytes);
    }
}

[[gnu::tls_model("initial-exec")]] constinit thread_local own_copies* own = nullptr;

void delete_copies(void* mine) noexcept
{
    delete static_cast<own_copies*>(mine);
    own = nullptr;
}

constinit foreign::thread_end_key copies_made(delete_copies);
// Destructors of the copies may use keys of the program.
[[maybe_unused]] const bool made_when_loaded = copies_made.make();

// The calling thread's. Throws std::bad_alloc.
own_copies& copies()
{
    if (own == nullptr) {
        own = new own_copies;
        copies_made.set(own);  // without a key they outlive the thread
    }
    return *own;
}

void* copy_of(void* original, const void* first, std::size_t bytes)
{
    try {
        own_copies& mine = copies();
        const auto [at, fresh] = mine.of.try_emplace(original, original);
        if (fresh) {
            if (is_initial_thread()) {
                mine.of.erase(at);
                if (mine.noted.insert(original).second) {
                    note_first_value(original, first, bytes);
                }
                return original;
            }
            at->second = make_copy(original, first, bytes);
        }
        return at->second;
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
}

// One cache per variable, for all threads.
constexpr std::size_t cache_entries = 0x10000;

}  // namespace

ARTEL_KMP void* __kmpc_threadprivate(const ident*, std::int32_t, void* original, std::size_t bytes)
{
    return copy_of(original, original, bytes);
}

ARTEL_KMP void* __kmpc_threadprivate_cached(const ident*, std::int32_t, void* original,
                                            std::size_t bytes, void*** cache)
{
    const auto number = static_cast<std::size_t>(global_number());
    // acquire: pairs with the release below, so the entries are seen as zero.
    void** entries = __atomic_load_n(cache, __ATOMIC_ACQUIRE);
    if (entries == nullptr) {
        auto** const made = static_cast<void**>(std::calloc(cache_entries, sizeof(void*)));
        if (made == nullptr) {
            out_of_memory();
        }
        // acq_rel: all threads use the first one's cache.
        if (__atomic_compare_exchange_n(cache, &entries, made, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE)) {
            entries = made;
        } else {
            std::free(made);
        }
    }
    void* const copy = copy_of(original, original, bytes);
    if (number < cache_entries) {
        entries[number] = copy;
    }
    return copy;
}

// Sets the initial value of copies made from now on to the bytes at `first`, unless one is known
// already.
ARTEL_KMP void kmp_threadprivate_insert_private_data(int, void* original, void* first,
                                                     std::size_t bytes)
{
    try {
        note_first_value(original, first, bytes);
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
}

// The calling thread's copy, made if necessary. The entry lives as long as the thread.
ARTEL_KMP void* kmp_threadprivate_insert(int, void* original, void* first, std::size_t bytes)
{
    void* const copy = copy_of(original, first, bytes);
    try {
        return &copies()
                    .entries.try_emplace(original, entry{nullptr, nullptr, original, copy, bytes})
                    .first->second;
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
}

ARTEL_KMP void __kmpc_threadprivate_register(const ident*, void* original, constructor construct,
                                             copier copy, destructor destroy)
{
    const fiber::call_out_lock hold(variables_lock);
    variable& v = foreign::made(variables)[original];
    v.construct = construct;
    v.copy = copy;
    v.destroy = destroy;
}

ARTEL_KMP void __kmpc_threadprivate_register_vec(const ident*, void* original,
                                                 array_constructor construct, array_copier copy,
                                                 array_destructor destroy, std::size_t elements)
{
    const fiber::call_out_lock hold(variables_lock);
    variable& v = foreign::made(variables)[original];
    v.construct_array = construct;
    v.copy_array = copy;
    v.destroy_array = destroy;
    v.elements = elements;
}

}  // namespace artel::openmp::kmp
