"""Debian's programs that use libgomp give the same output under `artel run` as without.

usage: debian_test.py ARTEL_TOOL FOLDER_WITH_PROGRAMS [TEST_NAME...]
"""

import glob
import os
import shutil
import subprocess
import tempfile

from support import Program, main

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = ("1", "2", "4", "16")

# Chosen to go through different parallel loops of the libraries; none with random numbers, which
# depend on the number of threads.
IMAGEMAGICK = """-blur 0x3|-gaussian-blur 0x4|-unsharp 0x2|-resize 63%|-rotate 17|-edge 2
-emboss 2|-statistic Median 5x5|-paint 3|-despeckle|-distort Arc 60|-colorspace Lab|-normalize
-equalize|-colors 32|-swirl 120|-implode 0.5|-wave 8x60|-motion-blur 0x6+45|-canny 0x1+10%+30%
-morphology Dilate Disk:3|-adaptive-blur 0x2|-kuwahara 3|-mean-shift 5x5+10%|-shade 30x30
-modulate 110,80,130|-trim|-shear 20x5"""
GRAPHICSMAGICK = """-blur 0x3|-gaussian 0x4|-unsharp 0x2|-resize 63%|-rotate 17|-edge 2|-emboss 2
-median 3|-paint 3|-despeckle|-normalize|-equalize|-colors 32|-swirl 120|-implode 0.5|-wave 8x60
-motion-blur 0x6+45|-enhance|-shade 30x30|-modulate 110,80,130|-lat 10x10+5%|-solarize 50
-shear 20x5"""


def operations(text):
    return [operation.split() for line in text.split("\n") for operation in line.split("|")]


class Pictures(Program):
    """Pictures are written to stdout without compression or dates: each must have the same
    bytes."""

    def compare(self, program, text):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "in.ppm")
            subprocess.run(
                [*program, "-size", "400x300", "plasma:red-blue", "-depth", "8", picture],
                check=True,
                capture_output=True,
            )
            for threads in ("2", "16"):
                for operation in operations(text):
                    with self.subTest(operation=" ".join(operation), threads=threads):
                        printed, _ = self.same(
                            [*program, picture, *operation, "-depth", "8", "ppm:-"],
                            120,
                            OMP_NUM_THREADS=threads,
                        )
                        self.assertEqual(printed[:2], b"P6")

    def test_imagemagick(self):
        if not shutil.which("convert"):
            self.skipTest("ImageMagick is missing: packaging/install-deps programs")
        self.compare(["convert"], IMAGEMAGICK)

    def test_graphicsmagick(self):
        if not shutil.which("gm"):
            self.skipTest("GraphicsMagick is missing: packaging/install-deps programs")
        self.compare(["gm", "convert"], GRAPHICSMAGICK)


class Libraries(Program):
    def blas(self, build):
        found = glob.glob(f"/usr/lib/*/openblas-{build}/libopenblas.so.0")
        if not found:
            self.skipTest(f"libopenblas0-{build} is missing: packaging/install-deps programs")
        return [os.path.join(self.folder, "blas"), found[0]]

    def test_openblas_openmp(self):
        for threads in ("2", "4", "16"):
            for mode, largest in (
                ("alone", "2000"),
                ("inside", "500"),
                ("nested", "500"),
                ("single", "1000"),
                ("mixed", "500"),
                ("pthreads", "127"),
            ):
                for gangs in ("off", "on"):
                    with self.subTest(mode=mode, threads=threads, gangs=gangs):
                        printed, _ = self.ours(
                            [*self.blas("openmp"), mode, largest],
                            OMP_NUM_THREADS=threads,
                            ARTEL_BLAS_GANGS=gangs,
                        )
                        self.assertRegex(printed, rb"^0 of [1-9]")

    def test_openblas_pthread_does_not_see_us(self):
        """It warns at each call when its weak reference to omp_in_parallel is resolved and says
        yes."""
        for threads in ("2", "4"):
            for mode in ("alone", "inside", "pthreads"):
                with self.subTest(mode=mode, threads=threads):
                    printed, errors = self.ours(
                        [*self.blas("pthread"), mode, "256"],
                        OMP_NUM_THREADS=threads,
                        OPENBLAS_NUM_THREADS=threads,
                    )
                    self.assertRegex(printed, rb"^0 of [1-9]")
                    self.assertRegex(errors, r"\Atook [0-9.]+\n\Z")

    def test_fftw(self):
        if not glob.glob("/usr/lib/*/libfftw3_omp.so.3"):
            self.skipTest("libfftw3-double3 is missing: packaging/install-deps programs")
        for threads in THREADS:
            with self.subTest(threads=threads):
                printed, _ = self.same(
                    [os.path.join(self.folder, "fourier")], OMP_NUM_THREADS=threads
                )
                self.assertNotIn(b"WRONG", printed)

    def test_r_data_table(self):
        if (
            not shutil.which("Rscript")
            or subprocess.run(
                ["Rscript", "-e", "library(data.table)"], capture_output=True, check=False
            ).returncode
        ):
            self.skipTest("R's data.table is missing: packaging/install-deps programs")
        # It uses half of the CPUs unless told otherwise, and no more than there are.
        self.same(
            ["Rscript", os.path.join(HERE, "table.R")],
            R_DATATABLE_NUM_PROCS_PERCENT="100",
            OMP_NUM_THREADS="4",
        )

    def test_torch(self):
        """Debian's, for the CPU alone; it needs Debian's own Python."""
        python = "/usr/bin/python3"
        if subprocess.run(
            [python, "-c", "import torch"], capture_output=True, check=False
        ).returncode:
            self.skipTest("python3-torch is missing: packaging/install-deps programs")
        for case in ("torch_training", "torch_elementwise"):
            for threads in ("2", "4"):
                with self.subTest(case=case, threads=threads):
                    self.same(
                        [python, "-B", os.path.join(HERE, "pypi_cases.py"), case],
                        OMP_NUM_THREADS=threads,
                    )


if __name__ == "__main__":
    main()
