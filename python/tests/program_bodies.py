"""Programs for test_program.py: each has one thing that may differ under `python -m artel`."""

# What a program finds where it begins.
LOOK = """
import sys
names = dict(globals())
loader = names.pop("__loader__")
print([(k, str(v)) for k, v in sorted(names.items()) if k != "__spec__"])
print(loader if isinstance(loader, type) else (type(loader), vars(loader)))
print(getattr(__spec__, "name", None), getattr(__spec__, "origin", None))
print(sys.argv, sys.path[:3])
print(sys.modules["__main__"].__dict__ is globals(), sys._getframe().f_code.co_filename)
def annotated(x: int): pass
print(annotated.__annotations__)
"""

BODIES = {
    "look": LOOK,
    "pickle": """
import dataclasses, enum, inspect, pickle
@dataclasses.dataclass
class Point:
    x: int
    y: "list[int]"
class Color(enum.Enum):
    RED = 1
def double(x):
    return 2 * x
print(pickle.loads(pickle.dumps([Point(1, [2]), Color.RED])))
print(pickle.loads(pickle.dumps(double)) is double)
try:
    print(inspect.getsource(double))
except OSError as error:
    print(error)
""",
    "name": "if __name__ == '__main__':\n    print('main')\n",
    "error": """
class Own(Exception): pass
def outer():
    try:
        1 / 0
    except ZeroDivisionError as error:
        raise Own("text") from error
outer()
""",
    "error_of_no_line": "raise KeyError('x')",
    "syntax": "x = 1\ny = = 2\n",
    "syntax_of_future": "from __future__ import no_such_thing\n",
    "exit": "import sys; sys.exit(7)",
    "exit_text": "import sys; sys.exit('text')",
    "exit_none": "raise SystemExit",
    "interrupt": "raise KeyboardInterrupt",
    "signal": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "hook": """
import sys, traceback
def hook(kind, error, trace):
    print(kind, error, [f.name for f in traceback.extract_tb(trace)], error.__traceback__ is trace)
    print(sys.excepthook is hook, sys.last_traceback is trace)
sys.excepthook = hook
def f(): raise ValueError("x")
f()
""",
    "no_hook": "import sys; print(sys.excepthook is sys.__excepthook__)",
    "exit_in_hook": """
import sys
def hook(*_): sys.exit(5)
sys.excepthook = hook
1 / 0
""",
    "threads": """
import threading, time, sys
def later():
    threading.main_thread().join()
    print(sys.modules["__main__"].later is later, text)
text = "still there"
threading.Thread(target=later).start()
""",
    "at_exit": """
import atexit
text = "still there"
@atexit.register
def last():
    import __main__
    print(__main__.text, text)
1 / 0
""",
    "annotations": "x: int = 3\nprint(__annotations__)",
    "declared": "# -*- coding: latin-1 -*-\nprint(ascii('\u00e9'))",
    "empty": "",
}
