/* Barrier and allgather of one communicator: see coll_artel_module.c for the set-up,
 * coll_artel_reduce.c for reductions. */
#include "below.h"

#include <stdlib.h>
#include <string.h>

int mca_coll_artel_barrier(ompi_communicator_t* comm, mca_coll_base_module_t* module)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    if (!mca_coll_artel_ready(m, artel_barrier)) {
        int result = OMPI_SUCCESS;
        ARTEL_CALL_BELOW(result, m, barrier, comm);
        return result;
    }
    if (artel_site_nodes(m->site) == 1) {
        return mca_coll_artel_error(artel_site_barrier(m->site));
    }
    /* All ranks of this node, then the first ranks of all nodes, whose return releases the others.
     */
    const int alone = artel_site_alone(m->site);
    int error = alone ? OMPI_SUCCESS : mca_coll_artel_error(artel_site_barrier(m->site));
    if (error == OMPI_SUCCESS && artel_site_number(m->site, ompi_comm_rank(comm)) == 0) {
        error = m->leaders->c_coll->coll_barrier(m->leaders,
                                                 m->leaders->c_coll->coll_barrier_module);
    }
    if (error == OMPI_SUCCESS && !alone) {
        error = mca_coll_artel_error(artel_site_hear_of(m->site, 0));
    }
    return error;
}

static int allgather(mca_coll_artel_module* m, const void* in, int in_count,
                     ompi_datatype_t* in_type, struct mca_coll_artel_row* all, size_t bytes)
{
    const int rank = ompi_comm_rank(m->comm);
    struct mca_coll_artel_row own;
    int error;
    if (in != MPI_IN_PLACE) {
        own = mca_coll_artel_row_open(in, (size_t)in_count, in_type);
    } else {
        ptrdiff_t lower, extent;
        const size_t count = all->count / (size_t)ompi_comm_size(m->comm);
        ompi_datatype_get_extent(all->type, &lower, &extent);
        own = mca_coll_artel_row_open((const char*)all->buffer + rank * (ptrdiff_t)count * extent,
                                      count, all->type);
    }
    /* The others wait for this rank, so it takes part even with a wrong size. A rank that sends
     * more or less than it receives from each gets an error. */
    const int packed = mca_coll_artel_row_pack(&own);
    char* cut = NULL;
    if (own.size != bytes) {
        cut = calloc(1, bytes);
        if (cut == NULL) {
            abort(); /* the others could not be told */
        }
        memcpy(cut, own.bytes, own.size < bytes ? own.size : bytes);
    }
    error = mca_coll_artel_error(
        artel_site_allgather(m->site, cut != NULL ? cut : own.bytes, bytes, all->bytes));
    if (error == OMPI_SUCCESS) {
        error = packed != OMPI_SUCCESS ? packed : cut != NULL ? MPI_ERR_TRUNCATE : OMPI_SUCCESS;
    }
    free(cut);
    mca_coll_artel_row_close(&own);
    return error == OMPI_SUCCESS ? mca_coll_artel_row_unpack(all) : error;
}

/* Decides by the number of bytes that each rank receives from each, which all ranks know; not by
 * that of elements, which may differ. */
int mca_coll_artel_allgather(const void* in, int in_count, ompi_datatype_t* in_type, void* out,
                             int out_count, ompi_datatype_t* out_type, ompi_communicator_t* comm,
                             mca_coll_base_module_t* module)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    size_t bytes = 0;
    ompi_datatype_type_size(out_type, &bytes);
    bytes *= (size_t)out_count;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    int can = mca_coll_artel_ready(m, artel_allgather) && artel_site_nodes(m->site) == 1;
    if (can) {
        can = artel_site_prepare(m->site, bytes, 1);
    }
    if (can < 0) {
        return OMPI_ERROR;
    }
    if (!can) {
        int result = OMPI_SUCCESS;
        ARTEL_CALL_BELOW(result, m, allgather, in, in_count, in_type, out, out_count, out_type,
                         comm);
        return result;
    }
    struct mca_coll_artel_row all = mca_coll_artel_row_open(
        out, (size_t)out_count * (size_t)ompi_comm_size(comm), out_type);
    const int error = allgather(m, in, in_count, in_type, &all, bytes);
    mca_coll_artel_row_close(&all);
    return error;
}
