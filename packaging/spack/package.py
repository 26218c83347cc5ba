"""Spack recipe. Copy the folder into a repository of your own (spack repo create;
packages/artel/package.py), or `spack dev-build artel@main` in a checkout."""

from spack.package import *


class Artel(CMakePackage):
    """One crew of worker threads for a whole program: OpenMP programs of gcc, clang and Intel's
    compilers run on it unchanged, beside C++ loops, tasks and light threads; MPI collectives within
    a node."""

    # No archive is published yet: the source is a checkout.
    version("main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("hwloc@2:")
    depends_on("boost@1.74: +context")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.9:")
    depends_on("cli11@2:")

    requires("target=x86_64:", "platform=linux", msg="Linux on x86-64 only")
    conflicts("%gcc@:11", msg="C++20 as of gcc 12")

    generator("ninja")

    def cmake_args(self):
        # hwloc is loaded when a machine needs it; the build remembers where it is.
        return [self.define("ARTEL_TESTS", False), self.define("ARTEL_MODELS", False)]

    def setup_run_environment(self, env):
        env.prepend_path("PKG_CONFIG_PATH", self.prefix.lib.pkgconfig)
