// No runtime at all: the plain loop. Not a competitor but a reference; dividing by it gives the
// speed-up.
#include "../program.hpp"

namespace {

class competitor {
public:
    competitor(int, std::string_view variant) { artel::bench::variant_number(variant, {"plain"}); }

    static const char* symbol() { return ""; }

    template <class F>
    void within(const F& f)
    {
        f();
    }

    template <class F>
    void each(long count, const F& f)
    {
        for (long i = 0; i < count; ++i)
            f(i);
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
        f();
        g();
    }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::suite_main<competitor>(argc, argv);
}
