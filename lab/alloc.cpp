// Alloc, the paper's workload 1: each task builds, walks and takes apart a ring of blocks from
// malloc. Tasks share nothing but the allocator and the address space, whose costs are measured.
//
// One step, drawn from the task's sequence: with probability 3/8 a block of 64 * 2^i bytes (i =
// 1..7) enters the ring before its beginning; with 3/8 the beginning moves on by 2^i links, each
// block on the way being written to; with 2/8 the block 2^i links from the beginning leaves the
// ring and is freed, and its successor becomes the beginning.
#include "lab/alloc_ring.hpp"
#include "lab/random.hpp"
#include "lab/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <unistd.h>

namespace artel::lab {

namespace {

std::uint64_t now_ns() noexcept
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u +
           static_cast<std::uint64_t>(time.tv_nsec);
}

// malloc and free; the duration of every 64th call is measured, less the cost of reading the clock.
class sampled_malloc {
public:
    sampled_malloc() noexcept
    {
        const auto begin = now_ns();
        for (int i = 0; i < 15; ++i)
            now_ns();
        clock_ns_ = (now_ns() - begin) / 16;
    }
    void* allocate(std::size_t bytes) noexcept
    {
        if (++calls_ % period != 0)
            return std::malloc(bytes);
        const auto begin = now_ns();
        void* const result = std::malloc(bytes);
        add_sample(begin);
        return result;
    }
    void release(void* block) noexcept
    {
        if (++calls_ % period != 0)
            return std::free(block);
        const auto begin = now_ns();
        std::free(block);
        add_sample(begin);
    }
    std::uint64_t estimated_ns() const noexcept { return sampled_ns_ * period; }

private:
    static constexpr std::uint64_t period = 64;

    void add_sample(std::uint64_t begin) noexcept
    {
        const auto ns = now_ns() - begin;
        sampled_ns_ += ns > clock_ns_ ? ns - clock_ns_ : 0;
    }

    std::uint64_t calls_ = 0, sampled_ns_ = 0, clock_ns_ = 0;
};

class alloc_workload : public workload {
public:
    alloc_workload(const cell& c, task_records& records)
        : tasks_(c.tasks), steps_(c.size / c.tasks), full_check_(c.full_check), records_(records)
    {
        require_steps(c);
        require_memory(c);
    }

    void run(unsigned task) noexcept override
    {
        auto& record = records_[task];
        sampled_malloc heap;
        alloc_ring ring;
        std::uint64_t done = 0;
        const bool complete = for_each_alloc_step(task, steps_,
                                                  [&](std::uint64_t step, const alloc_step& it) {
                                                      records_.note(task, step, it.as_number());
                                                      done = step + 1;
                                                      return ring.execute(it, heap);
                                                  });
        if (!complete)
            record.fail(
                fmt::format("malloc at step {} of {}: out of memory (ulimit -v, or the machine's)",
                            done, steps_));
        record.checksum = ring.checksum();
        record.steps = done;
        // Inside the measured time: a process frees its memory at its end, before it is awaited, so
        // threads have to free theirs as well.
        ring.clear(heap);
        record.library_ns = heap.estimated_ns();
    }

    std::string check() override
    {
        for (unsigned task = 0; task < tasks_; ++task)
            if (records_[task].steps != steps_)
                return fmt::format("task {} executed {} steps of {}", task, records_[task].steps,
                                   steps_);
        // The oracle is as slow as the measurement. Without a full check it checks the last task
        // only; the others are compared with a cell that was checked in full (cross_check.hpp).
        for (unsigned task = full_check_ ? 0 : tasks_ - 1; task < tasks_; ++task)
            if (const auto expected = alloc_oracle(task, steps_);
                expected != records_[task].checksum)
                return fmt::format("task {} has checksum {:016x} instead of {:016x}", task,
                                   records_[task].checksum, expected);
        return {};
    }

    workload_facts facts() override
    {
        std::uint64_t library = 0, sum = 0;
        for (unsigned task = 0; task < tasks_; ++task) {
            library += records_[task].library_ns;
            sum ^= mix(records_[task].checksum + task);
        }
        workload_facts result;
        result.malloc_seconds = static_cast<double>(library) * 1e-9;
        result.checksum = fmt::format("{:016x}", sum);
        return result;
    }

private:
    // An eighth of the steps leave a block of 2.3 KiB on average in the ring. With less memory than
    // that the machine would swap or kill processes, so the cell is refused.
    static void require_memory(const cell& c)
    {
        const double needed = static_cast<double>(c.size) / 8 * 64 * 254 / 7;
        const double available = static_cast<double>(::sysconf(_SC_AVPHYS_PAGES)) *
                                 static_cast<double>(::sysconf(_SC_PAGESIZE));
        const double total = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                             static_cast<double>(::sysconf(_SC_PAGESIZE));
        if (needed > std::max(available, total * 0.7))
            throw refused(fmt::format(
                "needs about {:.1f} GiB of memory, more than this machine can give; choose a "
                "smaller K",
                needed / (1 << 30)));
    }

    unsigned tasks_;
    std::uint64_t steps_;
    bool full_check_;
    task_records& records_;
};

}  // namespace

std::unique_ptr<workload> make_alloc(const cell& c, const variant&, task_records& records)
{
    return std::make_unique<alloc_workload>(c, records);
}

}  // namespace artel::lab
