// Two walks over the loaded objects: whether one of them needs a library, and whether another
// object than the caller's is that library, by file name or soname.
#include "foreign/loaded_libraries.hpp"

#include "foreign/loaded_object.hpp"

#include <cstring>
#include <link.h>

namespace artel::foreign {
namespace {

struct question {
    const char* library;
    void (*function)();
};

int asks_for(dl_phdr_info* object, std::size_t, void* argument) noexcept
{
    const auto* const library = static_cast<const char*>(argument);
    return loaded_object(*object).needs(library) ? 1 : 0;
}

int is_other_called(dl_phdr_info* object, std::size_t, void* argument) noexcept
{
    const question& asked = *static_cast<const question*>(argument);
    const loaded_object it(*object);
    if (it.contains(asked.function)) {
        return 0;
    }
    const char* const slash = std::strrchr(object->dlpi_name, '/');
    if (std::strcmp(slash == nullptr ? object->dlpi_name : slash + 1, asked.library) == 0) {
        return 1;
    }
    return it.is_called(asked.library) ? 1 : 0;
}

}  // namespace

bool is_asked_for(const char* library) noexcept
{
    return visit_loaded_objects(asks_for, const_cast<char*>(library)) != 0;
}

// Not by dlopen with RTLD_NOLOAD: it searches the file system for names that are not loaded, 0.1 ms
// for each.
bool is_loaded_beside(void (*function)(), const char* library) noexcept
{
    question asked{library, function};
    return visit_loaded_objects(is_other_called, &asked) != 0;
}

}  // namespace artel::foreign
