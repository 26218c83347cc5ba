/* Calls the module that had an operation of a communicator before ours.

   Some of these modules call the communicator's operation themselves: coll/han, when it cannot do
   its part (one rank on every node, or not as many on all), removes itself and calls the
   communicator's operation once more. If that were still ours, we would call han again, and so on
   without end. So during such a call the communicator's operation is that module's; the module that
   is installed when it returns is the one below ours from now on. No other call uses the operation
   meanwhile: MPI allows one blocking collective at a time on a communicator. During the call the
   communicator's reference belongs to the module below; afterwards to ours again. */
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

/* Stores the module that has an operation of a communicator before ours. If there is none, we could
 * not fall back to it, and do not offer the operation either. */
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
