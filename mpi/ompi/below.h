/* Calling whoever had an operation of a communicator before us.

   Some take themselves for the one that the communicator calls: coll/han, where it cannot do its
   part (one rank on every node, or not as many on all), takes itself out and calls the
   communicator's operation once more. Were that still ours, we would call it again, and so on
   without end. So for as long as such a call runs, the communicator's operation is that module's;
   and whatever has taken its place by then is what comes before us from now on. Nobody else looks
   at the operation meanwhile: MPI allows one blocking collective at a time on a communicator.
   References: the communicator's is lent to the module below together with the place, and comes
   back to us. */
#pragma once

#include "coll_artel.h"

#define ARTEL_CALL_BELOW(result, m, operation, ...)                                     \
    do {                                                                                \
        mca_coll_base_comm_coll_t* const table_ = (m)->comm->c_coll;                    \
        mca_coll_base_module_##operation##_fn_t const ours_ = table_->coll_##operation; \
        mca_coll_base_module_t* const our_module_ = table_->coll_##operation##_module;  \
        table_->coll_##operation = (m)->operation;                                      \
        table_->coll_##operation##_module = (m)->operation##_module;                    \
        (result) = (m)->operation(__VA_ARGS__, (m)->operation##_module);                \
        (m)->operation = table_->coll_##operation;                                      \
        (m)->operation##_module = table_->coll_##operation##_module;                    \
        table_->coll_##operation = ours_;                                               \
        table_->coll_##operation##_module = our_module_;                                \
    } while (0)

/* Keeps who has an operation of a communicator before us. Where nobody has, there is nobody to fall
 * back to, and we do not offer it either. */
#define ARTEL_REMEMBER_BELOW(m, before, operation)                         \
    do {                                                                   \
        if ((before)->coll_##operation == NULL) {                          \
            (m)->super.coll_##operation = NULL;                            \
        } else {                                                           \
            (m)->operation = (before)->coll_##operation;                   \
            (m)->operation##_module = (before)->coll_##operation##_module; \
            OBJ_RETAIN((m)->operation##_module);                           \
        }                                                                  \
    } while (0)
