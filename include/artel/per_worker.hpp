// per_worker<T>: a value for each worker, made when that worker first asks for it. For partial
// results, buffers and generators that many iterations share without a lock.
#pragma once

#include <algorithm>
#include <artel/workers.hpp>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace artel {

// Values lie on cache lines of their own, indexed by worker_index(), and stay where they are until
// clear() or the end. Costs memory for the workers that ask, and half a kibibyte.
template <class T>
    requires(std::is_object_v<T> && !std::is_array_v<T>)
class per_worker {
public:
    // Each value is T{}.
    per_worker()
        requires std::default_initializable<T>
        : per_worker(from_function, [] { return T{}; })
    {}

    // Each value is a copy of `first`.
    explicit per_worker(const T& first)
        requires std::copy_constructible<T>
        : per_worker(from_function, [first] { return first; })
    {}

    // Each value is the result of make(), called by the worker that first asks, possibly by several
    // at a time; must not switch. If it throws, local() throws, and the next call tries again.
    template <class Make>
        requires(std::is_invocable_r_v<T, const Make&> &&
                 (!std::convertible_to<Make, T> ||
                  std::same_as<std::invoke_result_t<const Make&>, T>))
    explicit per_worker(Make make) : per_worker(from_function, std::move(make))
    {}

    per_worker(const per_worker&) = delete;
    per_worker& operator=(const per_worker&) = delete;
    ~per_worker() { clear(); }

    // The value of the worker that executes the caller. No other caller uses it until this one may
    // switch: in a loop, parallel_invoke, a wait, yield. Call it again after such a point. About 2
    // ns. Throws what making the value throws, and std::length_error on an OS thread that shares
    // its index with others, which takes thousands of threads. Any thread, at any time except
    // during the functions below that exclude it.
    T& local()
    {
        bool existed = false;
        return local(existed);
    }

    // The same; `existed`: whether this worker had asked before.
    T& local(bool& existed)
    {
        const unsigned index = worker_index();
        // acquire: pairs with the release in make_chunk.
        chunk* c = chunks_[index / cells].load(std::memory_order_acquire);
        if (c == nullptr) [[unlikely]] {
            c = make_chunk(index);
        }
        cell& mine = c->all[index % cells];
        // relaxed: only the owner of this index writes it. The previous owner gave the index up by
        // a switch or at its end, and our getting it synchronises with that.
        existed = mine.made.load(std::memory_order_relaxed);
        if (!existed) [[unlikely]] {
            make_value(mine, index);
        }
        return *mine.value();
    }

    // The functions below may run only while no thread is in local(), and after waiting for what
    // others did with the values (the loop has returned). In the order of workers' indices.

    // f(value) for each value.
    template <class F>
    void for_each(F&& f)
    {
        visit([&](cell& c) { std::invoke(f, *c.value()); });
    }
    template <class F>
    void for_each(F&& f) const
    {
        visit([&](cell& c) { std::invoke(f, std::as_const(*c.value())); });
    }

    // The values combined from left to right: operation(operation(first, second), third) ...
    // Without values: one as local() would make it.
    template <class Operation = std::plus<>>
    T combine(Operation&& operation = {}) const
    {
        std::unique_ptr<T> result;
        visit([&](cell& c) {
            if (result == nullptr) {
                result = std::make_unique<T>(std::as_const(*c.value()));
            } else {
                *result = std::invoke(operation, std::move(*result), std::as_const(*c.value()));
            }
        });
        return result != nullptr ? std::move(*result) : make_();
    }

    // How many values there are.
    std::size_t size() const noexcept
    {
        std::size_t n = 0;
        visit([&](cell&) { ++n; });
        return n;
    }
    bool empty() const noexcept { return size() == 0; }

    // Destroys all values and frees their memory.
    void clear() noexcept
    {
        visit([](cell& c) {
            std::destroy_at(c.value());
            c.made.store(false, std::memory_order_relaxed);  // relaxed: nobody else is here
        });
        for (std::size_t i = 0; i < chunk_count_; ++i) {
            // relaxed: nobody else is here.
            delete chunks_[i].exchange(nullptr, std::memory_order_relaxed);
        }
    }

private:
    static constexpr std::size_t line = 64;

    struct alignas(std::max(line, alignof(T))) cell {
        std::atomic<bool> made{false};
        alignas(T) std::byte bytes[sizeof(T)];
        T* value() noexcept { return std::launder(reinterpret_cast<T*>(bytes)); }
    };

    // Cells of a chunk: several, so that the table of chunks is short, but no more than fill some
    // pages.
    static constexpr std::size_t cells = std::clamp<std::size_t>(16384 / sizeof(cell), 1, 64);
    struct chunk {
        cell all[cells];
    };

    struct from_function_tag {};
    static constexpr from_function_tag from_function{};

    template <class Make>
    per_worker(from_function_tag, Make make)
        : make_(std::move(make)), chunk_count_((worker_index_bound() + cells - 1) / cells),
          chunks_(new std::atomic<chunk*>[chunk_count_]())
    {}

    [[gnu::noinline, gnu::cold]] chunk* make_chunk(unsigned index)
    {
        auto made = std::make_unique<chunk>();
        chunk* present = nullptr;
        // acq_rel: publishes the empty cells. acquire on failure: pairs with the release of the
        // thread that was faster.
        if (chunks_[index / cells].compare_exchange_strong(
                present, made.get(), std::memory_order_acq_rel, std::memory_order_acquire)) {
            return made.release();
        }
        return present;
    }

    [[gnu::noinline, gnu::cold]] void make_value(cell& mine, unsigned index)
    {
        if (index + 1 == worker_index_bound()) {
            throw std::length_error("artel::per_worker: too many threads use the library at once");
        }
        ::new (static_cast<void*>(mine.bytes)) T(make_());
        mine.made.store(true, std::memory_order_relaxed);  // relaxed: as in local()
    }

    template <class F>
    void visit(F&& f) const
    {
        for (std::size_t i = 0; i < chunk_count_; ++i) {
            // acquire: pairs with make_chunk; the caller has synchronised with the contents of the
            // cells.
            if (chunk* const c = chunks_[i].load(std::memory_order_acquire); c != nullptr) {
                for (cell& each : c->all) {
                    if (each.made.load(std::memory_order_relaxed)) {  // relaxed: as above
                        f(each);
                    }
                }
            }
        }
    }

    std::function<T()> make_;
    std::size_t chunk_count_;
    std::unique_ptr<std::atomic<chunk*>[]> chunks_;
};

}  // namespace artel
