// Boost.Context alone: the bare switch, with no scheduler behind it.
#include <boost/context/fiber.hpp>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool creates = false;
    static constexpr const char* switches = "switch-direct";
    explicit competitor(int) {}

    void yields(long count)
    {
        bool stop = false;
        boost::context::fiber other([&stop](boost::context::fiber&& caller) {
            while (!stop)
                caller = std::move(caller).resume();
            return std::move(caller);
        });
        // A resume is two switches: there and back.
        for (long i = 0; i < count / 2; ++i)
            other = std::move(other).resume();
        stop = true;
        other = std::move(other).resume();
    }

    static const char* symbol() { return ""; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::lightthread_main<competitor>(argc, argv);
}
