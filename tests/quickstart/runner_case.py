"""What the tests of tools/quickstart share: where it lies, and runs as it would have measured
them."""

import os
import pathlib
import sys

SOURCE = pathlib.Path(
    os.environ.get("ARTEL_TEST_SOURCE", pathlib.Path(__file__).resolve().parents[2])
)
sys.path.insert(0, str(SOURCE / "tools/quickstart"))

# pylint: disable=wrong-import-position
import agree  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import table  # noqa: E402


def a_run(
    wall=1.0, answer=("result: 1",), failure="", runtime="libgomp.so.1.0.0", created=3, exact=True
):
    return measure.Run(wall, 2 * wall, created, exact, 10, 1 << 20, runtime, failure, list(answer))


def a_result(name, stock, artel):
    program = programs.Program(name, "a title", "An <explanation>.", [name], agree.result_lines)
    result = {
        "program": program,
        "commands": {"stock": [name], "artel": ["artel", "run", "--", name]},
    }
    result.update(stock=stock, artel=artel, complaints=agree.disagreements(stock, artel))
    result["shown"] = result["commands"]
    result["summary"] = table.summarize(result)
    return result
