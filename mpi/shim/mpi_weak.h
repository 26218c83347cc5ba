/* mpi.h, with the library's functions and the objects behind Open MPI's handles declared weak: the
   shim may be preloaded into processes without MPI (launchers, shells), where they do not exist.
   Functions would usually be looked up when they are first called, but not under LD_BIND_NOW.
   Included instead of mpi.h throughout the shim. */
#pragma once

#include <mpi.h>

#ifdef OPEN_MPI
#ifdef __cplusplus
extern "C" {
#endif
#define ARTEL_WEAK __attribute__((weak))
extern struct ompi_predefined_communicator_t ompi_mpi_comm_world ARTEL_WEAK,
    ompi_mpi_comm_self ARTEL_WEAK, ompi_mpi_comm_null ARTEL_WEAK;
extern struct ompi_predefined_group_t ompi_mpi_group_null ARTEL_WEAK;
extern struct ompi_predefined_errhandler_t ompi_mpi_errors_return ARTEL_WEAK;
extern struct ompi_predefined_request_t ompi_request_null ARTEL_WEAK;
extern struct ompi_predefined_datatype_t ompi_mpi_datatype_null ARTEL_WEAK,
    ompi_mpi_byte ARTEL_WEAK, ompi_mpi_char ARTEL_WEAK, ompi_mpi_signed_char ARTEL_WEAK,
    ompi_mpi_unsigned_char ARTEL_WEAK, ompi_mpi_short ARTEL_WEAK,
    ompi_mpi_unsigned_short ARTEL_WEAK, ompi_mpi_int ARTEL_WEAK, ompi_mpi_unsigned ARTEL_WEAK,
    ompi_mpi_long ARTEL_WEAK, ompi_mpi_unsigned_long ARTEL_WEAK, ompi_mpi_long_long_int ARTEL_WEAK,
    ompi_mpi_unsigned_long_long ARTEL_WEAK, ompi_mpi_float ARTEL_WEAK, ompi_mpi_double ARTEL_WEAK,
    ompi_mpi_int8_t ARTEL_WEAK, ompi_mpi_int16_t ARTEL_WEAK, ompi_mpi_int32_t ARTEL_WEAK,
    ompi_mpi_int64_t ARTEL_WEAK, ompi_mpi_uint8_t ARTEL_WEAK, ompi_mpi_uint16_t ARTEL_WEAK,
    ompi_mpi_uint32_t ARTEL_WEAK, ompi_mpi_uint64_t ARTEL_WEAK, ompi_mpi_c_bool ARTEL_WEAK,
    ompi_mpi_c_double_complex ARTEL_WEAK;
extern struct ompi_predefined_datatype_t ompi_mpi_long_double ARTEL_WEAK,
    ompi_mpi_c_float_complex ARTEL_WEAK, ompi_mpi_c_long_double_complex ARTEL_WEAK,
    ompi_mpi_aint ARTEL_WEAK, ompi_mpi_offset ARTEL_WEAK, ompi_mpi_count ARTEL_WEAK,
    ompi_mpi_integer ARTEL_WEAK, ompi_mpi_real ARTEL_WEAK, ompi_mpi_dblprec ARTEL_WEAK,
    ompi_mpi_logical ARTEL_WEAK, ompi_mpi_cplex ARTEL_WEAK, ompi_mpi_dblcplex ARTEL_WEAK,
    ompi_mpi_2int ARTEL_WEAK, ompi_mpi_float_int ARTEL_WEAK, ompi_mpi_double_int ARTEL_WEAK,
    ompi_mpi_longdbl_int ARTEL_WEAK, ompi_mpi_long_int ARTEL_WEAK, ompi_mpi_short_int ARTEL_WEAK,
    ompi_mpi_2integer ARTEL_WEAK, ompi_mpi_2real ARTEL_WEAK, ompi_mpi_2dblprec ARTEL_WEAK;
extern struct ompi_predefined_op_t ompi_mpi_op_null ARTEL_WEAK, ompi_mpi_op_sum ARTEL_WEAK,
    ompi_mpi_op_prod ARTEL_WEAK, ompi_mpi_op_max ARTEL_WEAK, ompi_mpi_op_min ARTEL_WEAK,
    ompi_mpi_op_band ARTEL_WEAK, ompi_mpi_op_bor ARTEL_WEAK, ompi_mpi_op_bxor ARTEL_WEAK,
    ompi_mpi_op_land ARTEL_WEAK, ompi_mpi_op_lor ARTEL_WEAK, ompi_mpi_op_lxor ARTEL_WEAK,
    ompi_mpi_op_minloc ARTEL_WEAK, ompi_mpi_op_maxloc ARTEL_WEAK, ompi_mpi_op_replace ARTEL_WEAK,
    ompi_mpi_op_no_op ARTEL_WEAK;
#undef ARTEL_WEAK
#ifdef __cplusplus
}
#endif
#endif

#pragma weak PMPI_Allgather
#pragma weak PMPI_Allreduce
#pragma weak PMPI_Barrier
#pragma weak PMPI_Bcast
#pragma weak PMPI_Cancel
#pragma weak PMPI_Comm_call_errhandler
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_delete_attr
#pragma weak PMPI_Comm_disconnect
#pragma weak PMPI_Comm_free
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_set_errhandler
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_split
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Finalize
#pragma weak PMPI_Finalized
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Initialized
#pragma weak PMPI_Irecv
#pragma weak PMPI_Op_commutative
#pragma weak PMPI_Pack
#pragma weak PMPI_Reduce
#pragma weak PMPI_Reduce_local
#pragma weak PMPI_Request_get_status
#pragma weak PMPI_Type_commit
#pragma weak PMPI_Type_contiguous
#pragma weak PMPI_Type_create_hindexed_block
#pragma weak PMPI_Type_create_hvector
#pragma weak PMPI_Type_create_resized
#pragma weak PMPI_Type_create_struct
#pragma weak PMPI_Type_free
#pragma weak PMPI_Type_get_contents
#pragma weak PMPI_Type_get_envelope
#pragma weak PMPI_Type_get_extent
#pragma weak PMPI_Type_get_true_extent
#pragma weak PMPI_Type_size
#pragma weak PMPI_Type_size_x
#pragma weak PMPI_Unpack
#pragma weak PMPI_Wait

/* Macros of MPICH. */
#ifdef OPEN_MPI
#pragma weak PMPI_Comm_c2f
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Op_f2c
#pragma weak PMPI_Type_f2c
#endif

/* Counts of more than 31 bits came with MPI 4. */
#if MPI_VERSION >= 4
#pragma weak PMPI_Allgather_c
#pragma weak PMPI_Allreduce_c
#pragma weak PMPI_Bcast_c
#pragma weak PMPI_Pack_c
#pragma weak PMPI_Reduce_c
#pragma weak PMPI_Type_get_contents_c
#pragma weak PMPI_Type_get_envelope_c
#pragma weak PMPI_Unpack_c
#endif
