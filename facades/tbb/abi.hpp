// What programs that were compiled against oneTBB's headers (2021.8 to 2023.2) have inlined: the
// layouts of the classes that they share with the library, with the names that their symbols are
// made of. Facts of the binary interface; what the fields mean beyond that is decided here.
// All fields are open, because the library writes what the program's headers keep private.
#pragma once

#include "base/cpu.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>

namespace tbb::detail {

inline namespace d0 {
enum class exception_id {
    bad_alloc = 1,
    bad_last_alloc,
    user_abort,
    nonpositive_step,
    out_of_range,
    reservation_length_error,
    missing_wait,
    invalid_load_factor,
    invalid_key,
    bad_tagged_msg_cast,
    unsafe_wait,
    last_entry
};
enum string_resource_index : std::uintptr_t {};
enum itt_relation {};
}  // namespace d0

namespace r1 {
class arena;
class concurrent_monitor;
struct suspend_point_type;

class bad_last_alloc : public std::bad_alloc {
public:
    const char* what() const noexcept override;
};
class user_abort : public std::exception {
public:
    const char* what() const noexcept override;
};
class missing_wait : public std::exception {
public:
    const char* what() const noexcept override;
};
class unsafe_wait : public std::runtime_error {
public:
    explicit unsafe_wait(const char* text) : std::runtime_error(text) {}
    ~unsafe_wait() override;
};
// Called when an assertion of the headers fails: calls the program's handler, or else prints a line
// and aborts.
void assertion_failure(const char* location, int line, const char* expression, const char* comment);

}  // namespace r1

namespace d1 {

using slot_id = unsigned short;
inline constexpr slot_id no_slot = 0xffff;
inline constexpr slot_id any_slot = 0xfffe;

enum itt_domain_enum {};
class small_object_pool {};
class task_group_context;

class delegate_base {
public:
    virtual bool operator()() const = 0;
    virtual ~delegate_base() = default;
};

struct execution_data {
    task_group_context* context = nullptr;
    slot_id original_slot = no_slot;
    slot_id affinity_slot = no_slot;
};

// The last words are the library's.
class alignas(64) task {
public:
    virtual ~task() = default;
    virtual task* execute(execution_data&) = 0;
    virtual task* cancel(execution_data&) = 0;

    std::uint64_t traits;
    task_group_context* context;
    std::intptr_t isolation;
    void* unused_word;
    std::uint64_t slots;
    std::uint64_t unused[2];
};
static_assert(sizeof(task) == 64);

struct wait_context {
    std::uint64_t version_and_traits;
    std::atomic<std::uint64_t> references;

    // acquire: pairs with the releases of the tasks that have finished, in the program's code.
    bool done() const noexcept { return references.load(std::memory_order_acquire) == 0; }
};

class wait_tree_vertex_interface {
public:
    virtual void reserve(std::uint32_t delta) = 0;
    virtual void release(std::uint32_t delta) = 0;

protected:
    virtual ~wait_tree_vertex_interface() = default;
};

// The end is the library's; programs leave it as it is.
class task_group_context {
public:
    enum state : std::uint8_t { created, locked, isolated, bound, dead, proxy = 0xff };
    static constexpr std::uint8_t has_fp_settings = 1;
    static constexpr std::uint8_t is_bound = 4;

    std::uint64_t fp_settings;
    std::atomic<std::uint32_t> cancelled;
    std::uint8_t version;
    std::uint8_t traits;
    std::atomic<std::uint8_t> has_thrown;  // an exception has cancelled it; see keep_exception()
    std::atomic<std::uint8_t> life;
    task_group_context* parent;
    std::atomic<std::uint64_t> looked_at;
    std::uint64_t id;
    std::uint64_t parent_id;
    std::atomic<std::exception_ptr*> exception;
    void* itt_caller;
    std::uintptr_t name;
    // Values of the count of cancellations (context.hpp): after its own cancellation, and at its
    // last reset.
    std::atomic<std::uint64_t> cancelled_at;
    std::atomic<std::uint64_t> reset_at;
    char padding[40];
};
static_assert(artel::base::modelled ||
              (sizeof(task_group_context) == 128 && offsetof(task_group_context, life) == 15 &&
               offsetof(task_group_context, exception) == 48));

struct constraints {
    int numa_id;
    int max_concurrency;
    int core_type;
    int max_threads_per_core;
};

class task_arena_base {
public:
    static constexpr int automatic = -1;
    static constexpr std::intptr_t knows_core_types = 1;

    std::intptr_t version_and_traits;
    std::atomic<int> initialization;
    std::atomic<r1::arena*> in;
    int max_concurrency;
    unsigned reserved;
    int priority;
    int numa_id;
    int core_type;
    int max_threads_per_core;
};
static_assert(artel::base::modelled || sizeof(task_arena_base) == 48);

class task_scheduler_observer {
public:
    virtual void on_scheduler_entry(bool is_worker) = 0;
    virtual void on_scheduler_exit(bool is_worker) = 0;
    virtual ~task_scheduler_observer() = default;

    std::atomic<void*> proxy;
    std::atomic<std::intptr_t> busy;
    task_arena_base* arena;
};

class global_control {
public:
    enum parameter { max_allowed_parallelism, thread_stack_size, terminate_on_exception, handle };

    std::size_t value;
    std::intptr_t reserved;
    int kind;
};

class task_scheduler_handle {
public:
    global_control* control;
};

class base_filter {
public:
    static constexpr unsigned serial = 1;
    static constexpr unsigned out_of_order = 2;
    static constexpr unsigned may_emit_null = 4;

    virtual void* operator()(void* item) = 0;
    virtual ~base_filter() = default;
    virtual void finalize(void* item) = 0;

    base_filter* next;
    void* buffer;
    unsigned mode;
    void* pipeline;
};

class filter_node {
public:
    virtual base_filter* create_filter() const = 0;
    virtual ~filter_node() = default;

    std::atomic<std::intptr_t> references;
    filter_node* left;
    filter_node* right;
};

class alignas(128) rtm_mutex {
public:
    class scoped_lock {
    public:
        rtm_mutex* mutex;
        int state;  // 0: not held, 1: in a transaction, 2: held
    };
    std::atomic<bool> locked;
};

class alignas(128) rtm_rw_mutex {
public:
    class scoped_lock {
    public:
        rtm_rw_mutex* mutex;
        int state;
    };
    std::atomic<std::intptr_t> word;
    alignas(64) std::atomic<bool> write_flag;
};

class queuing_rw_mutex {
public:
    class scoped_lock {
    public:
        queuing_rw_mutex* mutex;
        std::atomic<std::uintptr_t> before;
        std::atomic<std::uintptr_t> after;
        std::atomic<unsigned char> state;
        std::atomic<unsigned char> going;
        std::atomic<unsigned char> internal;
    };
    std::atomic<std::uint64_t> line;
};

}  // namespace d1

}  // namespace tbb::detail

namespace artel::onetbb {
namespace abi = ::tbb::detail;
}
