/* The Open MPI component coll/artel (Open MPI 4.1's interface of the framework, version 2.0.0): what its two files share. */
#pragma once

#include "ompi/engine.h"

#include "ompi_config.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"

struct mca_coll_artel_module {
    mca_coll_base_module_t super;
    ompi_communicator_t* comm;
    /* Those that had these operations before us: they do what comes before the set-up, and everything when it is not possible. */
    mca_coll_base_module_bcast_fn_t bcast;
    mca_coll_base_module_t* bcast_module;
    mca_coll_base_module_allgather_fn_t allgather;
    mca_coll_base_module_t* allgather_module;
    unsigned calls;
    int fallen_back;
    struct artel_site* site;
    ompi_communicator_t* leaders; /* the first rank of every node, when there are several; NULL in others */
};
typedef struct mca_coll_artel_module mca_coll_artel_module;
OBJ_CLASS_DECLARATION(mca_coll_artel_module);

int mca_coll_artel_enable(mca_coll_base_module_t* module, ompi_communicator_t* comm);
int mca_coll_artel_bcast(void* buffer, int count, ompi_datatype_t* type, int root, ompi_communicator_t* comm,
                         mca_coll_base_module_t* module);
