// artel_version() of <artel.h>; the number is the project's in CMakeLists.txt.
#include <artel.h>

extern "C" const char* artel_version(void)
{
    return ARTEL_VERSION_TEXT;
}
