// Artel: light threads of the crew, switching through its scheduler.
#include <artel/artel.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool creates = true;
    static constexpr const char* switches = "switch";
    // The crew is made lazily, of the size the environment gives.
    explicit competitor(int workers)
    {
        setenv("ARTEL_NUM_THREADS", std::to_string(workers).c_str(), 1);
    }

    void create_join(long count)
    {
        for (long i = 0; i < count; ++i)
            artel::light_thread([] {}).join();
    }

    void create_batch(long count)
    {
        std::vector<artel::light_thread> threads;
        threads.reserve(static_cast<std::size_t>(count));
        for (long i = 0; i < count; ++i)
            threads.emplace_back([] {});
        for (auto& each : threads)
            each.join();
    }

    void yields(long count)
    {
        const auto body = [count] {
            for (long i = 0; i < count / 2; ++i)
                artel::this_light_thread::yield();
        };
        artel::light_thread first(body), second(body);
        first.join();
        second.join();
    }

    static const char* symbol() { return "artel_version"; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::lightthread_main<competitor>(argc, argv);
}
