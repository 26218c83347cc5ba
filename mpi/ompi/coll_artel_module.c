/* The broadcasts of one communicator. The first ones are left to the module below; then all ranks
 * set the communicator up, at the same call. */
#include "below.h"

#include "opal/runtime/opal_progress.h"

#include <stdio.h>
#include <string.h>

static void construct(mca_coll_artel_module* m)
{
    memset((char*)m + sizeof m->super, 0, sizeof *m - sizeof m->super);
}

static void destruct(mca_coll_artel_module* m)
{
    artel_site_free(m->site);
    if (m->leaders != NULL && m->leaders != MPI_COMM_NULL) {
        ompi_comm_free(&m->leaders);
    }
    mca_coll_base_module_t** const others[] = {&m->bcast_module, &m->allgather_module,
                                               &m->barrier_module, &m->reduce_module,
                                               &m->allreduce_module};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        if (*others[i] != NULL) {
            OBJ_RELEASE(*others[i]);
        }
    }
}

OBJ_CLASS_INSTANCE(mca_coll_artel_module, mca_coll_base_module_t, construct, destruct);

int mca_coll_artel_enable(mca_coll_base_module_t* module, ompi_communicator_t* comm)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    m->comm = comm;
    mca_coll_base_comm_coll_t* const before = comm->c_coll;
    if (before->coll_bcast == NULL || before->coll_allgather == NULL) {
        return OMPI_ERROR; /* there is no module to fall back to, so ours is not used */
    }
    ARTEL_REMEMBER_BELOW(m, before, bcast);
    ARTEL_REMEMBER_BELOW(m, before, allgather);
    ARTEL_REMEMBER_BELOW(m, before, barrier);
    ARTEL_REMEMBER_BELOW(m, before, reduce);
    ARTEL_REMEMBER_BELOW(m, before, allreduce);
    return OMPI_SUCCESS;
}

static int gather(void* context, const void* own, void* all, int bytes_each)
{
    mca_coll_artel_module* const m = context;
    int result = OMPI_SUCCESS;
    ARTEL_CALL_BELOW(result, m, allgather, own, bytes_each, MPI_BYTE, all, bytes_each, MPI_BYTE,
                     m->comm);
    return result == OMPI_SUCCESS ? 0 : 1;
}

static int progress(void* context)
{
    (void)context;
    opal_progress();
    return 0;
}

static struct artel_bootstrap bootstrap_of(mca_coll_artel_module* m)
{
    const struct artel_bootstrap b = {ompi_comm_rank(m->comm), ompi_comm_size(m->comm), m, gather,
                                      progress};
    return b;
}

static void set_up(mca_coll_artel_module* m)
{
    const int rank = ompi_comm_rank(m->comm);
    const struct artel_bootstrap bootstrap = bootstrap_of(m);
    char story[400];
    m->site = artel_site_make(&bootstrap, story, sizeof story);
    if (artel_verbose() && rank == 0) {
        fprintf(stderr, "artel: communicator of %d: %s\n", bootstrap.size, story);
    }
    if (m->site != NULL && artel_site_nodes(m->site) > 1) {
        const int colour = artel_site_number(m->site, rank) == 0 ? 0 : MPI_UNDEFINED;
        if (ompi_comm_split(m->comm, colour, rank, &m->leaders, false) != OMPI_SUCCESS) {
            artel_site_free(m->site);
            m->site = NULL;
        }
    }
    m->fallen_back = m->site == NULL;
}

int mca_coll_artel_ready(mca_coll_artel_module* m, enum artel_collective collective)
{
    if (m->site == NULL && !m->fallen_back && !m->in_setup) {
        /* Open MPI's own functions that are called in between may end up here. */
        m->in_setup = 1;
        if (m->calls == 0) {
            const struct artel_bootstrap bootstrap = bootstrap_of(m);
            m->setup_after = artel_agreed_setup_after(&bootstrap);
        }
        if (m->setup_after == artel_never) {
            m->fallen_back = 1;
        } else if (++m->calls > m->setup_after) {
            set_up(m);
        }
        m->in_setup = 0;
    }
    return m->site != NULL && !m->in_setup && artel_site_does(m->site, collective);
}

