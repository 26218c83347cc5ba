// Artel: parallel_for with each of its partitioners.
#include <artel/artel.hpp>

#include <string>

#include "../program.hpp"

namespace {

class competitor {
public:
    // The crew is made lazily, of the size the environment gives.
    competitor(int workers, std::string_view variant)
        : variant_(artel::bench::variant_number(
              variant, {"automatic", "static", "simple", "timespan", "timespan-grain", "dynamic",
                        "guided", "lazy", "heartbeat"}))
    {
        setenv("ARTEL_NUM_THREADS", std::to_string(workers).c_str(), 1);
    }

    static const char* symbol() { return "artel_version"; }

    template <class F>
    void within(const F& f)
    {
        f();
    }

    template <class F>
    void each(long count, const F& f)
    {
        switch (variant_) {
        case 0: return artel::parallel_for(0L, count, f);
        case 1: return artel::parallel_for(0L, count, f, artel::static_{});
        case 2: return artel::parallel_for(0L, count, f, artel::simple{});
        case 3: return artel::parallel_for(0L, count, f, artel::timespan{});
        case 4: return artel::parallel_for(0L, count, f, artel::timespan_grain{});
        case 5: return artel::parallel_for(0L, count, f, artel::dynamic{});
        case 6: return artel::parallel_for(0L, count, f, artel::guided{});
        case 7: return artel::parallel_for(0L, count, f, artel::lazy{});
        default: return artel::parallel_for(0L, count, f, artel::heartbeat{});
        }
    }

    template <class F>
    void inner(long count, const F& f)
    {
        each(count, f);
    }

    template <class F>
    void root(const F& f)
    {
        f();
    }

    template <class F, class G>
    void both(const F& f, const G& g)
    {
        artel::parallel_invoke(f, g);
    }

private:
    const int variant_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::suite_main<competitor>(argc, argv);
}
