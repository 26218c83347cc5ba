// Exchanges, the paper's workload 4: tasks in a ring grow, shrink and pass on arrays of doubles. A
// task that has executed its share of the steps sends a stop around the ring, so the run lasts as
// long as the first task needs.
//
// No exchange can block for ever: a task sends before it receives. So the task that has done the
// fewest exchanges finds its left neighbour's array in the pipe, or a stop, or its neighbour still
// runs and will send one.
//
// The check: at the end every array belongs to exactly one task or lies in exactly one pipe; each
// task has received what its neighbour sent; in full mode all arrays equal, bit for bit, what one
// thread computes for the same numbers of steps.
#include "lab/errors.hpp"
#include "lab/exchange_steps.hpp"
#include "lab/exchange_storage.hpp"
#include "lab/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace artel::lab {

namespace {

constexpr std::int64_t stop = -1;

// What a sender notes about the array that it passes on, for the receiver to compare. In shared
// memory, one for each array.
struct alignas(64) parting_note {
    std::uint64_t count = 0, ends = 0;
};

std::uint64_t ends_of(const double* elements, std::size_t count) noexcept
{
    if (count == 0)
        return 0;
    return mix(std::bit_cast<std::uint64_t>(elements[0])) ^
           mix(std::bit_cast<std::uint64_t>(elements[count / 2]) + 1) ^
           mix(std::bit_cast<std::uint64_t>(elements[count - 1]) + 2);
}

// The pipes between neighbours and, for processes, the files; closed by the destructor.
class ring_files {
public:
    ring_files(unsigned tasks, bool with_arrays, const std::string& tmpfs)
    {
        for (unsigned i = 0; i < tasks; ++i) {
            int ends[2];
            if (::pipe2(ends, O_CLOEXEC) != 0)
                refuse("pipe", i, tasks);
            readers_.push_back(ends[0]);
            writers_.push_back(ends[1]);
        }
        for (unsigned i = 0; with_arrays && i < tasks; ++i) {
            const int file = ::open(tmpfs.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
            if (file < 0)
                refuse(("file in " + tmpfs).c_str(), i, tasks);
            arrays_.push_back(file);
        }
    }
    ring_files(const ring_files&) = delete;
    ring_files& operator=(const ring_files&) = delete;
    ~ring_files() { close_all(); }

    const std::vector<int>& arrays() const noexcept { return arrays_; }
    int to_right(unsigned task) const noexcept { return writers_[task]; }
    int from_left(unsigned task) const noexcept
    {
        return readers_[(task + readers_.size() - 1) % readers_.size()];
    }

    // The numbers of arrays that no task received.
    std::vector<std::int64_t> drain()
    {
        std::vector<std::int64_t> result;
        for (const int reader : readers_) {
            ::fcntl(reader, F_SETFL, O_NONBLOCK);
            for (std::int64_t number = 0; ::read(reader, &number, sizeof number) == sizeof number;)
                if (number != stop)
                    result.push_back(number);
        }
        return result;
    }

private:
    [[noreturn]] void refuse(const char* what, unsigned i, unsigned tasks)
    {
        const int error = errno;
        close_all();
        throw refused(fmt::format("the system refused {} {} of {}: {}", what, i + 1, tasks,
                                  error_in_words(error)));
    }
    void close_all() noexcept
    {
        for (auto* files : {&readers_, &writers_, &arrays_})
            for (const int file : *files)
                ::close(file);
    }

    std::vector<int> readers_, writers_, arrays_;
};

class exchanges_workload : public workload {
public:
    exchanges_workload(const cell& c, const variant& how, task_records& records)
        : tasks_(c.tasks), width_(c.width), steps_(c.size / c.tasks), processes_(how.processes),
          full_check_(c.full_check), records_(records), files_(c.tasks, how.processes, c.tmpfs),
          table_(how.processes ? 0 : c.tasks), note_memory_(c.tasks * sizeof(parting_note)),
          notes_(static_cast<parting_note*>(note_memory_.data()))
    {
        std::signal(SIGPIPE, SIG_IGN);
    }

    void run(unsigned task) noexcept override
    {
        auto& record = records_[task];
        try {
            if (processes_) {
                file_storage storage(files_.arrays(), task);
                execute(task, record, storage);
            } else {
                vector_storage storage(table_, task);
                execute(task, record, storage);
            }
        } catch (const std::exception& error) {
            record.fail(fmt::format("step {} of {}: {}", record.steps, steps_, error.what()));
        }
        send(task, stop);  // also after a failure: the neighbours must not wait for ever
    }

