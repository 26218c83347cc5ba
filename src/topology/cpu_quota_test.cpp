// The cgroup reader against made-up file trees (v1, v2, hybrid, containers, nonsense), and against
// the real kernel.
#include "topology/cpu_quota.hpp"
#include "topology/small_file.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace artel::topology {
namespace {

namespace fs = std::filesystem;

class FakeTree : public testing::Test {
protected:
    FakeTree()
    {
        std::string pattern = (fs::temp_directory_path() / "artel-cgroup-XXXXXX").string();
        root_ = ::mkdtemp(pattern.data());
    }
    ~FakeTree() override { fs::remove_all(root_); }

    void write(const std::string& path, const std::string& content)
    {
        const fs::path target = root_ + path;
        fs::create_directories(target.parent_path());
        std::ofstream(target) << content;
    }

    void groups(const std::string& content) { write("/proc/self/cgroup", content); }
    void mounts(const std::string& content) { write("/proc/self/mountinfo", content); }
    void v1(const std::string& directory, const std::string& quota,
            const std::string& period = "100000\n")
    {
        write(directory + "/cpu.cfs_quota_us", quota);
        write(directory + "/cpu.cfs_period_us", period);
    }
    cpu_quota read() const { return read_cpu_quota(root_); }

    std::string root_;
};

const char* const v1_mount =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "33 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n";
const char* const
    v2_mount = "41 31 0:38 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST_F(FakeTree, WithoutFilesThereIsNoQuota)
{
    EXPECT_FALSE(read().limited());
    EXPECT_EQ(read().rounded_up(), 0u);
}

TEST_F(FakeTree, Version1TakesTheTightestAncestor)
{
    groups("4:cpuset:/other\n2:cpu,cpuacct:/a/b/c\n");
    mounts(v1_mount);
    v1("/sys/fs/cgroup/cpu,cpuacct/a/b/c", "-1\n");
    v1("/sys/fs/cgroup/cpu,cpuacct/a/b", "150000\n");
    v1("/sys/fs/cgroup/cpu,cpuacct/a", "400000\n");
    const auto quota = read();
    EXPECT_DOUBLE_EQ(quota.cpus, 1.5);
    EXPECT_EQ(quota.rounded_up(), 2u);
    EXPECT_EQ(quota.version, 1);
    EXPECT_EQ(quota.group, "/a/b");
    EXPECT_EQ(quota.quota_us, 150000);
    EXPECT_EQ(quota.period_us, 100000);
}

TEST_F(FakeTree, Version1SeesTheRootGroup)
{
    groups("2:cpu:/a\n");
    mounts("32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
    v1("/sys/fs/cgroup/cpu", "50000", "100000");
    EXPECT_EQ(read().rounded_up(), 1u);
    EXPECT_EQ(read().group, "/");
}

TEST_F(FakeTree, Version2TakesTheTightestAncestor)
{
    groups("0::/user.slice/job/step\n");
    mounts(v2_mount);
    write("/sys/fs/cgroup/user.slice/job/step/cpu.max", "max 100000\n");
    write("/sys/fs/cgroup/user.slice/job/cpu.max", "300000 100000\n");
    write("/sys/fs/cgroup/user.slice/cpu.max", "1000000 100000\n");
    const auto quota = read();
    EXPECT_EQ(quota.rounded_up(), 3u);  // exactly 3: no rounding up to 4
    EXPECT_EQ(quota.version, 2);
    EXPECT_EQ(quota.group, "/user.slice/job");
}

TEST_F(FakeTree, HybridReadsBothHierarchies)
{
    groups("2:cpu,cpuacct:/a\n0::/b\n");
    mounts(std::string(v1_mount) + "42 31 0:39 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    v1("/sys/fs/cgroup/cpu,cpuacct/a", "600000\n");
    write("/sys/fs/cgroup/unified/b/cpu.max", "250000 100000\n");
    EXPECT_EQ(read().version, 2);
    EXPECT_EQ(read().rounded_up(), 3u);
    v1("/sys/fs/cgroup/cpu,cpuacct/a", "200000\n");
    EXPECT_EQ(read().version, 1);
    EXPECT_EQ(read().rounded_up(), 2u);
}

TEST_F(FakeTree, ContainerWithoutNamespaceMountsItsOwnGroup)
{
    groups("2:cpu,cpuacct:/docker/4711/inner\n");
    mounts(
        "32 31 0:29 /docker/4711 /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n");
    v1("/sys/fs/cgroup/cpu,cpuacct", "200000\n");
    v1("/sys/fs/cgroup/cpu,cpuacct/inner", "-1\n");
    EXPECT_EQ(read().rounded_up(), 2u);
}

TEST_F(FakeTree, GroupWithTheSamePrefixIsNotBelowTheMount)
{
    groups("0::/docker/47\n");
    mounts("32 31 0:29 /docker/4 /cg rw - cgroup2 none rw\n");
    write("/cg/cpu.max", "100000 100000\n");
    write("/cg7/cpu.max", "700000 100000\n");
    EXPECT_EQ(read().rounded_up(), 1u);  // what is mounted is all that can be seen
}

TEST_F(FakeTree, GroupOutsideTheNamespaceStaysAtTheMountPoint)
{
    groups("0::/../../elsewhere\n");
    mounts(v2_mount);
    write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    write("/sys/elsewhere/cpu.max", "100000 100000\n");
    EXPECT_EQ(read().rounded_up(), 2u);
}

TEST_F(FakeTree, PrefersTheMountThatShowsMostAncestors)
{
    groups("0::/a/b\n");
    mounts("1 0 0:1 /a/b /narrow rw - cgroup2 none rw\n2 0 0:1 / /wide rw - cgroup2 none rw\n");
    write("/wide/a/cpu.max", "100000 100000\n");
    write("/wide/a/b/cpu.max", "300000 100000\n");
    write("/narrow/cpu.max", "300000 100000\n");
    EXPECT_EQ(read().rounded_up(), 1u);
    EXPECT_EQ(read().group, "/a");
}

TEST_F(FakeTree, MountPointsMayContainBlanks)
{
    groups("0::/\n");
    mounts("1 0 0:1 / /with\\040blank rw - cgroup2 none rw\n");
    write("/with blank/cpu.max", "100000 50000\n");
    EXPECT_EQ(read().rounded_up(), 2u);
}

TEST_F(FakeTree, TinyQuotasRoundUpToOne)
{
    groups("0::/\n");
    mounts(v2_mount);
    write("/sys/fs/cgroup/cpu.max", "1000 100000\n");
    EXPECT_EQ(read().rounded_up(), 1u);
}

TEST_F(FakeTree, NonsenseIsNoQuota)
{
    mounts(v2_mount);
    for (const char* group : {"", "\n", "::", "0::", "0::relative", "garbage", "0:cpu:/x"}) {
        groups(group);
        write("/sys/fs/cgroup/cpu.max", "max 100000\n");
        EXPECT_FALSE(read().limited()) << group;
    }
    groups("0::/\n");
    for (const char* text : {"", "max", "100000", "x y", "0 100000", "-5 100000", "100000 0",
                             "100000 -1", "1e5 100000", "99999999999999999999 1"}) {
        write("/sys/fs/cgroup/cpu.max", text);
        EXPECT_FALSE(read().limited()) << text;
    }
    for (const char* text :
         {"", "a b c - cgroup2", "1 2 3 4 5 - cgroup2 x", " - ", "1 2 3 / /x rw - cgroup2 none"}) {
        mounts(text);
        EXPECT_FALSE(read().limited()) << text;
    }
}

TEST(SmallFile, ReadsProcAndReportsMissingFiles)
{
    std::string text;
    EXPECT_TRUE(read_small_file("/proc/self/maps", text));
    EXPECT_GT(text.size(), 1000u);
    EXPECT_FALSE(read_small_file("/nonexistent", text));
    EXPECT_FALSE(read_small_file("/", text));
}

// The real kernel: a group with a quota of 1.5 CPUs, entered by a child.
TEST(RealCgroup, Version1QuotaIsSeen)
{
    const fs::path parent = "/sys/fs/cgroup/cpu";
    const fs::path group = parent / ("artel-test-" + std::to_string(::getpid()));
    if (!fs::exists(parent / "cgroup.procs"))
        GTEST_SKIP() << "no cgroup v1 cpu hierarchy at " << parent;
    if (::mkdir(group.c_str(), 0755) != 0)
        GTEST_SKIP() << "cannot create " << group << ": " << std::strerror(errno);
    const auto put = [](const fs::path& file, const std::string& text) {
        const int out = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
        const bool written = out >= 0 && ::write(out, text.data(), text.size()) ==
                                             static_cast<ssize_t>(text.size());
        ::close(out);
        return written;
    };
    const bool possible = put(group / "cpu.cfs_period_us", "100000") &&
                          put(group / "cpu.cfs_quota_us", "150000");
    int status = 0;
    if (possible) {
        const pid_t child = ::fork();
        if (child == 0) {
            if (!put(group / "cgroup.procs", "0"))
                ::_exit(3);
            const auto quota = read_cpu_quota();
            ::_exit(quota.rounded_up() == 2 && quota.version == 1 && quota.quota_us == 150000 &&
                            quota.group.ends_with(group.filename().string())
                        ? 0
                        : 1);
        }
        ::waitpid(child, &status, 0);
    }
    ::rmdir(group.c_str());
    if (!possible || (WIFEXITED(status) && WEXITSTATUS(status) == 3))
        GTEST_SKIP() << "setting a quota is not permitted here";
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace artel::topology
