/* Buffers of any type as contiguous bytes: as a stream, piece by piece, or copied as a whole. */
#include "coll_artel.h"

#include <stdlib.h>
#include <string.h>

void mca_coll_artel_stream_open(struct mca_coll_artel_stream* s, const void* buffer, size_t count,
                                ompi_datatype_t* type, int packing)
{
    OBJ_CONSTRUCT(&s->convertor, opal_convertor_t);
    if (packing) {
        opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &type->super, count,
                                                 buffer, 0, &s->convertor);
    } else {
        opal_convertor_copy_and_prepare_for_recv(ompi_mpi_local_convertor, &type->super, count,
                                                 (void*)(uintptr_t)buffer, 0, &s->convertor);
    }
    s->packing = packing;
    s->kept_from = s->kept_to = 0;
}

void mca_coll_artel_stream_close(struct mca_coll_artel_stream* s)
{
    OBJ_DESTRUCT(&s->convertor);
}

static int convert(struct mca_coll_artel_stream* s, void* packed, size_t* bytes)
{
    struct iovec piece = {.iov_base = packed, .iov_len = *bytes};
    uint32_t pieces = 1;
    size_t moved = *bytes;
    const int result = s->packing ? opal_convertor_pack(&s->convertor, &piece, &pieces, &moved)
                                  : opal_convertor_unpack(&s->convertor, &piece, &pieces, &moved);
    *bytes = moved;
    return result < 0 ? -1 : 0;
}

int mca_coll_artel_stream_move(void* context, void* packed, size_t bytes)
{
    struct mca_coll_artel_stream* const s = context;
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

struct mca_coll_artel_row mca_coll_artel_row_open(const void* buffer, size_t count,
                                                  ompi_datatype_t* type)
{
    struct mca_coll_artel_row row = {.buffer = buffer, .count = count, .type = type};
    ptrdiff_t gap = 0;
    size_t size = 0;
    ompi_datatype_type_size(type, &size);
    row.size = size * count;
    /* Open MPI only asks whether there is more than one element. */
    if (ompi_datatype_is_contiguous_memory_layout(type, count < 2 ? (int32_t)count : 2) &&
        !artel_on_device(buffer)) {
        opal_datatype_span(&type->super, count, &gap);
        row.bytes = (char*)(uintptr_t)buffer + gap;
    } else {
        row.copy = row.bytes = malloc(row.size + 1);
        if (row.copy == NULL) {
            abort(); /* the others could not be told */
        }
    }
    return row;
}

static int move_row(struct mca_coll_artel_row* row, int packing)
{
    struct mca_coll_artel_stream s;
    if (row->copy == NULL || row->count == 0) {
        return OMPI_SUCCESS;
    }
    mca_coll_artel_stream_open(&s, row->buffer, row->count, row->type, packing);
    const int error = mca_coll_artel_stream_move(&s, row->bytes, row->size);
    mca_coll_artel_stream_close(&s);
    return error == 0 ? OMPI_SUCCESS : OMPI_ERROR;
}

int mca_coll_artel_row_pack(struct mca_coll_artel_row* row)
{
    return move_row(row, 1);
}

int mca_coll_artel_row_unpack(struct mca_coll_artel_row* row)
{
    return move_row(row, 0);
}

void mca_coll_artel_row_close(struct mca_coll_artel_row* row)
{
    free(row->copy);
}
