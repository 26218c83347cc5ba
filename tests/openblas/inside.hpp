// What programs that call an OpenBLAS have in common: its functions by name, how many callers are
// counted as inside, and what was not as expected.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using inside_function = void(int threads, void* data);
using call_function = void(inside_function* inside, void* data);

inline int failures = 0;

#define EXPECT(condition)                                               \
    do {                                                                \
        if (!(condition)) {                                             \
            ++failures;                                                 \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
        }                                                               \
    } while (0)

inline void* library;

template <class Function>
Function* need(const char* name)
{
    void* found = dlsym(library, name);
    if (found == nullptr) {
        found = dlsym(RTLD_DEFAULT, name);
    }
    if (found == nullptr) {
        std::printf("no %s: %s\n", name, dlerror());
        std::exit(1);
    }
    return reinterpret_cast<Function*>(found);
}

inline call_function* gemm;
inline call_function* getrf;
inline unsigned (*inside)();
inline void (*set_threads)(int);

// Waits for what may take some hundredths of a second.
inline bool in_the_end(unsigned wanted)
{
    for (int i = 0; i < 4000 && inside() != wanted; ++i) {
        usleep(5000);
    }
    return inside() == wanted;
}

inline void note(int, void* seen)
{
    *static_cast<unsigned*>(seen) = inside();
}

inline unsigned seen_by(call_function* call)
{
    unsigned seen = 99;
    call(note, &seen);
    return seen;
}

// False, with a message, when it cannot be loaded.
inline bool load_library(const char* file)
{
    library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::printf("%s\n", dlerror());
        return false;
    }
    gemm = need<call_function>("scipy_cblas_dsymm64_");
    getrf = need<call_function>("scipy_dgetrf_64_");
    inside = need<unsigned()>("artel_openblas_inside");
    set_threads = need<void(int)>("scipy_openblas_set_num_threads64_");
    return true;
}

inline int report()
{
    if (failures == 0) {
        std::puts("all right");
    }
    return failures != 0;
}
