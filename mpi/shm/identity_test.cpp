// What a rank knows of itself on machines that this one is not: the affinity mask of a kernel that
// may have more CPUs than a cpu_set_t holds.
#include "shm/identity.hpp"

#include <algorithm>
#include <cerrno>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sched.h>

namespace {

// Whether the kernel is such a one, and lets the process run on CPU 1030, too.
bool many_cpus = false;

}  // namespace

extern "C" int sched_getaffinity(pid_t pid, std::size_t bytes, cpu_set_t* mask) noexcept
{
    using function = int (*)(pid_t, std::size_t, cpu_set_t*);
    static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "sched_getaffinity"));
    if (many_cpus && bytes <= sizeof(cpu_set_t)) {
        errno = EINVAL;
        return -1;
    }
    const int error = real(pid, bytes, mask);
    if (many_cpus && error == 0) {
        CPU_SET_S(1030, bytes, mask);
    }
    return error;
}

namespace {

using namespace artel;

TEST(Identity, AffinityMaskOfAMachineWithManyCpus)
{
    const shm::identity few = shm::own_identity();
    many_cpus = true;
    const shm::identity many = shm::own_identity();
    many_cpus = false;
    EXPECT_TRUE(std::any_of(std::begin(few.cpus), std::end(few.cpus),
                            [](std::uint64_t word) { return word != 0; }));
    EXPECT_TRUE(std::equal(std::begin(few.cpus), std::end(few.cpus), many.cpus));
    EXPECT_EQ(few.more_cpus, 0U);
    EXPECT_EQ(many.more_cpus, 1U);
    EXPECT_EQ(many.nodes_allowed, few.nodes_allowed);
}

}  // namespace
