// Constructs of OpenMP, oneTBB, Argobots, Qthreads, Artel's own interface and the C++ library,
// nested at random in one process. A seed names a tree of calls. Each call checks that all its
// children ran once, and that what they give adds up; members of OpenMP teams and tasks of oneTBB
// check that they stay the same thread. MIXTURE_TRACE=1 tells which calls begin and end: those that
// have not ended show where a run hangs.
//
// A wait is inside the arena of what it waits for, or in none: a task that waits in another arena
// for what it has enqueued in its own, whose last slot it holds, waits for ever with any library.
#include <abt.h>
#include <omp.h>
#include <pthread.h>
#include <qthread/qthread.h>
#include <qthread/sinc.h>
#include <tbb/tbb.h>

#include <artel/artel.hpp>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using number = std::uint64_t;

// One more word of a seed's sequence: splitmix64.
number scramble(number x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

constexpr int deepest = 4;

enum construct {
    omp_region,
    omp_for,
    omp_tasks,
    omp_taskloop,
    omp_sections,
    omp_team_loops,
    omp_dependences,
    tbb_for,
    tbb_group,
    tbb_arena,
    tbb_enqueue,
    tbb_isolated,
    tbb_reduce,
    tbb_pipeline,
    tbb_graph,
    tbb_feeder,
    tbb_invoke,
    tbb_resumed,
    tbb_thrown,
    artel_for,
    artel_reduce,
    artel_invoke,
    artel_group,
    artel_threads,
    artel_feeder,
    artel_width,
    abt_streams,
    abt_units,
    abt_eventual,
    qt_forks,
    qt_sincs,
    std_threads,
    constructs
};

const char* const names[] = {"omp_region",   "omp_for",        "omp_tasks",       "omp_taskloop",
                             "omp_sections", "omp_team_loops", "omp_dependences", "tbb_for",
                             "tbb_group",    "tbb_arena",      "tbb_enqueue",     "tbb_isolated",
                             "tbb_reduce",   "tbb_pipeline",   "tbb_graph",       "tbb_feeder",
                             "tbb_invoke",   "tbb_resumed",    "tbb_thrown",      "artel_for",
                             "artel_reduce", "artel_invoke",   "artel_group",     "artel_threads",
                             "artel_feeder", "artel_width",    "abt_streams",     "abt_units",
                             "abt_eventual", "qt_forks",       "qt_sincs",        "std_threads"};

unsigned long long allowed = ~0ull;  // a bit for each construct

struct node {
    number seed;
    int depth;
    construct kind;
    int children;
    bool leaf;
};

node look(number seed, int depth)
{
    const number x = scramble(seed);
    node n{seed, depth, omp_region, 0, depth == 0 || (depth < deepest && x % 5 == 0)};
    if (!n.leaf) {
        do {
            seed = scramble(seed + 1);
            n.kind = static_cast<construct>((seed >> 8) % constructs);
        } while (((allowed >> n.kind) & 1) == 0);
        static constexpr int widths[] = {1, 2, 2, 3, 4, 4, 6, 9};
        n.children = widths[(x >> 20) % 8];
    }
    return n;
}

number child_seed(const node& n, int i)
{
    return scramble(n.seed * 31 + static_cast<number>(i));
}

// What run() has to give, by one thread.
number expect(number seed, int depth)
{
    const node n = look(seed, depth);
    if (n.leaf) {
        return scramble(seed) % 1000;
    }
    number sum = 1;
    for (int i = 0; i < n.children; ++i) {
        sum += expect(child_seed(n, i), depth - 1);
    }
    return sum;
}

[[noreturn]] void fail(const node& n, const char* what)
{
    std::printf("seed %llu, depth %d, %s of %d: %s\n", static_cast<unsigned long long>(n.seed),
                n.depth, names[n.kind], n.children, what);
    std::fflush(stdout);
    std::abort();
}

const bool traced = std::getenv("MIXTURE_TRACE") != nullptr;

void trace(const node& n, const char* what)
{
    if (traced) {
        std::fprintf(stderr, "%*s%s of %d (%llx) %s\n", 2 * (deepest - n.depth), "", names[n.kind],
                     n.children, static_cast<unsigned long long>(n.seed >> 40), what);
    }
}

// Callers that may go on on another OS thread after a wait: light threads of ours, whose OpenMP
// regions and calls of oneTBB are made by personas, and units of streams.
enum mobility { settled, light, unit_of_stream };

number run(number seed, int depth, mobility moves);

// The children of one call: who ran, and the sum of what they gave.
class family {
public:
    family(const node& n, mobility moves) : node_(n), moves_(moves)
    {
        for (auto& each : ran_) {
            each.store(0, std::memory_order_relaxed);
        }
    }
    // The child is called by a light thread (moves), or by one if this call is.
    void child(int i, mobility moves)
    {
        if (ran_[i].fetch_add(1) != 0) {
            fail(node_, "a child ran twice");
        }
        sum_.fetch_add(run(child_seed(node_, i), node_.depth - 1, moves));
        done_.fetch_add(1);
    }
    // As child(); the caller stays on its OS thread.
    void bound_child(int i)
    {
        // Of OpenMP's, tasks outside of regions are run where they stand.
        const bool region = node_.kind == omp_region || node_.kind == omp_for ||
                            node_.kind == omp_sections || node_.kind == omp_team_loops;
        const bool stays = node_.kind > omp_dependences || (region && moves_ == light);
        bound_child(i, stays ? settled : moves_);
    }
    void bound_child(int i, mobility moves)
    {
        if (moves != settled) {
            child(i, moves);
            return;
        }
        static thread_local int here;
        int* const before = address(here);
        const pthread_t self = pthread_self();
        child(i, settled);
        if (address(here) != before || pthread_equal(self, pthread_self()) == 0) {
            fail(node_, "the thread is another one after a nested call");
        }
    }
    number finish()
    {
        if (done_.load() != node_.children) {
            fail(node_, ("only " + std::to_string(done_.load()) + " children had ended").c_str());
        }
        return sum_.load() + 1;
    }
    mobility moves() const { return moves_; }

private:
    // Not inlined: a compiler may keep a thread-local address across calls.
    [[gnu::noinline, gnu::noipa]] static int* address(int& of) { return &of; }

    node node_;
    mobility moves_;
    std::atomic<int> ran_[9];
    std::atomic<int> done_{0};
    std::atomic<number> sum_{0};
};

void spin(number seed)
{
    const int steps = static_cast<int>(scramble(seed ^ 77) % 16 == 0 ? scramble(seed) % 20000
                                                                     : scramble(seed) % 300);
    volatile int i = 0;
    while (i < steps) {
        const int next = i + 1;
        i = next;
    }
}

void run_omp(construct kind, const node& n, family& f)
{
    const int k = n.children;
    const int threads = 1 + static_cast<int>(scramble(n.seed + 5) % 4);
    switch (kind) {
    case omp_region: {
#pragma omp parallel num_threads(k)
        {
            if (omp_get_num_threads() != k) {
                fail(n, "the team has another size");
            }
            f.bound_child(omp_get_thread_num());
        }
        break;
    }
    case omp_for: {
        switch (scramble(n.seed + 6) % 3) {
        case 0:
#pragma omp parallel for num_threads(threads) schedule(static, 1)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
            break;
        case 1:
#pragma omp parallel for num_threads(threads) schedule(dynamic)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
            break;
        default:
#pragma omp parallel for num_threads(threads) schedule(guided)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
        }
        break;
    }
    case omp_tasks: {
        if (scramble(n.seed + 7) % 2 == 0) {
#pragma omp parallel num_threads(threads)
#pragma omp single
            for (int i = 0; i < k; ++i) {
#pragma omp task firstprivate(i) shared(f)
                f.bound_child(i);
            }
        } else {
#pragma omp taskgroup
            for (int i = 0; i < k; ++i) {
#pragma omp task firstprivate(i) shared(f)
                f.bound_child(i);
            }
        }
        break;
    }
    case omp_taskloop: {
#pragma omp taskloop grainsize(1) shared(f)
        for (int i = 0; i < k; ++i) {
            f.bound_child(i);
        }
        break;
    }
    case omp_sections: {
#pragma omp parallel sections num_threads(threads)
        {
#pragma omp section
            for (int i = 0; i < k / 2; ++i) {
                f.bound_child(i);
            }
#pragma omp section
            for (int i = k / 2; i < k; ++i) {
                f.bound_child(i);
            }
        }
        break;
    }
    case omp_team_loops: {
        std::atomic<long> trips{0};
#pragma omp parallel num_threads(threads)
        {
            for (int again = 0; again < 3; ++again) {
#pragma omp for schedule(dynamic) nowait
                for (int i = 0; i < 10; ++i) {
                    trips.fetch_add(1);
                }
            }
#pragma omp barrier
            if (trips.load() != 30) {
                fail(n, "iterations of loops without a barrier are missing");
            }
#pragma omp for schedule(dynamic)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
        }
        break;
    }
    default: {
        int at = 0;
#pragma omp taskgroup
        for (int i = 0; i < k; ++i) {
#pragma omp task firstprivate(i) shared(f, at) depend(inout : at)
            {
                if (at++ != i) {
                    fail(n, "dependent tasks ran out of order");
                }
                f.bound_child(i);
            }
        }
    }
    }
}

void run_tbb(construct kind, const node& n, family& f)
{
    const int k = n.children;
    const number x = scramble(n.seed + 8);
    switch (kind) {
    case tbb_for:
        switch (x % 4) {
        case 0: tbb::parallel_for(0, k, [&](int i) { f.bound_child(i); }); break;
        case 1:
            tbb::parallel_for(0, k, [&](int i) { f.bound_child(i); }, tbb::static_partitioner());
            break;
        case 2:
            tbb::parallel_for(
                tbb::blocked_range<int>(0, k),
                [&](const auto& r) {
                    for (int i = r.begin(); i < r.end(); ++i) {
                        f.bound_child(i);
                    }
                },
                tbb::simple_partitioner());
            break;
        default: {
            tbb::affinity_partitioner again;
            std::atomic<int> trips{0};
            tbb::parallel_for(0, 20, [&](int) { trips.fetch_add(1); }, again);
            tbb::parallel_for(0, k, [&](int i) { f.bound_child(i); }, again);
            if (trips.load() != 20) {
                fail(n, "iterations are missing");
            }
        }
        }
        break;
    case tbb_group: {
        tbb::task_group group;
        for (int i = 0; i < k; ++i) {
            group.run([&f, i] { f.bound_child(i); });
        }
        group.wait();
        break;
    }
    case tbb_arena: {
        tbb::task_arena arena(1 + static_cast<int>(x % 4), static_cast<unsigned>(x / 4 % 2));
        arena.execute([&] { tbb::parallel_for(0, k, [&](int i) { f.bound_child(i); }); });
        break;
    }
    case tbb_enqueue: {
        tbb::task_arena arena(1 + static_cast<int>(x % 3), static_cast<unsigned>(x / 4 % 2));
        trace(n, (" arena " + std::to_string(1 + x % 3) + " reserved " + std::to_string(x / 4 % 2) +
                  (x / 32 % 2 == 0 ? " waits inside" : " waits outside"))
                     .c_str());
        tbb::task_group group;
        for (int i = 0; i < k; ++i) {
            arena.enqueue(group.defer([&f, i] { f.bound_child(i); }));
        }
        if (x / 32 % 2 == 0) {
            arena.execute([&] { group.wait(); });
        } else {
            group.wait();
        }
        break;
    }
    case tbb_isolated:
        tbb::this_task_arena::isolate(
            [&] { tbb::parallel_for(0, k, [&](int i) { f.bound_child(i); }); });
        break;
    case tbb_reduce: {
        const int got = tbb::parallel_reduce(
            tbb::blocked_range<int>(0, k, 1), 0,
            [&](const auto& r, int sum) {
                for (int i = r.begin(); i < r.end(); ++i) {
                    f.bound_child(i);
                }
                return sum + static_cast<int>(r.size());
            },
            [](int a, int b) { return a + b; });
        if (got != k) {
            fail(n, "a reduction lost a part");
        }
        break;
    }
    case tbb_pipeline: {
        int made = 0;
        int seen = 0;
        tbb::parallel_pipeline(
            1 + static_cast<std::size_t>(x % 5),
            tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                        [&](tbb::flow_control& control) {
                                            if (made == k) {
                                                control.stop();
                                                return 0;
                                            }
                                            return made++;
                                        }) &
                tbb::make_filter<int, int>(tbb::filter_mode::parallel,
                                           [&](int i) {
                                               f.bound_child(i);
                                               return i;
                                           }) &
                tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int i) {
                    if (i != seen++) {
                        fail(n, "a pipeline is out of order");
                    }
                }));
        break;
    }
    case tbb_graph: {
        tbb::flow::graph graph;
        int sum = 0;
        tbb::flow::function_node<int, int> work(graph, x % 2 == 0 ? tbb::flow::unlimited : 2,
                                                [&](int i) {
                                                    f.bound_child(i);
                                                    return 1;
                                                });
        tbb::flow::function_node<int, int> add(graph, tbb::flow::serial,
                                               [&](int one) { return sum += one; });
        tbb::flow::make_edge(work, add);
        for (int i = 0; i < k; ++i) {
            work.try_put(i);
        }
        graph.wait_for_all();
        if (sum != k) {
            fail(n, "a graph lost a message");
        }
        break;
    }
    case tbb_feeder: {
        const int first[] = {0};
        tbb::parallel_for_each(std::begin(first), std::end(first),
                               [&](int i, tbb::feeder<int>& more) {
                                   if (2 * i + 1 < k) {
                                       more.add(2 * i + 1);
                                   }
                                   if (2 * i + 2 < k) {
                                       more.add(2 * i + 2);
                                   }
                                   f.bound_child(i);
                               });
        break;
    }
    case tbb_invoke:
        tbb::parallel_invoke(
            [&] {
                for (int i = 0; i < k / 2; ++i) {
                    f.bound_child(i);
                }
            },
            [&] {
                for (int i = k / 2; i < k; ++i) {
                    f.bound_child(i);
                }
            });
        break;
    case tbb_resumed: {
        tbb::task_group group;
        for (int i = 0; i < k; ++i) {
            group.run([&f, i, x] {
                tbb::task::suspend([&](tbb::task::suspend_point point) {
                    if ((x + static_cast<number>(i)) % 3 == 0) {
                        std::thread([point] { tbb::task::resume(point); }).detach();
                    } else {
                        tbb::task::resume(point);
                    }
                });
                f.child(i, settled);
            });
        }
        group.wait();
        break;
    }
    default: {
        bool caught = false;
        std::atomic<int> begun{0};
        try {
            tbb::parallel_for(0, 50, [&](int i) {
                begun.fetch_add(1);
                if (i == static_cast<int>(x % 50)) {
                    throw std::runtime_error("asked for");
                }
            });
        } catch (const std::runtime_error&) {
            caught = true;
        }
        if (!caught) {
            fail(n, "an exception was lost");
        }
        for (int i = 0; i < k; ++i) {
            f.child(i, f.moves());
        }
    }
    }
}

