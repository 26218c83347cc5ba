// What an OpenBLAS is told is decided by whom the call comes from: the shared object that contains
// the return address, which is an OpenBLAS if it has a variable for the number of its threads.
#include "blas.hpp"

#include "base/options.hpp"
#include "foreign/loaded_object.hpp"
#include "linking/messages.hpp"
#include "sched/crew.hpp"
#include "turns.hpp"

#include <algorithm>

// Starts a region of `jobs` jobs. Its type is OpenBLAS's.
extern "C" int exec_blas(long jobs, void* queue);

namespace artel::openmp {

constinit body_finder find_body = nullptr;

constinit std::atomic<blas_answers> answers_to_blas{blas_answers::unread};

namespace {

const void* body_of(region_function function, const void* data) noexcept
{
    return find_body != nullptr ? find_body(function, data)
                                : reinterpret_cast<const void*>(function);
}

using exec_function = int(long jobs, void* queue);

constinit turns turn;

// The number of threads of the OpenBLAS that contains `address`, one variable for the process;
// nullptr: no OpenBLAS contains it.
const std::atomic<int>* threads_of_blas(const void* address) noexcept
{
    const auto object = foreign::loaded_object::containing(address);
    return object ? static_cast<const std::atomic<int>*>(object->exported("blas_cpu_number"))
                  : nullptr;
}

bool gangs_are_wanted() noexcept
{
    // relaxed, both: every reader of the option stores the same value.
    blas_answers answers = answers_to_blas.load(std::memory_order_relaxed);
    if (answers == blas_answers::unread) {
        answers = base::options().blas_gangs ? blas_answers::gangs : blas_answers::truth;
        answers_to_blas.store(answers, std::memory_order_relaxed);
    }
    return answers == blas_answers::gangs;
}

// An estimate of the workers that are idle besides the caller's. Workers about to sleep count, and
// so do members of a top-level team that wait at its end or at a barrier, where they may still
// spin: as long as each member has a worker, and there are no tasks, their workers do nothing else.
unsigned others_free(const member& m, const sched::crew& crew) noexcept
{
    const team& t = *m.in;
    // relaxed (three): estimates.
    const unsigned found = crew.free().idle.load(std::memory_order_relaxed) +
                           crew.free().searching.load(std::memory_order_relaxed);
    const bool by_itself = t.hot && t.parent->parent == nullptr && t.size <= crew.width() &&
                           !t.tasking.used.load(std::memory_order_relaxed);
    return by_itself ? std::max(found, t.barrier.arrived() + t.ending.arrived()) : found;
}

// The number of threads promised to an OpenBLAS that has `threads`; 0: only the caller.
unsigned gang_for(const member& m, int threads) noexcept
{
    const sched::crew& crew = sched::crew::get();
    const auto size = static_cast<unsigned>(std::max(threads, 0));
    // Members of its own region find the turn held. A caller that asks a moment too early waits in
    // exec_blas.
    const bool room = size > 1 && size <= crew.width() &&
                      m.current->icvs.largest_team() == no_thread_limit && !turn.taken() &&
                      !crew.crowded() && crew.tasks_are_wanted() &&
                      others_free(m, crew) >= size - 1;
    return room ? size : 0;
}

}  // namespace

bool in_parallel_for(const member& m, const void* caller) noexcept
{
    const bool truth = m.in->active_level > 0;
    // relaxed: as in everybody_gets_the_truth.
    if (answers_to_blas.load(std::memory_order_relaxed) == blas_answers::serial) {
        return truth || threads_of_blas(caller) != nullptr;
    }
    return truth && (!gangs_are_wanted() || m.gang == 0 || threads_of_blas(caller) == nullptr);
}

unsigned max_threads_for(member& m, unsigned truth, const void* caller) noexcept
{
    // relaxed (three): as in everybody_gets_the_truth; the third is only a number.
    const bool inside = m.in->active_level > 0;
    if (inside ? !gangs_are_wanted()
               : answers_to_blas.load(std::memory_order_relaxed) != blas_answers::gangs) {
        return truth;
    }
    const std::atomic<int>* const threads = threads_of_blas(caller);
    if (threads == nullptr) {
        return truth;
    }
    const int known = threads->load(std::memory_order_relaxed);
    if (inside) {
        m.gang = gang_for(m, known);
        return m.gang != 0 ? m.gang : truth;
    }
    if (static_cast<int>(truth) != known) {
        // OpenBLAS is about to change its number of threads, which frees buffers that a gang may be
        // using.
        turn.take();
        turn.give_back();
    }
    return truth;
}

unsigned size_for_gang(member& master, region_function function, const void* data,
                       unsigned requested, unsigned otherwise) noexcept
{
    if (threads_of_blas(body_of(function, data)) == nullptr) {
        master.gang = 0;
        return otherwise;
    }
    if (!turn.taken()) {  // the caller itself would hold it
        // This OpenBLAS does not call our exec_blas, so other callers would spin.
        answers_to_blas.store(blas_answers::truth, std::memory_order_relaxed);  // relaxed: as above
    }
    return requested != 0 ? requested : master.gang;
}

void reset_blas_after_fork() noexcept
{
    if (turn.reset()) {
        // relaxed: the child has one thread.
        answers_to_blas.store(blas_answers::serial, std::memory_order_relaxed);
    }
}

namespace {

int find_other(dl_phdr_info* info, std::size_t, void* found) noexcept
{
    auto*& other = *static_cast<exec_function**>(found);
    auto* const its = reinterpret_cast<exec_function*>(
        foreign::loaded_object(*info).exported("exec_blas"));
    other = its != &exec_blas ? its : nullptr;
    return other != nullptr ? 1 : 0;
}

// The exec_blas of the calling OpenBLAS. If another function of OpenBLAS has tail-called ours, the
// return address belongs to that function's caller; then the first OpenBLAS that is loaded is
// taken.
exec_function& exec_blas_of(const void* caller) noexcept
{
    const auto object = foreign::loaded_object::containing(caller);
    auto* its_own = object ? reinterpret_cast<exec_function*>(object->exported("exec_blas"))
                           : nullptr;
    if (its_own == nullptr) {
        foreign::visit_loaded_objects(find_other, &its_own);
    }
    if (its_own == nullptr) {
        give_up("exec_blas is called, but no OpenBLAS is loaded");
    }
    return *its_own;
}

// Whether that OpenBLAS is built for OpenMP, and not for threads of its own, whose regions may
// overlap.
bool is_for_openmp(exec_function& of) noexcept
{
    // relaxed, both: a cache. If another library comes to lie at the same address, its calls take
    // turns for no reason.
    static constinit std::atomic<exec_function*> known{nullptr};
    if (known.load(std::memory_order_relaxed) == &of) {
        return true;
    }
    const auto blas = foreign::loaded_object::containing(reinterpret_cast<const void*>(&of));
    const bool is = blas &&
                    (blas->needs("libgomp") || blas->needs("libomp") || blas->needs("libiomp5"));
    if (is) {
        known.store(&of, std::memory_order_relaxed);
    }
    return is;
}

}  // namespace
}  // namespace artel::openmp

extern "C" int exec_blas(long jobs, void* queue)
{
    using namespace artel::openmp;
    exec_function& its_own = exec_blas_of(__builtin_return_address(0));
    if (!is_for_openmp(its_own)) {
        return its_own(jobs, queue);
    }
    member& m = this_member();
    turn.take();
    if (m.gang != 0) {
        // OpenBLAS has changed its number of threads since the promise.
        m.gang = std::max(m.gang, static_cast<unsigned>(jobs));
    }
    const int result = its_own(jobs, queue);
    turn.give_back();
    return result;
}
