// OS threads, for scale: create + join by the kernel.
#include <thread>
#include <vector>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool creates = true;
    static constexpr const char* switches = nullptr;
    explicit competitor(int) {}

    void create_join(long count)
    {
        for (long i = 0; i < count; ++i)
            std::thread([] {}).join();
    }

    void create_batch(long count)
    {
        std::vector<std::thread> threads;
        for (long i = 0; i < count; ++i)
            threads.emplace_back([] {});
        for (auto& each : threads)
            each.join();
    }

    static const char* symbol() { return ""; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::lightthread_main<competitor>(argc, argv);
}
