"""The parts of bench/run: what is measured (figures), under what (runtimes), how it is run
(runner), on what (machine), and how it is told (statistics, report)."""
