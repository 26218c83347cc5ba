"""artel.map, artel.parallel_for and artel.Executor."""

import contextvars
import ctypes
import decimal
import threading

import artel
import pytest


def test_map_keeps_order_and_may_be_nested():
    table = artel.map(lambda i: artel.map(lambda k: i * k, range(20), chunk=3), range(30))
    assert table == [[i * k for k in range(20)] for i in range(30)]
    assert artel.map(len, []) == []
    with pytest.raises(ValueError, match="chunk"):
        artel.map(len, [], chunk=0)


def test_map_raises_what_the_function_raises():
    def fail(i):
        if i == 5:
            raise LookupError("five")
        return i

    with pytest.raises(LookupError, match="five"):
        artel.map(fail, range(100))
    assert artel.map(fail, range(5)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("grain", [1, 7, 1000])
def test_parallel_for_covers_the_range_once(grain):
    seen = [0] * 500

    def body(begin, end):
        for i in range(begin, end):
            seen[i] += 1

    artel.parallel_for(0, 500, body, grain=grain)
    assert seen == [1] * 500
    artel.parallel_for(3, 3, body)
    artel.parallel_for(3, -3, body)
    assert sum(seen) == 500


def test_parallel_for_calls_c_functions():
    # memset(context, begin, end): the right type for what it is called with.
    libc = ctypes.CDLL(None)
    buffer = ctypes.create_string_buffer(64)
    address = ctypes.cast(libc.memset, ctypes.c_void_p).value
    artel.parallel_for(7, 8, address, context=ctypes.addressof(buffer))
    assert buffer.raw[:9] == b"\x07" * 8 + b"\x00"
    artel.parallel_for(9, 10, libc.memset, context=ctypes.addressof(buffer))
    assert buffer.raw[:11] == b"\x09" * 10 + b"\x00"


def test_parallel_for_calls_functions_of_cffi():
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    ffi.cdef("void *memset(void *, int, size_t);")
    buffer = ctypes.create_string_buffer(16)
    library = ffi.dlopen(None)
    artel.parallel_for(3, 4, ffi.addressof(library, "memset"), context=ctypes.addressof(buffer))
    assert buffer.raw[:5] == b"\x03" * 4 + b"\x00"
    mine = ffi.new("char[]", 16)
    artel.parallel_for(5, 6, ffi.addressof(library, "memset"), context=mine)
    assert bytes(ffi.buffer(mine))[:7] == b"\x05" * 6 + b"\x00"
    with pytest.raises(ValueError, match="null pointer"):
        artel.parallel_for(0, 1, ffi.NULL)


def pointers_to_python(kind, function):
    if kind == "ctypes":
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(function)
    ffi = pytest.importorskip("cffi").FFI()
    return ffi.callback("void(void *, int64_t, int64_t)", function)


@pytest.mark.parametrize("kind", ["ctypes", "cffi"])
def test_python_behind_a_pointer_has_a_stack_of_pythons(kind):
    seen, depth, threads = [0] * 200, [], set()
    nested = []
    for _ in range(400):
        nested = [nested]

    def body(context, begin, end):
        assert not context
        threads.add(threading.current_thread().name)
        depth.append(len(repr(nested)))
        for i in range(begin, end):
            seen[i] += 1

    artel.parallel_for(0, 200, pointers_to_python(kind, body))
    assert seen == [1] * 200
    assert set(depth) == {802}
    assert not [name for name in threads if name.startswith("Dummy")]


def test_an_interrupt_ends_a_loop_of_c_functions(run):
    """Each piece takes a tenth of a second, all of them minutes."""
    done = run(
        "-c",
        """
import artel, ctypes, os, signal, threading, time
libc = ctypes.CDLL(None)
nap = ctypes.cast(libc.usleep, ctypes.c_void_p).value  # by its first argument, the context
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    artel.parallel_for(0, 100_000, nap, context=100_000)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begin < 60)
""",
    )
    assert done.stdout == "interrupted True\n"


def test_a_loop_of_c_functions_has_ended_when_interrupts_are_raised(run, tmp_path):
    """Its function may use memory of the caller's."""
    done = run(
        "-c",
        """
import artel, ctypes, os, signal, sys, threading, time
folder = sys.argv[1]
command = f"touch {folder}/begun; sleep 1; touch {folder}/ended".encode()
signal.signal(signal.SIGUSR1, signal.default_int_handler)  # system() ignores SIGINT
def interrupt():
    while not os.path.exists(folder + "/begun"):
        time.sleep(0.01)
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(0.2)
threading.Thread(target=interrupt).start()
try:
    system = ctypes.cast(ctypes.CDLL(None).system, ctypes.c_void_p).value
    text = ctypes.create_string_buffer(command)
    artel.parallel_for(0, 1, system, context=ctypes.addressof(text))
except KeyboardInterrupt:
    print("interrupted", os.path.exists(folder + "/ended"))
""",
        str(tmp_path),
    )
    assert done.stdout == "interrupted True\n"


def test_an_interrupt_ends_a_map_whose_calls_are_long(run):
    done = run(
        "-c",
        """
import artel, os, signal, threading, time
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
first, released = threading.get_ident(), threading.Event()
def call(i):
    if threading.get_ident() != first:
        released.wait(100)
    time.sleep(0.01)
try:
    artel.map(call, range(100_000), chunk=1)
except KeyboardInterrupt:
    print("interrupted", released.is_set())
released.set()
""",
        ARTEL_NUM_THREADS="3",
    )
    assert done.stdout == "interrupted False\n"


def test_maps_go_on_alone_when_the_interpreter_ends(run):
    done = run(
        "-c",
        """
import artel, ctypes, threading, time
artel.map(abs, [1])
def late():
    threading.main_thread().join()
    print(artel.map(abs, range(-3, 0)))
threading.Thread(target=late).start()
""",
        ARTEL_NUM_THREADS="3",
    )
    assert done.stdout == "[3, 2, 1]\n"


def test_loops_of_c_functions_end_when_the_interpreter_ends(run):
    """By what a cycle calls that is only collected then: threads do not run any more."""
    done = run(
        "-c",
        """
import artel, ctypes
libc = ctypes.CDLL(None)
artel.parallel_for(0, 1, libc.sched_yield)
class Buffer:
    def __init__(self):
        self.me = self
    def __del__(self):
        artel.parallel_for(0, 1, libc.getppid)
        print("done", flush=True)
Buffer()
""",
    )
    assert done.stdout == "done\n"


def test_threads_that_could_not_start_are_started_later(run):
    done = run(
        "-c",
        """
import artel, threading
start = threading.Thread.start
def start_one(self):
    if any(each.name.startswith("artel_") for each in threading.enumerate()):
        raise RuntimeError("can't start new thread")
    start(self)
threading.Thread.start = start_one
artel.map(abs, range(9))
threading.Thread.start = start
artel.map(abs, range(9))
print(sum(each.name.startswith("artel_") for each in threading.enumerate()))
""",
        ARTEL_NUM_THREADS="4",
    )
    assert done.stdout == "3\n"


def test_parallel_for_refuses_nonsense():
    for body in (0, -1):
        with pytest.raises(ValueError, match="address of a C function"):
            artel.parallel_for(0, 3, body)
    with pytest.raises(TypeError, match="not bool"):
        artel.parallel_for(0, 3, True)
    with pytest.raises(OverflowError, match="64 bits"):
        artel.parallel_for(0, 1 << 63, ctypes.CDLL(None).memset)
    with pytest.raises(TypeError):
        artel.parallel_for(0, 3.5, print)
    with pytest.raises(TypeError, match="expected a C function or a Python one, not str"):
        artel.parallel_for(0, 3, "body")
    with pytest.raises(ValueError, match="grain"):
        artel.parallel_for(0, 3, print, grain=0)
    with pytest.raises(TypeError, match="context"):
        artel.parallel_for(0, 3, print, context=1)


def test_executors_refuse_to_have_no_threads():
    for threads in (0, -1):
        with pytest.raises(ValueError, match="max_workers"):
            artel.Executor(threads)


def test_executor():
    with artel.Executor() as threads:
        assert list(threads.map(abs, range(-50, 50))) == [abs(i) for i in range(-50, 50)]


def test_children_of_a_fork_go_on(run):
    done = run(
        "-m",
        "artel",
        "-c",
        """
import artel, os
print(artel.map(abs, range(3)), flush=True)
child = os.fork()
if child == 0:
    os._exit(0 if artel.map(abs, [-1, -2, -3]) == [1, 2, 3] else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
    )
    assert done.stdout == "[0, 1, 2]\n0\n"


def test_calls_have_the_callers_context_variables():
    variable = contextvars.ContextVar("variable", default=0)
    both = threading.Barrier(2, timeout=60) if artel.num_threads() > 1 else None

    def look(_):
        if both is not None:
            both.wait()  # so that two threads are at it
        return variable.get(), decimal.getcontext().prec

    variable.set(5)
    with decimal.localcontext() as numbers:
        numbers.prec = 11
        assert artel.map(look, range(2), chunk=1) == [(5, 11), (5, 11)]


def test_an_interrupt_cancels_calls_of_an_executor_that_have_not_begun():
    begun, go = threading.Event(), threading.Event()

    def work():
        begun.set()
        go.wait(60)

    def end():
        with artel.Executor(1) as threads:
            calls.extend(threads.submit(work) for _ in range(5))
            begun.wait(60)
            threading.Timer(0.2, go.set).start()
            raise KeyboardInterrupt

    calls = []
    with pytest.raises(KeyboardInterrupt):
        end()
    assert [call.cancelled() for call in calls] == [False, True, True, True, True]
    assert calls[0].done()
