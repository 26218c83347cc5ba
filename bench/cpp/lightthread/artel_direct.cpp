// Artel's switch alone: two plain fibers of one carrier, with no scheduler behind them. Internal
// interface, so this program compiles the layers base and fiber into itself instead of linking the
// library.
#include "base/os/thread_pointer.hpp"
#include "config.hpp"
#include "fiber/switch.hpp"

namespace {

namespace fiber = artel::fiber;

fiber::carrier carrier;
fiber::fiber* caller = nullptr;

class competitor {
public:
    static constexpr bool creates = false;
    static constexpr const char* switches = "switch-direct";

    explicit competitor(int)
    {
        fiber::adopt_thread(carrier, adopted_);
        caller = &adopted_;
        other_ = fiber::create_plain([](fiber::fiber&) {
            for (;;) {
                fiber::switch_to(carrier, *caller, nullptr, nullptr);
            }
        });
        if (other_ == nullptr) {
            std::abort();
        }
    }

    void yields(long count)
    {
        // There and back are two switches.
        for (long i = 0; i < count / 2; ++i) {
            fiber::switch_to(carrier, *other_, nullptr, nullptr);
        }
    }

    static const char* symbol() { return ""; }

private:
    fiber::fiber adopted_;
    fiber::fiber* other_ = nullptr;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::lightthread_main<competitor>(argc, argv);
}
