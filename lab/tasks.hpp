// Starts N tasks as threads or as processes and waits for them: the only place where the two
// variants of a workload differ by design.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace artel::lab {

// Runs body(0) .. body(n-1) concurrently, each in its own thread of this process, or in its own
// child process, and returns when all have ended. Affinity: "interleave" puts task i on CPU i mod
// CPUs, "group" puts neighbouring tasks on one CPU, "none" leaves it to the kernel. Returns an
// empty text, or why the system refused to start a task, or how a process died. After a failure
// other processes are killed, but other threads are left running, and the caller must end the
// process without waiting for them.
std::string run_tasks(bool processes, unsigned n, const std::string& affinity,
                      const std::function<void(unsigned)>& body);

// The CPUs that this process may use, ascending; empty if the system does not tell.
std::vector<int> usable_cpus();

// The CPU for task i of n among `cpus`; -1 for "anywhere", also when none is known.
int cpu_of_task(const std::string& affinity, unsigned i, unsigned n, const std::vector<int>& cpus);

}  // namespace artel::lab
