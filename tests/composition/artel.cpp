// Children in loops, reductions, task groups, light threads and feeders of Artel's C++ interface,
// and in a loop of limited width.
#include "family.hpp"

#include <artel/artel.hpp>
#include <vector>

namespace mixture {

void run_artel(const node& n, family& f)
{
    const int k = n.children;
    switch (n.kind) {
    case artel_for: artel::parallel_for(0, k, [&](int i) { f.light_child(i); }); break;
    case artel_reduce: {
        const int got = artel::parallel_reduce(
            0, k, 0,
            [&](int i) {
                f.light_child(i);
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
                    f.light_child(i);
                }
            },
            [&] {
                for (int i = k / 2; i < k; ++i) {
                    f.light_child(i);
                }
            });
        break;
    case artel_group: {
        artel::task_group group;
        for (int i = 0; i < k; ++i) {
            group.run([&f, i] { f.light_child(i); });
        }
        group.wait();
        break;
    }
    case artel_threads: {
        std::vector<artel::light_thread> threads;
        for (int i = 0; i < k; ++i) {
            threads.emplace_back([&f, i] { f.light_child(i); });
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
            f.light_child(i);
        });
        break;
    }
    default: {
        const artel::width_scope width(2);
        artel::parallel_for(0, k, [&](int i) { f.light_child(i); });
    }
    }
}

}  // namespace mixture
