// Boost.Fiber under its default scheduler: one thread, round robin, a pooled stack per fiber.
#include <boost/fiber/all.hpp>

#include <vector>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool creates = true;
    static constexpr const char* switches = "switch";
    explicit competitor(int) {}

    void create_join(long count)
    {
        for (long i = 0; i < count; ++i)
            make().join();
    }

    void create_batch(long count)
    {
        std::vector<boost::fibers::fiber> fibers;
        fibers.reserve(static_cast<std::size_t>(count));
        for (long i = 0; i < count; ++i)
            fibers.push_back(make());
        for (auto& each : fibers)
            each.join();
    }

    void yields(long count)
    {
        const auto body = [count] {
            for (long i = 0; i < count / 2; ++i)
                boost::this_fiber::yield();
        };
        boost::fibers::fiber first(body), second(body);
        first.join();
        second.join();
    }

    static const char* symbol() { return ""; }

private:
    boost::fibers::fiber make()
    {
        return boost::fibers::fiber(boost::fibers::launch::post, std::allocator_arg, stacks_,
                                    [] {});
    }
    boost::fibers::pooled_fixedsize_stack stacks_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::lightthread_main<competitor>(argc, argv);
}
