// What libomp shows of its settings, in its words and layout, for programs made for it.
#pragma once

namespace artel::openmp {

// OMP_DISPLAY_ENV, omp_display_env; all: VERBOSE. Only the settings that Artel has; standard error.
void display_as_libomp(bool all);

// KMP_SETTINGS: the variables that are set, then all settings.
void display_kmp_settings();

// KMP_VERSION.
void display_kmp_version();

}  // namespace artel::openmp
