// The environment variables of Argobots that are supported, as ABT_x or ABT_ENV_x.
#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::argobots {

struct settings {
    unsigned max_xstreams = 1;
    std::size_t thread_stack_size = 16384;
    std::size_t scheduler_stack_size = 4194304;
    unsigned event_frequency = 50;
    std::uint64_t sleep_nanoseconds = 100;
    unsigned key_table_size = 4;
    int overflow_check = 0;  // the value of ABT_INFO_QUERY_KIND_ENABLED_STACK_OVERFLOW_CHECK
    bool print_config = false;
};

// Reads the present environment.
settings read_settings() noexcept;

}  // namespace artel::argobots