void run_artel(construct kind, const node& n, family& f)
{
    const int k = n.children;
    switch (kind) {
    case artel_for:
        artel::parallel_for(
            0, k, [&](int i) { f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light); });
        break;
    case artel_reduce: {
        const int got = artel::parallel_reduce(
            0, k, 0,
            [&](int i) {
                f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light);
                return 1;
            },
            [](int a, int b) { return a + b; });
        if (got != k) {
            fail(n, "a reduction lost a part");
        }
        break;
    }
    case artel_invoke:
        artel::parallel_invoke(
            [&] {
                for (int i = 0; i < k / 2; ++i) {
                    f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light);
                }
            },
            [&] {
                for (int i = k / 2; i < k; ++i) {
                    f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light);
                }
            });
        break;
    case artel_group: {
        artel::task_group group;
        for (int i = 0; i < k; ++i) {
            group.run(
                [&f, i] { f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light); });
        }
        group.wait();
        break;
    }
    case artel_threads: {
        std::vector<artel::light_thread> threads;
        for (int i = 0; i < k; ++i) {
            threads.emplace_back(
                [&f, i] { f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light); });
        }
        for (auto& each : threads) {
            each.join();
        }
        break;
    }
    case artel_feeder: {
        std::vector<int> first{0};
        artel::parallel_for_each(first, [&](int i, artel::feeder<int>& more) {
            for (int next = 2 * i + 1; next <= 2 * i + 2 && next < k; ++next) {
                more.add(next);
            }
            f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light);
        });
        break;
    }
    default: {
        const artel::width_scope width(2);
        artel::parallel_for(
            0, k, [&](int i) { f.child(i, f.moves() == unit_of_stream ? unit_of_stream : light); });
    }
    }
}

