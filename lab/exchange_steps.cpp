// See exchange_steps.hpp.
#include "lab/exchange_steps.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <functional>

namespace artel::lab {

void fill_with_fractions(double* elements, std::size_t count, std::uint64_t seed) noexcept
{
    random_sequence random(seed, 0);
    for (std::size_t i = 0; i < count; ++i)
        elements[i] = random.next_fraction();
}

double most_precise_sum(const double* elements, std::size_t count, std::vector<double>& scratch)
{
    scratch.assign(elements, elements + count);
    const auto smallest_first = std::greater<>();
    std::make_heap(scratch.begin(), scratch.end(), smallest_first);
    while (scratch.size() > 1) {
        std::pop_heap(scratch.begin(), scratch.end(), smallest_first);
        const double smallest = scratch.back();
        scratch.pop_back();
        std::pop_heap(scratch.begin(), scratch.end(), smallest_first);
        scratch.back() += smallest;
        std::push_heap(scratch.begin(), scratch.end(), smallest_first);
    }
    return scratch.front();
}

std::uint64_t checksum_of(const double* elements, std::size_t count) noexcept
{
    std::uint64_t sum = count + 1;
    for (std::size_t i = 0; i < count; ++i)
        sum = (sum ^ std::bit_cast<std::uint64_t>(elements[i])) * 0x100000001b3u;
    return mix(sum);
}

namespace {

struct simulated_task {
    exchange_sequence sequence;
    task_progress goal;
    std::uint64_t done = 0;
    std::vector<double> array{};
    bool waiting = false;  // has sent its array and not yet got one
    bool holds_array = true;
};

}  // namespace

std::vector<std::uint64_t> exchange_oracle(const std::vector<task_progress>& progress,
                                           unsigned width)
{
    std::vector<simulated_task> tasks;
    for (unsigned i = 0; i < progress.size(); ++i)
        tasks.push_back({exchange_sequence(i, width), progress[i]});
    // pipes[i]: from task i to the next.
    std::vector<std::deque<std::vector<double>>> pipes(tasks.size());
    std::vector<double> scratch;

    // Advances one task as far as possible; true if it made progress.
    const auto advance = [&](std::size_t i) {
        auto& task = tasks[i];
        auto& left = pipes[(i + tasks.size() - 1) % tasks.size()];
        bool moved = false;
        for (;;) {
            if (task.waiting) {
                if (left.empty())
                    return moved;
                task.array = std::move(left.front());
                left.pop_front();
                task.waiting = false;
                moved = true;
            }
            if (task.done == task.goal.steps)
                return moved;
            const auto step = task.sequence.next();
            ++task.done;
            moved = true;
            if (step.operation == exchange_step::grow) {
                task.array.resize(task.array.size() + step.amount);
                fill_with_fractions(task.array.data() + task.array.size() - step.amount,
                                    step.amount, step.seed);
            } else if (step.operation == exchange_step::shrink) {
                const auto count = std::min<std::size_t>(step.amount, task.array.size());
                if (count != 0) {
                    const double sum = most_precise_sum(task.array.data(), count, scratch);
                    task.array.erase(task.array.begin(),
                                     task.array.begin() + static_cast<std::ptrdiff_t>(count));
                    task.array.push_back(sum);
                }
            } else {
                pipes[i].push_back(std::move(task.array));
                task.array.clear();
                // the task received the stop instead of an array.
                if (task.done == task.goal.steps && !task.goal.holds_array) {
                    task.holds_array = false;
                    return moved;
                }
                task.waiting = true;
            }
        }
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < tasks.size(); ++i)
            moved = advance(i) || moved;
    }

    std::vector<std::uint64_t> result;
    for (const auto& task : tasks) {
        if (task.waiting || task.done != task.goal.steps ||
            task.holds_array != task.goal.holds_array)
            return {};
        result.push_back(task.holds_array ? checksum_of(task.array.data(), task.array.size()) : 0);
    }
    return result;
}

}  // namespace artel::lab
