"""Kernels of Jupyter: started under Artel, or with artel.patch() in the first cell."""

import os
import pathlib
import queue
import sys
import time

import pytest

jupyter_client = pytest.importorskip("jupyter_client")
pytest.importorskip("ipykernel")

KERNEL = ["-m", "ipykernel_launcher", "-f", "{connection_file}"]
START = {
    "under": ([sys.executable, "-m", "artel", *KERNEL], "import artel"),
    "patched": ([sys.executable, *KERNEL], "import artel; found = artel.patch()"),
}
SECONDS = 120  # for whatever a busy machine takes


class Kernel:
    def __init__(self, words):
        environment = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("OMP_", "LD_PRELOAD", "ARTEL_")) or k.startswith("ARTEL_PYTHON_")
        }
        self.manager = jupyter_client.KernelManager(kernel_name="python3")
        self.manager.kernel_spec.argv = words
        self.manager.start_kernel(env={**environment, "ARTEL_NUM_THREADS": "2"})
        self.meet()

    def meet(self):
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=SECONDS)

    def restart(self):
        self.client.stop_channels()
        self.manager.restart_kernel(now=True)
        self.meet()

    def run(self, cell):
        """What the cell printed, and how it ended: "" or the name of an exception."""
        return self.end(self.client.execute(cell))

    def begin(self, cell):
        """Returns when the cell has printed a line."""
        number = self.client.execute(cell)
        while self.next(number)["msg_type"] != "stream":
            pass
        return number

    def next(self, number):
        try:
            while True:
                message = self.client.get_iopub_msg(timeout=SECONDS)
                if message["parent_header"].get("msg_id") == number:
                    return message
        except queue.Empty:
            pytest.fail("the kernel says nothing")

    def end(self, number):
        printed, ended = "", ""
        while True:
            message = self.next(number)
            content = message["content"]
            if message["msg_type"] == "stream":
                printed += content["text"]
            elif message["msg_type"] == "error":
                ended = content["ename"]
            elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                return printed, ended

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(params=list(START))
def kernel(request):
    words, first = START[request.param]
    it = Kernel(words)
    try:
        assert it.run(first) == ("", "")
        yield it
    finally:
        it.close()


BEFORE = """
import ctypes, time
try:
    import numpy
    a = numpy.ones((256, 256))
except ImportError:
    a = None
# It sleeps as long as its first argument says, which is the context.
nap = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p).value
"""
LONG = {
    "region": "artel.parallel_for(0, 100_000, nap, context=100_000)",
    "python region": "artel.parallel_for(0, 10**9, lambda b, e: [i for i in range(b, e)])",
    "map": "artel.map(time.sleep, [600] * 4)",
    "calls": "while True: a @ a",
}


def test_an_interrupt_ends_the_cell_and_the_kernel_goes_on(kernel):
    """How soon is told with a failure, not judged: the machine may be busy."""
    assert kernel.run(BEFORE) == ("", "")
    for name, cell in LONG.items():
        if name == "calls" and kernel.run("print(a is None)")[0] == "True\n":
            continue
        number = kernel.begin("print('begun', flush=True)\n" + cell)
        time.sleep(0.3)
        begin = time.monotonic()
        kernel.manager.interrupt_kernel()
        assert kernel.end(number)[1] == "KeyboardInterrupt", name
        print(f"{name}: ended after {time.monotonic() - begin:.2f} s")
        assert kernel.run("print(artel.map(abs, [-1, -2]))") == ("[1, 2]\n", ""), name
        look = "artel.parallel_for(0, 10, nap, context=1); print('done')"
        assert kernel.run(look) == ("done\n", ""), name


def test_calls_and_regions_of_a_kernel(kernel):
    pytest.importorskip("numpy")
    cell = """
import numpy as np
from concurrent.futures import ThreadPoolExecutor
a = [np.random.default_rng(i).normal(size=(200, 200)) for i in range(8)]
with ThreadPoolExecutor(8) as threads:
    b = list(threads.map(np.linalg.inv, a))
print(all(np.allclose(x @ y, np.eye(200)) for x, y in zip(a, b)))
blas = [l["file"] for l in artel.stats()["blas"]]
loaded = [f for f in artel._native.loaded_files()
          if "openblas" in f and "-artel" not in f and "/libartel" not in f]
print({os.path.realpath(b) for b in blas} == set(loaded), artel.stats()["threads"])
"""
    assert kernel.run("import artel._native, os\n" + cell) == ("True\nTrue 2\n", "")


def test_a_kernel_that_is_restarted(kernel):
    look = "import artel; print(len(artel.map(abs, range(50))), artel.patch().late)"
    assert kernel.run(look) == ("50 ()\n", "")
    kernel.restart()
    assert kernel.run("print('artel' in globals())") == ("False\n", "")
    assert kernel.run(look) == ("50 ()\n", "")


def test_the_notebook_of_the_guide():
    pytest.importorskip("numpy")
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    here = pathlib.Path(__file__).resolve().parent
    places = (here / "python.ipynb", here.parents[1] / "docs" / "guide" / "python.ipynb")
    file = next((place for place in places if place.exists()), None)
    assert file is not None, places
    notebook = nbformat.read(file, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    manager = jupyter_client.AsyncKernelManager(kernel_name="python3")
    manager.kernel_spec.argv = START["patched"][0]
    nbclient.NotebookClient(notebook, km=manager, timeout=SECONDS).execute()
    text = [
        out.get("text", "") + out.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        for out in cell.get("outputs", [])
    ]
    assert text[0].endswith("()\n")
    assert text[2:4] == ["8", "True"]
    assert "a crew of " in text[4]