    std::string check() override
    {
        std::vector<unsigned> holders(tasks_);
        std::uint64_t finished = 0;
        for (unsigned task = 0; task < tasks_; ++task) {
            finished += records_[task].steps == steps_ ? 1 : 0;
            if (records_[task].array >= 0)
                ++holders.at(static_cast<std::size_t>(records_[task].array));
        }
        for (const auto number : files_.drain())
            ++holders.at(static_cast<std::size_t>(number));
        for (unsigned number = 0; number < tasks_; ++number)
            if (holders[number] != 1)
                return fmt::format("array {} is in {} places", number, holders[number]);
        if (finished == 0)
            return "no task executed all its steps";
        return full_check_ ? compare_with_oracle() : std::string();
    }

    workload_facts facts() override
    {
        workload_facts result;
        result.steps = result.exchanges = 0;
        for (unsigned task = 0; task < tasks_; ++task) {
            result.steps += static_cast<std::int64_t>(records_[task].steps);
            result.exchanges += static_cast<std::int64_t>(records_[task].exchanges);
        }
        return result;
    }

private:
    void send(unsigned task, std::int64_t number) noexcept
    {
        // 8 bytes go through a pipe whole. There are at most tasks + 1 messages in one, which is
        // far from its capacity.
        while (::write(files_.to_right(task), &number, sizeof number) < 0 && errno == EINTR) {
        }
    }

    std::int64_t receive(unsigned task)
    {
        std::int64_t number = stop;
        ssize_t n;
        while ((n = ::read(files_.from_left(task), &number, sizeof number)) < 0 && errno == EINTR) {
        }
        return n == sizeof number ? number : stop;
    }

    template <class Storage>
    void execute(unsigned task, task_record& record, Storage& storage)
    {
        exchange_sequence sequence(task, width_);
        std::vector<double> scratch;
        for (std::uint64_t i = 0; i < steps_; ++i) {
            const auto step = sequence.next();
            records_.note(task, i, step.as_number());
            record.steps = i + 1;
            if (step.operation == exchange_step::grow) {
                fill_with_fractions(storage.append(step.amount), step.amount, step.seed);
            } else if (step.operation == exchange_step::shrink) {
                const auto count = std::min<std::size_t>(step.amount, storage.count());
                if (count != 0) {
                    const double sum = most_precise_sum(storage.elements(), count, scratch);
                    storage.drop_front(count);
                    *storage.append(1) = sum;
                }
            } else if (!swap(task, storage)) {
                return;
            } else {
                ++record.exchanges;
            }
        }
        record.array = storage.number();
        // The paper does not measure this; it costs both variants the same.
        record.checksum = full_check_ ? checksum_of(storage.elements(), storage.count()) : 0;
    }

    // False when a stop came.
    template <class Storage>
    bool swap(unsigned task, Storage& storage)
    {
        const auto mine = storage.number();
        auto& parting = notes_[mine];
        parting = {storage.count(), ends_of(storage.elements(), storage.count())};
        storage.hand_over();
        send(task, mine);
        const auto number = receive(task);
        if (number == stop)
            return false;
        storage.take(number);
        const auto& note = notes_[number];
        if (note.count != storage.count() ||
            note.ends != ends_of(storage.elements(), storage.count()))
            throw std::runtime_error(fmt::format(
                "wrong result: array {} is not what was sent: {} elements instead of {}", number,
                storage.count(), note.count));
        return true;
    }

    std::string compare_with_oracle()
    {
        std::vector<task_progress> progress;
        for (unsigned task = 0; task < tasks_; ++task)
            progress.push_back({records_[task].steps, records_[task].array >= 0});
        const auto expected = exchange_oracle(progress, width_);
        if (expected.empty())
            return "the numbers of steps executed are impossible";
        for (unsigned task = 0; task < tasks_; ++task)
            if (expected[task] != records_[task].checksum)
                return fmt::format("the array of task {} has checksum {:016x} instead of {:016x}",
                                   task, records_[task].checksum, expected[task]);
        return {};
    }

    unsigned tasks_, width_;
    std::uint64_t steps_;
    bool processes_, full_check_;
    task_records& records_;
    ring_files files_;
    std::vector<array_slot> table_;
    shared_memory note_memory_;
    parting_note* notes_;
};

}  // namespace

std::unique_ptr<workload> make_exchanges(const cell& c, const variant& how, task_records& records)
{
    require_steps(c);
    if (c.width == 0)
        throw refused("the width W of Exchanges must not be 0");
    return std::make_unique<exchanges_workload>(c, how, records);
}

}  // namespace artel::lab