struct tell_end {
    const node& n;
    ~tell_end() { trace(n, "ends"); }
};

// One unit of a call.
struct unit {
    family* of;
    int child;
    ABT_eventual eventual = ABT_EVENTUAL_NULL;
};

void run_unit(void* argument)
{
    const unit& u = *static_cast<const unit*>(argument);
    u.of->child(u.child, unit_of_stream);
    if (u.eventual != ABT_EVENTUAL_NULL) {
        ABT_eventual_set(u.eventual, nullptr, 0);
    }
}

void must(const node& n, int code)
{
    if (code != ABT_SUCCESS) {
        char name[100] = "";
        ABT_error_get_str(code, name, nullptr);
        fail(n, name);
    }
}

// Units in a pool of their own, which streams made for it serve: a stream whose unit waits for
// something else runs nothing meanwhile, so that a pool shared by all calls could have none left.
void run_abt(construct kind, const node& n, family& f)
{
    const int k = n.children;
    const int streams = 1 + static_cast<int>(scramble(n.seed + 9) % 3);
    ABT_pool pool = ABT_POOL_NULL;
    must(n, ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &pool));
    ABT_xstream stream[3];
    for (int i = 0; i < streams; ++i) {
        must(n, ABT_xstream_create_basic(ABT_SCHED_BASIC_WAIT, 1, &pool, ABT_SCHED_CONFIG_NULL,
                                         &stream[i]));
    }
    unit units[9];
    ABT_thread threads[9];
    for (int i = 0; i < k; ++i) {
        units[i] = {&f, i};
        if (kind == abt_eventual) {
            must(n, ABT_eventual_create(0, &units[i].eventual));
        }
        if (kind == abt_units && n.depth == 1 && i % 2 != 0) {  // may not wait
            must(n, ABT_task_create(pool, run_unit, &units[i], &threads[i]));
        } else {
            must(n,
                 ABT_thread_create(pool, run_unit, &units[i], ABT_THREAD_ATTR_NULL, &threads[i]));
        }
    }
    for (int i = 0; i < k; ++i) {
        if (kind == abt_eventual) {
            must(n, ABT_eventual_wait(units[i].eventual, nullptr));
        }
        must(n, ABT_thread_free(&threads[i]));
        if (kind == abt_eventual) {
            must(n, ABT_eventual_free(&units[i].eventual));
        }
    }
    for (int i = 0; i < streams; ++i) {
        must(n, ABT_xstream_join(stream[i]));
        must(n, ABT_xstream_free(&stream[i]));
    }
    must(n, ABT_pool_free(&pool));
}

