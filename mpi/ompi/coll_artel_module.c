/* One communicator's broadcasts. The first ones are left to the module that had them before; then the communicator is set up, by all ranks at the same call. */
#include "coll_artel.h"

#include "ompi/constants.h"
#include "opal/datatype/opal_convertor.h"
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
    if (m->bcast_module != NULL) {
        OBJ_RELEASE(m->bcast_module);
    }
    if (m->allgather_module != NULL) {
        OBJ_RELEASE(m->allgather_module);
    }
}

OBJ_CLASS_INSTANCE(mca_coll_artel_module, mca_coll_base_module_t, construct, destruct);

int mca_coll_artel_enable(mca_coll_base_module_t* module, ompi_communicator_t* comm)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    m->comm = comm;
    m->bcast = comm->c_coll->coll_bcast;
    m->bcast_module = comm->c_coll->coll_bcast_module;
    m->allgather = comm->c_coll->coll_allgather;
    m->allgather_module = comm->c_coll->coll_allgather_module;
    if (m->bcast == NULL || m->allgather == NULL) {
        m->bcast_module = m->allgather_module = NULL;
        return OMPI_ERROR; /* nobody to fall back to: better not to take part */
    }
    OBJ_RETAIN(m->bcast_module);
    OBJ_RETAIN(m->allgather_module);
    return OMPI_SUCCESS;
}

static int gather(void* context, const void* own, void* all, int bytes_each)
{
    mca_coll_artel_module* const m = context;
    return m->allgather(own, bytes_each, MPI_BYTE, all, bytes_each, MPI_BYTE, m->comm, m->allgather_module) == OMPI_SUCCESS ? 0 : 1;
}

static int progress(void* context)
{
    (void)context;
    opal_progress();
    return 0;
}

static void set_up(mca_coll_artel_module* m)
{
    const int rank = ompi_comm_rank(m->comm);
    const struct artel_bootstrap bootstrap = {rank, ompi_comm_size(m->comm), m, gather, progress};
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

/* A buffer of any layout, taken or filled piece by piece. The convertor stops between basic elements; the pieces end anywhere, so that
   what the last element gave too much is kept for the next piece. */
struct stream {
    opal_convertor_t convertor;
    int packing;
    unsigned char kept[64];
    size_t kept_from, kept_to;
};

static int convert(struct stream* s, void* packed, size_t* bytes)
{
    struct iovec piece = {.iov_base = packed, .iov_len = *bytes};
    uint32_t pieces = 1;
    size_t moved = *bytes;
    const int result = s->packing ? opal_convertor_pack(&s->convertor, &piece, &pieces, &moved)
                                  : opal_convertor_unpack(&s->convertor, &piece, &pieces, &moved);
    *bytes = moved;
    return result < 0 ? -1 : 0;
}

static int move(void* context, void* packed, size_t bytes)
{
    struct stream* const s = context;
    unsigned char* at = packed;
    while (bytes > 0) {
        if (s->kept_from < s->kept_to) {
            const size_t n = bytes < s->kept_to - s->kept_from ? bytes : s->kept_to - s->kept_from;
            memcpy(at, s->kept + s->kept_from, n);
            s->kept_from += n;
            at += n;
            bytes -= n;
            continue;
        }
        size_t n = bytes;
        if (convert(s, at, &n) != 0) {
            return -1;
        }
        at += n;
        bytes -= n;
        if (bytes > 0 && n == 0) {
            if (!s->packing) {
                return -1;
            }
            n = sizeof s->kept;
            if (convert(s, s->kept, &n) != 0 || n == 0) {
                return -1;
            }
            s->kept_from = 0;
            s->kept_to = n;
        }
    }
    return 0;
}

/* Among the ranks of this node; `number` is the root's. */
static int in_node(mca_coll_artel_module* m, void* buffer, int count, ompi_datatype_t* type, unsigned number)
{
    struct artel_message message = {NULL, 0, move, NULL};
    size_t size = 0;
    ptrdiff_t gap = 0;
    struct stream s;
    enum artel_result result;
    const int sends = artel_site_number(m->site, ompi_comm_rank(m->comm)) == number;
    ompi_datatype_type_size(type, &size);
    message.bytes = size * (size_t)count;
    if (ompi_datatype_is_contiguous_memory_layout(type, count) && !artel_on_device(buffer)) {
        opal_datatype_span(&type->super, count, &gap);
        message.data = (char*)buffer + gap;
        result = artel_site_broadcast(m->site, &message, number);
    } else {
        OBJ_CONSTRUCT(&s.convertor, opal_convertor_t);
        if (sends) {
            opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &type->super, (size_t)count, buffer, 0,
                                                     &s.convertor);
        } else {
            opal_convertor_copy_and_prepare_for_recv(ompi_mpi_local_convertor, &type->super, (size_t)count, buffer, 0,
                                                     &s.convertor);
        }
        s.packing = sends;
        s.kept_from = s.kept_to = 0;
        message.stream = &s;
        result = artel_site_broadcast(m->site, &message, number);
        OBJ_DESTRUCT(&s.convertor);
    }
    return result == artel_ok ? OMPI_SUCCESS : result == artel_truncated ? MPI_ERR_TRUNCATE : OMPI_ERROR;
}

/* The root's node first, then the leaders of all nodes, then the other nodes. */
static int over_nodes(mca_coll_artel_module* m, void* buffer, int count, ompi_datatype_t* type, int root)
{
    const int rank = ompi_comm_rank(m->comm);
    const unsigned home = artel_site_node_of(m->site, root);
    const int at_home = artel_site_node_of(m->site, rank) == home;
    int result = OMPI_SUCCESS;
    if (at_home) {
        result = in_node(m, buffer, count, type, artel_site_number(m->site, root));
    }
    if (result == OMPI_SUCCESS && artel_site_number(m->site, rank) == 0) {
        result = m->leaders->c_coll->coll_bcast(buffer, count, type, (int)home, m->leaders, m->leaders->c_coll->coll_bcast_module);
    }
    if (result == OMPI_SUCCESS && !at_home) {
        result = in_node(m, buffer, count, type, 0);
    }
    return result;
}

int mca_coll_artel_bcast(void* buffer, int count, ompi_datatype_t* type, int root, ompi_communicator_t* comm,
                         mca_coll_base_module_t* module)
{
    mca_coll_artel_module* const m = (mca_coll_artel_module*)module;
    size_t size = 0;
    if (m->site == NULL) {
        ompi_datatype_type_size(type, &size);
        if (count == 0 || size == 0) {
            return OMPI_SUCCESS;
        }
        if (!m->fallen_back && ++m->calls > artel_setup_after()) {
            set_up(m);
        }
        if (m->site == NULL) {
            return m->bcast(buffer, count, type, root, comm, m->bcast_module);
        }
    }
    if (artel_site_nodes(m->site) > 1) {
        return over_nodes(m, buffer, count, type, root);
    }
    return in_node(m, buffer, count, type, (unsigned)root);
}
