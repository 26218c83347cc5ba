// Libraries that are loaded and unloaded while the process runs, and those that are needed by
// others. A wrong answer would let a facade stand in for a runtime that is not there, or not stand
// in for one that is.
#include "foreign/loaded_libraries.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace artel::foreign {
namespace {

void some_function() {}

TEST(loaded_libraries, what_others_are_linked_to_is_asked_for)
{
    EXPECT_TRUE(is_asked_for("libc.so.6"));
    EXPECT_FALSE(is_asked_for("a_library_that_nobody_has"));
}

TEST(loaded_libraries, names_in_wheels_begin_with_the_own_one)
{
    EXPECT_TRUE(is_asked_for("libstdc++"));
    EXPECT_FALSE(is_asked_for("stdc++"));
}

TEST(loaded_libraries, the_one_that_asks_is_not_beside_itself)
{
    auto* const of_libc = reinterpret_cast<void (*)()>(
        ::dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
    ASSERT_NE(of_libc, nullptr);
    EXPECT_FALSE(is_loaded_beside(of_libc, "libc.so.6"));
    EXPECT_TRUE(is_loaded_beside(some_function, "libc.so.6"));
    EXPECT_FALSE(is_loaded_beside(some_function, "libc.so"));
    EXPECT_FALSE(is_loaded_beside(some_function, "a_library_that_nobody_has"));
}

// libc's own, which no program is linked to since glibc 2.34, and which every system has.
TEST(loaded_libraries, every_answer_is_of_now)
{
    constexpr const char* name = "libanl.so.1";
    if (is_loaded_beside(some_function, name)) {
        GTEST_SKIP() << name << " is loaded already";
    }
    void* const opened = ::dlopen(name, RTLD_LAZY);
    if (opened == nullptr) {
        GTEST_SKIP() << "there is no " << name;
    }
    EXPECT_TRUE(is_loaded_beside(some_function, name));
    EXPECT_FALSE(is_asked_for(name));  // opened by name; nothing is linked to it
    ::dlclose(opened);
    // Some sanitizers keep what was opened.
    if (::dlopen(name, RTLD_LAZY | RTLD_NOLOAD) == nullptr) {
        EXPECT_FALSE(is_loaded_beside(some_function, name));
    }
}

}  // namespace
}  // namespace artel::foreign