// One qthread of a call.
struct fork_argument {
    family* of;
    int child;
    qt_sinc_t* sinc;
};

aligned_t forked(void* argument)
{
    const auto& a = *static_cast<fork_argument*>(argument);
    a.of->child(a.child, unit_of_stream);
    if (a.sinc != nullptr) {
        qt_sinc_submit(a.sinc, nullptr);
    }
    return 7;
}

void run_qt(construct kind, const node& n, family& f)
{
    const int k = n.children;
    fork_argument arguments[9];
    aligned_t returned[9];
    qt_sinc_t* sinc = kind == qt_sincs ? qt_sinc_create(0, nullptr, nullptr, k) : nullptr;
    for (int i = 0; i < k; ++i) {
        arguments[i] = {&f, i, sinc};
        if (qthread_fork(forked, &arguments[i], sinc != nullptr ? nullptr : &returned[i]) !=
            QTHREAD_SUCCESS) {
            fail(n, "no fork");
        }
    }
    if (sinc != nullptr) {
        qt_sinc_wait(sinc, nullptr);
        qt_sinc_destroy(sinc);
    } else {
        for (int i = 0; i < k; ++i) {
            aligned_t got = 0;
            qthread_readFF(&got, &returned[i]);
            if (got != 7) {
                fail(n, "another value than what was returned");
            }
        }
    }
}

