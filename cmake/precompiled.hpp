// What most files of the libraries include, parsed once per target
// (artel_precompiled_headers in cmake/artel_compile.cmake). A file still includes what it uses:
// builds with ccache do without this.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
