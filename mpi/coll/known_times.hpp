// Times that were measured earlier in this process (measure.hpp), so that later communicators of
// the same size need not measure again. Any thread.
#pragma once

#include "coll/model.hpp"

#include <cstdint>

namespace artel::coll {

// Looks times up by the number of ranks and measured_message::bytes. False: none are known.
bool find_times(unsigned ranks, std::uint64_t message_bytes, model_times& times);
void keep_times(unsigned ranks, std::uint64_t message_bytes, const model_times& times);
// So that the next communicator measures again. Drops the cached segments, too, which have the
// times that were measured on them.
void forget_times();

}  // namespace artel::coll
