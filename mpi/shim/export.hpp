// What is seen of the shim: the names of MPI that it takes the place of.
#pragma once

#define ARTEL_EXPORT extern "C" __attribute__((visibility("default")))
