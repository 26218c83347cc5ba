// Parts for libraries of light threads that do not know where their streams are. The functions are
// weak: a library that supports parts defines them itself.
#include "light.hpp"

#include "settings.hpp"

namespace cp::light {

__attribute__((weak)) void* open_part(const std::vector<unsigned>&)
{
    return nullptr;
}

__attribute__((weak)) void close_part(void*) {}

__attribute__((weak)) void spawn_in(void*, void (*f)(void*), void* argument)
{
    spawn(f, argument, 0, 1);
}

}  // namespace cp::light
