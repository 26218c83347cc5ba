// parallel_pipeline. A token is a task that passes the filters one after the other. At a busy
// serial filter the token is queued, and continues when its turn comes. The first filter makes
// tokens as long as fewer exist than allowed.
#include "arena.hpp"
#include "context.hpp"
#include "light_caller.hpp"
#include "pipeline_order.hpp"
#include "sched/guest_scope.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tbb::detail::r1 {
void spawn(d1::task& t, d1::task_group_context& c);
void execute_and_wait(d1::task& t, d1::task_group_context& c, d1::wait_context& until,
                      d1::task_group_context& waiting);
void notify_waiters(std::uintptr_t address);
void deallocate_memory(void* memory);
void* allocate(d1::small_object_pool*& pool, std::size_t size);
void* allocate(d1::small_object_pool*& pool, std::size_t size, const d1::execution_data& ed);
void deallocate(d1::small_object_pool& pool, void* memory, std::size_t size,
                const d1::execution_data& ed);
}  // namespace tbb::detail::r1

namespace artel::onetbb {
namespace {

using abi::d1::filter_node;

// Set by the first filter, in the thread that runs it, at the end of the input.
thread_local bool* input_ends = nullptr;

class pipeline {
public:
    pipeline(task_group_context& c, std::size_t most) : context(c), most_(most) {}
    ~pipeline()
    {
        for (std::size_t i = 0; i < filters.size(); ++i) {
            if (i < orders.size()) {  // else the pipeline could not be made
                orders[i].finalize_all(*filters[i]);
            }
            filters[i]->~base_filter();
            abi::r1::deallocate_memory(filters[i]);
        }
    }
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;

    void add(const filter_node& node)
    {
        if (node.left != nullptr && node.right != nullptr) {
            add(*node.left);
            add(*node.right);
        } else {
            filters.reserve(filters.size() + 1);  // nothing fails once the filter is made
            filters.push_back(node.create_filter());
            filters.back()->pipeline = this;
        }
    }

    // Whether the caller may make one more token; if not, the next token that ends makes it.
    bool begin_token()
    {
        const std::scoped_lock hold(lock_);
        if (ended_) {
            return false;
        }
        if (alive_ == most_) {
            input_waits_ = true;
            return false;
        }
        ++alive_;
        return true;
    }
    // Whether the caller has to make another token in its place.
    bool end_token()
    {
        const std::scoped_lock hold(lock_);
        if (input_waits_ && !ended_) {
            input_waits_ = false;
            return true;
        }
        --alive_;
        return false;
    }
    void end_input()
    {
        const std::scoped_lock hold(lock_);
        ended_ = true;
    }

    void spawn(const token& t, std::size_t at, bool entered, const abi::d1::execution_data& data);
    void one_task_less()
    {
        // acq_rel: pairs with done(), and publishes what the tasks did. A locked operation, so a
        // fence.
        if (wait.references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            abi::r1::notify_waiters(reinterpret_cast<std::uintptr_t>(&wait));
        }
    }

    task_group_context& context;
    std::vector<base_filter*> filters;
    std::vector<filter_order> orders;
    std::uint64_t next_number = 0;  // guarded by the first ordered filter's lock
    abi::d1::wait_context wait{1, 1};

private:
    const std::size_t most_;
    base::spinlock lock_;
    std::size_t alive_ = 1;
    bool input_waits_ = false;
    bool ended_ = false;
};

class stage final : public task {
public:
    // In memory of the calling thread's pool.
    static stage& make(pipeline& p)
    {
        abi::d1::small_object_pool* memory = nullptr;
        void* const place = abi::r1::allocate(memory, sizeof(stage));
        return *new (place) stage(*memory, p, {}, 0, false);
    }
    static stage& make(pipeline& p, const token& t, std::size_t at, bool entered,
                       const abi::d1::execution_data& data)
    {
        abi::d1::small_object_pool* memory = nullptr;
        void* const place = abi::r1::allocate(memory, sizeof(stage), data);
        return *new (place) stage(*memory, p, t, at, entered);
    }
    task* execute(abi::d1::execution_data& data) override
    {
        while (at_ != 0 || make_token(data)) {
            if (pass(data)) {
                break;
            }
        }
        finish(data);
        return nullptr;
    }
    task* cancel(abi::d1::execution_data& data) override
    {
        finalize(at_, token_.item);
        pipeline_.end_input();
        finish(data);
        return nullptr;
    }
    void finish(const abi::d1::execution_data& data)
    {
        pipeline& p = pipeline_;
        abi::d1::small_object_pool& memory = memory_;
        this->~stage();
        abi::r1::deallocate(memory, this, sizeof(stage), data);
        p.one_task_less();
    }

private:
    stage(abi::d1::small_object_pool& memory, pipeline& p, const token& t, std::size_t at,
          bool entered)
        : memory_(memory), pipeline_(p), token_(t), at_(at), entered_(entered)
    {
        traits = 0;
    }
    // Ends an item that was on its way to a filter.
    void finalize(std::size_t filter, void* item)
    {
        if (item != nullptr && filter < pipeline_.filters.size()) {
            pipeline_.filters[filter]->finalize(item);
        }
    }

