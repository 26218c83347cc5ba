// Marks the exported functions: the names of MPI that the shim replaces.
#pragma once

#define ARTEL_EXPORT extern "C" __attribute__((visibility("default")))
