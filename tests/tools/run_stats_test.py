"""`artel run --stats`: what it prints, and that the program gets its signals, each once."""
import fcntl
import os
import select
import signal
import subprocess
import termios
import time
import unittest

from run_case import RunCase, compile_c
from support import clean_environment

# Ends by SIGQUIT, with the number of the SIGINTs that it has got before.
COUNTS_INTERRUPTS = r"""#include <signal.h>
#include <stdio.h>
int main(void)
{
    sigset_t awaited;
    int count = 0, number = 0;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGINT);
    sigaddset(&awaited, SIGQUIT);
    sigprocmask(SIG_BLOCK, &awaited, NULL);
    puts("ready");
    fflush(stdout);
    while (sigwait(&awaited, &number) == 0 && number == SIGINT) {
        printf("told %d\n", ++count);
        fflush(stdout);
    }
    return count;
}
"""


class Stats(RunCase):
    def test_stats_are_printed_and_asked_for(self):
        done = self.run_artel("--stats", "sh", "-c", "echo $ARTEL_STATS")
        self.assertEqual(done.stdout, "true\n")
        self.assertRegex(done.stderr, r"artel run: wall [\d.]+ s, user [\d.]+ s, system [\d.]+ s")
        self.assertIn("context switches", done.stderr)
        self.assertEqual(self.run_artel("--stats", "no-such-program").returncode, 127)

    def test_stats_pass_signals_on(self):
        passed = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)

        def usual_signals():  # a shell cannot trap what was ignored before it
            for number in passed:
                signal.signal(number, signal.SIG_DFL)

        program = self.script(
            "waits",
            "#!/bin/sh\ntrap 'echo told; exit 9' TERM INT QUIT HUP\necho ready\n"
            "for i in $(seq 200); do sleep 0.05; done\n",
        )
        for number in passed:
            child = subprocess.Popen(
                [self.tool, "run", "--stats", program],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=clean_environment(),
                preexec_fn=usual_signals,
            )
            self.assertEqual(child.stdout.readline(), "ready\n")
            time.sleep(0.1)
            child.send_signal(number)
            out, errors = child.communicate(timeout=20)
            self.assertEqual((out, child.returncode), ("told\n", 9), number)
            self.assertIn("context switches", errors)

    def test_signals_of_the_terminal_come_once(self):
        """The terminal sends them to the whole group, the program among it."""
        program = self.root / "counts_interrupts"
        self.assertTrue(compile_c(COUNTS_INTERRUPTS, program))
        master, terminal = os.openpty()
        self.addCleanup(os.close, master)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        child = subprocess.Popen(
            [self.tool, "run", "--stats", str(program)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=clean_environment(),
            preexec_fn=own_terminal,
        )
        os.close(terminal)
        seen = b""
        for number in range(6):
            if number != 0:
                os.write(master, b"\x03")
            while (b"told %d" % number if number != 0 else b"ready") not in seen:
                self.assertTrue(select.select([master], [], [], 20)[0], seen)
                seen += os.read(master, 4096)
            time.sleep(0.05)  # for a second one
        os.write(master, b"\x1c")
        self.assertEqual(child.wait(timeout=20), 5, seen)


if __name__ == "__main__":
    unittest.main()