number run(number seed, int depth, mobility moves)
{
    const node n = look(seed, depth);
    if (n.leaf) {
        spin(seed);
        return scramble(seed) % 1000;
    }
    family f(n, moves);
    trace(n, "begins");
    const tell_end at_end{n};
    if (n.kind <= omp_dependences) {
        run_omp(n.kind, n, f);
    } else if (n.kind <= tbb_thrown) {
        run_tbb(n.kind, n, f);
    } else if (n.kind <= artel_width) {
        run_artel(n.kind, n, f);
    } else if (n.kind <= abt_eventual) {
        run_abt(n.kind, n, f);
    } else if (n.kind <= qt_sincs) {
        run_qt(n.kind, n, f);
    } else if (qthread_id() != QTHREAD_NON_TASK_ID) {
        // The OS thread that waits for others carries the only worker that their qthreads have.
        for (int i = 0; i < n.children; ++i) {
            f.child(i, moves);
        }
    } else {
        std::vector<std::thread> threads;
        for (int i = 0; i < n.children; ++i) {
            threads.emplace_back([&f, i] { f.child(i, settled); });
        }
        for (auto& each : threads) {
            each.join();
        }
    }
    return f.finish();
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: mixture FIRST_SEED HOW_MANY [CONSTRUCT...]\n");
        return 2;
    }
    qthread_initialize();
    ABT_init(0, nullptr);
    omp_set_max_active_levels(20);
    omp_set_dynamic(0);
    if (argc > 3) {
        allowed = 0;
        for (int a = 3; a < argc; ++a) {
            for (int c = 0; c < constructs; ++c) {
                if (std::strncmp(names[c], argv[a], std::strlen(argv[a])) == 0) {
                    allowed |= 1ull << c;
                }
            }
        }
    }
    const number first = std::strtoull(argv[1], nullptr, 10);
    const number many = std::strtoull(argv[2], nullptr, 10);
    for (number seed = first; seed < first + many; ++seed) {
        if (std::getenv("MIXTURE_TELL") != nullptr) {
            std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
            std::fflush(stdout);
        }
        const number right = expect(scramble(seed), deepest);
        const number got = run(scramble(seed), deepest, settled);
        if (got != right) {
            std::printf("seed %llu gave %llu, not %llu\n", static_cast<unsigned long long>(seed),
                        static_cast<unsigned long long>(got),
                        static_cast<unsigned long long>(right));
            return 1;
        }
    }
    ABT_finalize();
    std::puts("ok");
    return 0;
}
