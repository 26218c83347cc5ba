// Children in oneTBB's loops, task groups, arenas, pipelines, flow graphs and suspended tasks. Also
// checked: that reductions and graphs lose nothing, and that an exception arrives.
#include "family.hpp"

#include <tbb/tbb.h>

#include <atomic>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace mixture {

void run_tbb(const node& n, family& f)
{
    const int k = n.children;
    const number x = scramble(n.seed + 8);
    switch (n.kind) {
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

}  // namespace mixture
