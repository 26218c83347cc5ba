// Children as qthreads, awaited by a sinc or by the full/empty bits of their return values.
#include "family.hpp"

#include <qthread/qthread.h>
#include <qthread/sinc.h>

namespace mixture {
namespace {

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

}  // namespace

void run_qt(const node& n, family& f)
{
    const int k = n.children;
    fork_argument arguments[9];
    aligned_t returned[9];
    qt_sinc_t* sinc = n.kind == qt_sincs ? qt_sinc_create(0, nullptr, nullptr, k) : nullptr;
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

}  // namespace mixture