    // Runs the first filter; false at the end of the input.
    bool make_token(abi::d1::execution_data& data)
    {
        base_filter& f = *pipeline_.filters[0];
        const bool serial = (f.mode & base_filter::serial) != 0;
        if (!serial && pipeline_.begin_token()) {
            pipeline_.spawn({}, 0, false, data);
        }
        bool ends = false;
        bool* const outer = std::exchange(input_ends, &ends);
        struct back {
            bool* outer;
            ~back() { input_ends = outer; }
        } const at_end{outer};
        token_ = {};
        void* const item = f(nullptr);
        if (ends || (item == nullptr && (f.mode & base_filter::may_emit_null) == 0) ||
            is_cancelled(*data.context)) {
            token_.item = nullptr;
            finalize(1, item);
            pipeline_.end_input();
            return false;
        }
        if (serial && (f.mode & base_filter::out_of_order) == 0) {
            token_.number = pipeline_.next_number++;  // only one thread at a time is here
        }
        at_ = 1;
        token_.item = item;
        if (serial && pipeline_.begin_token()) {
            pipeline_.spawn({}, 0, false, data);
        }
        return true;
    }

    // Runs the other filters. True when the task is over: the token is queued at a filter, or has
    // passed the last one.
    bool pass(abi::d1::execution_data& data)
    {
        for (; at_ < pipeline_.filters.size(); ++at_) {
            base_filter& f = *pipeline_.filters[at_];
            const bool serial = (f.mode & base_filter::serial) != 0;
            if (serial && !entered_ &&
                !pipeline_.orders[at_].enter(f, token_, pipeline_.next_number)) {
                token_.item = nullptr;
                return true;
            }
            entered_ = serial;
            if (is_cancelled(*data.context)) {
                finalize(at_, std::exchange(token_.item, nullptr));
                return true;
            }
            void* const item = f(token_.item);
            token_.item = item;
            entered_ = false;
            if (token another; serial && pipeline_.orders[at_].leave(f, another)) {
                try {
                    pipeline_.spawn(another, at_, true, data);
                } catch (...) {  // no memory
                    finalize(at_, another.item);
                    ++at_;  // where this token would continue
                    throw;
                }
            }
        }
        token_ = {};
        at_ = 0;
        return !pipeline_.end_token();
    }

    abi::d1::small_object_pool& memory_;
    pipeline& pipeline_;
    token token_;
    std::size_t at_;
    bool entered_;
};

void pipeline::spawn(const token& t, std::size_t at, bool entered,
                     const abi::d1::execution_data& data)
{
    stage& next = stage::make(*this, t, at, entered, data);  // before it is counted: it may throw
    // relaxed: the caller's task is counted.
    wait.references.fetch_add(1, std::memory_order_relaxed);
    static_cast<const execution&>(data).me->at->pool.leave_last_alone();
    try {
        abi::r1::spawn(next, context);
    } catch (...) {  // no memory: nobody will run it
        next.finish(data);
        throw;
    }
}

}  // namespace
}  // namespace artel::onetbb

namespace tbb::detail::r1 {

void parallel_pipeline(d1::task_group_context& c, std::size_t most, const d1::filter_node& chain)
{
    if (artel::onetbb::call_for_light_thread([&] { parallel_pipeline(c, most, chain); })) {
        return;
    }
    artel::onetbb::pipeline p(c, most != 0 ? most : 1);
    p.add(chain);
    p.orders = std::vector<artel::onetbb::filter_order>(p.filters.size());
    execute_and_wait(artel::onetbb::stage::make(p), c, p.wait, c);
}

void set_end_of_input(d1::base_filter&)
{
    if (artel::onetbb::input_ends != nullptr) {
        *artel::onetbb::input_ends = true;
    }
}

}  // namespace tbb::detail::r1
