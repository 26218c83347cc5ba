/* The Open MPI component coll/artel (Open MPI 4.1's interface of the framework, version 2.0.0):
 * what its files share. */
#pragma once

#include "ompi/engine.h"

#include "ompi_config.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"
#include "opal/datatype/opal_convertor.h"

struct mca_coll_artel_module {
    mca_coll_base_module_t super;
    ompi_communicator_t* comm;
    /* The modules that had these operations before ours: they do all calls before the set-up, and
     * all if the set-up fails. */
    mca_coll_base_module_bcast_fn_t bcast;
    mca_coll_base_module_t* bcast_module;
    mca_coll_base_module_allgather_fn_t allgather;
    mca_coll_base_module_t* allgather_module;
    mca_coll_base_module_barrier_fn_t barrier;
    mca_coll_base_module_t* barrier_module;
    mca_coll_base_module_reduce_fn_t reduce;
    mca_coll_base_module_t* reduce_module;
    mca_coll_base_module_allreduce_fn_t allreduce;
    mca_coll_base_module_t* allreduce_module;
    unsigned calls, setup_after;
    int fallen_back;
    int in_setup;
    struct artel_site* site;
    ompi_communicator_t* leaders; /* the first ranks of all nodes, if there are several; NULL in
                                     other ranks */
};
typedef struct mca_coll_artel_module mca_coll_artel_module;
OBJ_CLASS_DECLARATION(mca_coll_artel_module);

int mca_coll_artel_enable(mca_coll_base_module_t* module, ompi_communicator_t* comm);
int mca_coll_artel_bcast(void* buffer, int count, ompi_datatype_t* type, int root,
                         ompi_communicator_t* comm, mca_coll_base_module_t* module);
int mca_coll_artel_barrier(ompi_communicator_t* comm, mca_coll_base_module_t* module);
int mca_coll_artel_reduce(const void* in, void* out, int count, ompi_datatype_t* type,
                          struct ompi_op_t* op, int root, ompi_communicator_t* comm,
                          mca_coll_base_module_t* module);
int mca_coll_artel_allreduce(const void* in, void* out, int count, ompi_datatype_t* type,
                             struct ompi_op_t* op, ompi_communicator_t* comm,
                             mca_coll_base_module_t* module);
int mca_coll_artel_allgather(const void* in, int in_count, ompi_datatype_t* in_type, void* out,
                             int out_count, ompi_datatype_t* out_type, ompi_communicator_t* comm,
                             mca_coll_base_module_t* module);

/* Counts a call, sets the communicator up when it is time (all ranks do so at the same call), and
 * returns whether ours is to be used. */
int mca_coll_artel_ready(mca_coll_artel_module* m, enum artel_collective collective);
int mca_coll_artel_error(enum artel_result result);
/* Sets the first error of a collective of several steps. */
static inline void mca_coll_artel_keep(int* error, int of_step)
{
    *error = *error == OMPI_SUCCESS ? of_step : *error;
}
/* Among the ranks of this node; `number` is the root's. `error`: why the root has not got all of
 * the message, of which it tells the others; or OMPI_SUCCESS. */
int mca_coll_artel_bcast_in_node(mca_coll_artel_module* m, void* buffer, int count,
                                 ompi_datatype_t* type, unsigned number, int error);

/* A buffer of any layout, read or filled piece by piece. The convertor stops only between basic
   elements, but pieces end anywhere, so the rest of the last element is kept for the next piece. */
struct mca_coll_artel_stream {
    opal_convertor_t convertor;
    int packing;
    unsigned char kept[64];
    size_t kept_from, kept_to;
};
void mca_coll_artel_stream_open(struct mca_coll_artel_stream* s, const void* buffer, size_t count,
                                ompi_datatype_t* type, int packing);
/* For artel_message. */
int mca_coll_artel_stream_move(void* stream, void* packed, size_t bytes);
void mca_coll_artel_stream_close(struct mca_coll_artel_stream* s);

/* A buffer as contiguous bytes: in place, or as a copy if it has gaps or is a GPU's. What all ranks
   give to one may be more elements than an int can count. */
struct mca_coll_artel_row {
    const void* buffer;
    size_t count;
    ompi_datatype_t* type;
    size_t size;
    char* bytes;
    void* copy;
};
struct mca_coll_artel_row mca_coll_artel_row_open(const void* buffer, size_t count,
                                                  ompi_datatype_t* type);
/* Copies the buffer to the copy, if there is one, and back. Returns an Open MPI error code. */
int mca_coll_artel_row_pack(struct mca_coll_artel_row* row);
int mca_coll_artel_row_unpack(struct mca_coll_artel_row* row);
void mca_coll_artel_row_close(struct mca_coll_artel_row* row);
