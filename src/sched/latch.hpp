// The one-shot event; it lies in a public header because programs embed it in their frames.
// Implemented in latch.cpp.
#pragma once

#include <artel/detail/latch.hpp>
