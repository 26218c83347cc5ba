// Constructs of OpenMP, oneTBB, Argobots, Qthreads, Artel's own interface and the C++ library,
// nested at random in one process. A seed names a tree of calls. Each call checks that all its
// children ran once, and that what they give adds up; members of OpenMP teams and tasks of oneTBB
// check that they stay the same thread. MIXTURE_TRACE=1 tells which calls begin and end: those that
// have not ended show where a run hangs.
//
// A wait is inside the arena of what it waits for, or in none: a task that waits in another arena
// for what it has enqueued in its own, whose last slot it holds, waits for ever with any library.
#include "family.hpp"

#include <abt.h>
#include <omp.h>
#include <qthread/qthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace mixture {
namespace {

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

struct tell_end {
    const node& n;
    ~tell_end() { trace(n, "ends"); }
};

}  // namespace

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
        run_omp(n, f);
    } else if (n.kind <= tbb_thrown) {
        run_tbb(n, f);
    } else if (n.kind <= artel_width) {
        run_artel(n, f);
    } else if (n.kind <= abt_eventual) {
        run_abt(n, f);
    } else if (n.kind <= qt_sincs) {
        run_qt(n, f);
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

}  // namespace mixture

int main(int argc, char** argv)
{
    using namespace mixture;
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