int mca_coll_artel_error(enum artel_result result)
{
    return result == artel_ok          ? OMPI_SUCCESS
           : result == artel_truncated ? MPI_ERR_TRUNCATE
                                       : OMPI_ERROR;
}

int mca_coll_artel_bcast_in_node(mca_coll_artel_module* m, void* buffer, int count,
                                 ompi_datatype_t* type, unsigned number, int error)
{
    const int complete = error == OMPI_SUCCESS;
    struct artel_message message = {NULL, 0, NULL, NULL};
    size_t size = 0;
    ptrdiff_t gap = 0;
    struct mca_coll_artel_stream s;
    enum artel_result result;
    const int sends = artel_site_number(m->site, ompi_comm_rank(m->comm)) == number;
    ompi_datatype_type_size(type, &size);
    message.bytes = size * (size_t)count;
    if (ompi_datatype_is_contiguous_memory_layout(type, count) && !artel_on_device(buffer)) {
        opal_datatype_span(&type->super, count, &gap);
        message.data = (char*)buffer + gap;
        result = artel_site_broadcast(m->site, &message, number, complete);
    } else {
        mca_coll_artel_stream_open(&s, buffer, count, type, sends);
        message.move = mca_coll_artel_stream_move;
        message.stream = &s;
        result = artel_site_broadcast(m->site, &message, number, complete);
        mca_coll_artel_stream_close(&s);
    }
    return mca_coll_artel_error(result);
}

/* The root's node first, then the leaders of all nodes, then the other nodes. Others wait for the
 * steps of a rank that has met an error, too, so it does them all, and returns the first error; but
 * when a rank of its node has died, nobody there goes on. */
static int over_nodes(mca_coll_artel_module* m, void* buffer, int count, ompi_datatype_t* type,
                      int root)
{
    const int rank = ompi_comm_rank(m->comm);
    const unsigned home = artel_site_node_of(m->site, root);
    const int at_home = artel_site_node_of(m->site, rank) == home;
    int error = OMPI_SUCCESS;
    if (at_home) {
        error = mca_coll_artel_bcast_in_node(m, buffer, count, type,
                                             artel_site_number(m->site, root), OMPI_SUCCESS);
    }
    if (error != OMPI_SUCCESS && artel_site_has_lost_somebody(m->site)) {
        return error;
    }
    if (artel_site_number(m->site, rank) == 0) {
        mca_coll_base_comm_coll_t* const others = m->leaders->c_coll;
        mca_coll_artel_keep(&error, others->coll_bcast(buffer, count, type, (int)home, m->leaders,
                                                       others->coll_bcast_module));
    }
    if (!at_home) {
        mca_coll_artel_keep(&error, mca_coll_artel_bcast_in_node(m, buffer, count, type, 0, error));
    }
    return error;
}

int mca_coll_artel_bcast(void* buffer, int count, ompi_datatype_t* type, int root,
                         ompi_communicator_t* comm, mca_coll_base_module_t* module)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    size_t size = 0;
    ompi_datatype_type_size(type, &size);
    if (count == 0 || size == 0) {
        return OMPI_SUCCESS;
    }
    if (!mca_coll_artel_ready(m, artel_bcast)) {
        int result = OMPI_SUCCESS;
        ARTEL_CALL_BELOW(result, m, bcast, buffer, count, type, root, comm);
        return result;
    }
    if (artel_site_nodes(m->site) > 1) {
        return over_nodes(m, buffer, count, type, root);
    }
    return mca_coll_artel_bcast_in_node(m, buffer, count, type, (unsigned)root, OMPI_SUCCESS);
}
