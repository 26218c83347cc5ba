// Artel: parallel_for over as many indices as there are workers.
#include <artel/artel.hpp>

#include <cstdlib>
#include <string>

#include "config.hpp"

namespace {

class competitor {
public:
    // The crew is made lazily, of the size the environment gives.
    explicit competitor(int workers) : workers_(workers)
    {
        setenv("ARTEL_NUM_THREADS", std::to_string(workers).c_str(), 1);
    }

    template <class F>
    void within(F f)
    {
        f();
    }

    template <class F>
    void each(const F& f)
    {
        artel::parallel_for(0, workers_, f);
    }

    static const char* symbol() { return "artel_version"; }

private:
    int workers_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::loop_main<competitor>(argc, argv);
}
