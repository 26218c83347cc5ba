// The displays of settings in libomp's words and layout, for programs made for it.
#pragma once

namespace artel::openmp {

// OMP_DISPLAY_ENV, omp_display_env, on standard error. all: VERBOSE. Only the settings that Artel
// has.
void display_as_libomp(bool all);

// KMP_SETTINGS: the variables that are set, then all settings.
void display_kmp_settings();

// KMP_VERSION.
void display_kmp_version();

}  // namespace artel::openmp
