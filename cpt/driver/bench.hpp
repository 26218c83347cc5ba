// cpt bench: the experiments of bench/cpt.
#pragma once

namespace cpt {

// The exit status where they cannot be started; otherwise they take this process's place.
int run_experiments(int count, char** arguments);

}  // namespace cpt
