// cpt bench: the experiments of bench/cpt.
#pragma once

namespace cpt {

// Replaces this process by the experiments; returns the exit status if they cannot be started.
int run_experiments(int count, char** arguments);

}  // namespace cpt
