// qt_barrier_t: opaque to programs.
#include <artel/barrier.hpp>
#include <cstddef>
#include <memory>

namespace {

struct barrier {
    std::unique_ptr<artel::barrier<>> now;
};

barrier* made(std::size_t size)
{
    return new barrier{std::make_unique<artel::barrier<>>(static_cast<std::ptrdiff_t>(size))};
}

}  // namespace

extern "C" {

void* qt_barrier_create(std::size_t size, int)
{
    return made(size);
}
void qt_barrier_destroy(void* b)
{
    delete static_cast<barrier*>(b);
}
void qt_barrier_enter(void* b)
{
    static_cast<barrier*>(b)->now->arrive_and_wait();
}
void qt_barrier_enter_id(void* b, std::size_t)
{
    static_cast<barrier*>(b)->now->arrive_and_wait();
}
// While nobody is inside.
void qt_barrier_resize(void* b, std::size_t size)
{
    static_cast<barrier*>(b)->now = std::make_unique<artel::barrier<>>(
        static_cast<std::ptrdiff_t>(size));
}
}
