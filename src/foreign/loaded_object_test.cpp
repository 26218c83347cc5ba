// Exports, needs, names and weak references of real libraries, compared with what dlsym says. A
// wrong answer would take a library for an OpenBLAS or an OpenMP runtime that it is not.
#include "foreign/loaded_object.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <new>
#include <thread>

namespace artel::foreign {
namespace {

// In libc, and not intercepted by sanitizers, as better known functions are.
const void* some_function()
{
    return ::dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
}

TEST(LoadedObject, KnowsWhatALibraryExports)
{
    const auto libc = loaded_object::containing(some_function());
    ASSERT_TRUE(libc.has_value());
    EXPECT_EQ(libc->exported("gnu_get_libc_version"), some_function());
    EXPECT_EQ(libc->exported("get_nprocs"), ::dlsym(RTLD_NEXT, "get_nprocs"));
    EXPECT_EQ(libc->exported("stderr"), ::dlsym(RTLD_NEXT, "stderr"));
    EXPECT_EQ(libc->exported("a_name_that_nobody_has"), nullptr);
    EXPECT_EQ(libc->exported(""), nullptr);
}

TEST(LoadedObject, WhatOthersExportIsNotItsOwn)
{
    void* const libm = ::dlopen("libm.so.6", RTLD_LAZY);
    ASSERT_NE(libm, nullptr);
    const auto object = loaded_object::containing(::dlsym(libm, "hypotf"));
    ASSERT_TRUE(object.has_value());
    EXPECT_EQ(object->exported("puts"), nullptr);
    EXPECT_EQ(object->exported("fesetround"), ::dlsym(libm, "fesetround"));
    ::dlclose(libm);
}

TEST(LoadedObject, KnowsItsNeedsAndItsName)
{
    const auto libc = loaded_object::containing(some_function());
    ASSERT_TRUE(libc.has_value());
    EXPECT_TRUE(libc->is_called("libc.so.6"));
    EXPECT_FALSE(libc->is_called("libc.so"));
    EXPECT_TRUE(libc->needs("ld-linux"));
    EXPECT_FALSE(libc->needs("libc.so.6"));
    const auto self = loaded_object::containing(reinterpret_cast<const void*>(&some_function));
    ASSERT_TRUE(self.has_value());
    EXPECT_TRUE(self->needs("libc.so.6"));
    EXPECT_FALSE(self->is_called("libc.so.6"));
}

extern "C" [[gnu::weak]] int a_function_that_there_need_not_be();

TEST(LoadedObject, KnowsWeakReferences)
{
    // A real reference, which the compiler cannot remove.
    int (*volatile weak)() = a_function_that_there_need_not_be;
    EXPECT_EQ(weak, nullptr);
    const auto self = loaded_object::containing(reinterpret_cast<const void*>(&some_function));
    ASSERT_TRUE(self.has_value());
    EXPECT_TRUE(self->refers_weakly_to("a_function_that_there_need_not_be"));
    EXPECT_FALSE(self->refers_weakly_to("dlsym"));
    EXPECT_FALSE(self->refers_weakly_to("a_name_that_nobody_has"));
}

TEST(LoadedObject, MemoryBelongsToNone)
{
    int local = 0;
    EXPECT_FALSE(loaded_object::containing(&local).has_value());
    EXPECT_FALSE(loaded_object::containing(nullptr).has_value());
}

// All objects of the process, including the kernel's, in the form of the iteration.
TEST(LoadedObject, EveryObjectCanBeAsked)
{
    unsigned with_puts = 0;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* count) {
            const loaded_object object(*info);
            EXPECT_EQ(object.exported("a_name_that_nobody_has"), nullptr);
            EXPECT_FALSE(object.needs("a_library_that_nobody_has"));
            *static_cast<unsigned*>(count) += object.exported("puts") != nullptr ? 1 : 0;
            return 0;
        },
        &with_puts);
    EXPECT_GE(with_puts, 1u);
}

struct unloading {
    void* library;
    std::uintptr_t base;
    std::thread thread;
    bool was_there = false;
};

// A thread unloads the library meanwhile: its memory is there until all have been used.
TEST(LoadedObject, NoneIsUnloadedWhileAllAreUsed)
{
    unloading of{::dlopen("libBrokenLocale.so.1", RTLD_LAZY), 0, {}};
    ASSERT_NE(of.library, nullptr);
    const link_map* map = nullptr;
    ASSERT_EQ(::dlinfo(of.library, RTLD_DI_LINKMAP, &map), 0);
    of.base = map->l_addr;
    EXPECT_TRUE(with_loaded_objects(
        [](std::span<const dl_phdr_info> all, void* argument) {
            auto& its = *static_cast<unloading*>(argument);
            its.thread = std::thread([&its] { ::dlclose(its.library); });
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            const auto at = std::ranges::find(all, its.base, &dl_phdr_info::dlpi_addr);
            its.was_there = at != all.end() && loaded_object(*at).is_called("libBrokenLocale.so.1");
        },
        &of));
    EXPECT_TRUE(of.was_there);
    of.thread.join();
}

TEST(LoadedObject, UsersOfAllMayRunOutOfMemory)
{
    EXPECT_FALSE(with_loaded_objects(
        [](std::span<const dl_phdr_info>, void*) { throw std::bad_alloc(); }, nullptr));
    EXPECT_TRUE(with_loaded_objects([](std::span<const dl_phdr_info>, void*) {}, nullptr));
}

}  // namespace
}  // namespace artel::foreign
