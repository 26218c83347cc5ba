/* Reductions of one communicator. Count, type and operation are the same in all ranks, as MPI
 * demands. */
#include "below.h"

#include <stdlib.h>

enum { everybody = -1 };

/* Allocates memory for elements in the layout of the type; *room must be freed. Returns the address
 * of the first. */
static char* make_room(ompi_datatype_t* type, int elements, void** room)
{
    ptrdiff_t gap = 0;
    const ptrdiff_t span = opal_datatype_span(&type->super, elements, &gap);
    *room = malloc((size_t)span + 1);
    if (*room == NULL) {
        abort(); /* the others could not be told */
    }
    return (char*)*room - gap;
}

/* Among the ranks of this node, for its rank `number` or for everybody; `wanted`: this rank gets
 * the result. */
static int in_node(mca_coll_artel_module* m, const void* in, void* out, int count,
                   ompi_datatype_t* type, const struct artel_operation* op, int number, int wanted)
{
    const int in_place = in == MPI_IN_PLACE;
    struct mca_coll_artel_row from = mca_coll_artel_row_open(in_place ? out : in, count, type);
    struct mca_coll_artel_row to = from;
    /* The others wait for this rank's part, even after an error. */
    int error = mca_coll_artel_row_pack(&from);
    if (wanted && !in_place) {
        to = mca_coll_artel_row_open(out, count, type);
    }
    mca_coll_artel_keep(&error, mca_coll_artel_error(artel_site_reduce(
                                    m->site, from.bytes, to.bytes, from.size, op, number)));
    if (error == OMPI_SUCCESS && wanted) {
        error = mca_coll_artel_row_unpack(&to);
    }
    if (wanted && !in_place) {
        mca_coll_artel_row_close(&to);
    }
    mca_coll_artel_row_close(&from);
    return error;
}

/* First within nodes, for their first ranks; then among these; then, if all want the result, within
 * nodes again. As in a broadcast, an error does not end it, unless a rank of this node has died. */
static int over_nodes(mca_coll_artel_module* m, const void* in, void* out, int count,
                      ompi_datatype_t* type, struct ompi_op_t* op,
                      const struct artel_operation* operation, int root)
{
    const int rank = ompi_comm_rank(m->comm), leads = artel_site_number(m->site, rank) == 0,
              alone = artel_site_alone(m->site);
    const int wanted = root == everybody || root == rank;
    mca_coll_base_comm_coll_t* const others = leads ? m->leaders->c_coll : NULL;
    void* room = NULL;
    void* const sum = wanted || !leads ? out : make_room(type, count, &room);
    int error = alone ? OMPI_SUCCESS : in_node(m, in, sum, count, type, operation, 0, leads);
    const int ended = error != OMPI_SUCCESS && artel_site_has_lost_somebody(m->site);
    if (leads && root == everybody && !ended) {
        mca_coll_artel_keep(&error,
                            others->coll_allreduce(alone ? in : MPI_IN_PLACE, sum, count, type, op,
                                                   m->leaders, others->coll_allreduce_module));
    } else if (leads && !ended) {
        const void* const own = alone ? in : wanted ? MPI_IN_PLACE : sum;
        mca_coll_artel_keep(&error, others->coll_reduce(own, wanted ? sum : NULL, count, type, op,
                                                        (int)artel_site_node_of(m->site, root),
                                                        m->leaders, others->coll_reduce_module));
    }
    if (root == everybody && !alone && !ended) {
        mca_coll_artel_keep(&error, mca_coll_artel_bcast_in_node(m, out, count, type, 0, error));
    }
    free(room);
    return error;
}

/* 1: done, with the outcome in *error; 0: other modules must do it. */
static int reduce(mca_coll_artel_module* m, const void* in, void* out, int count,
                  ompi_datatype_t* type, struct ompi_op_t* op, int root, int* error)
{
    struct artel_reduction r;
    size_t size = 0;
    *error = OMPI_SUCCESS;
    ompi_datatype_type_size(type, &size);
    if (count == 0 || size == 0) {
        return 1;
    }
    if (!artel_find_reduction(&r, type, op) ||
        !mca_coll_artel_ready(m, root == everybody ? artel_allreduce : artel_reduce)) {
        return 0;
    }
    const int several = artel_site_nodes(m->site) > 1;
    if (several && ((!r.commutes && !artel_site_nodes_in_order(m->site)) ||
                    (root != everybody && artel_site_number(m->site, root) != 0))) {
        return 0;
    }
    const int can = artel_site_prepare(m->site, size * (size_t)count, size);
    if (can <= 0) {
        *error = OMPI_ERROR;
        return can < 0;
    }
    *error = several ? over_nodes(m, in, out, count, type, op, &r.operation, root)
                     : in_node(m, in, out, count, type, &r.operation, root,
                               root == everybody || root == ompi_comm_rank(m->comm));
    return 1;
}

int mca_coll_artel_reduce(const void* in, void* out, int count, ompi_datatype_t* type,
                          struct ompi_op_t* op, int root, ompi_communicator_t* comm,
                          mca_coll_base_module_t* module)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    int error;
    if (!reduce(m, in, out, count, type, op, root, &error)) {
        ARTEL_CALL_BELOW(error, m, reduce, in, out, count, type, op, root, comm);
    }
    return error;
}

int mca_coll_artel_allreduce(const void* in, void* out, int count, ompi_datatype_t* type,
                             struct ompi_op_t* op, ompi_communicator_t* comm,
                             mca_coll_base_module_t* module)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    int error;
    if (!reduce(m, in, out, count, type, op, everybody, &error)) {
        ARTEL_CALL_BELOW(error, m, allreduce, in, out, count, type, op, comm);
    }
    return error;
}
