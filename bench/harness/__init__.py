"""The parts of bench/run: what is measured (figures), with which runtimes (runtimes), how processes
are run (runner), on which machine (machine), and how results are presented (statistics, report)."""
