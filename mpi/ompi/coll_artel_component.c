/* Registration with Open MPI: parameters (as `ompi_info --param coll artel --level 9` shows them),
   and one module per communicator. Loaded through mca_base_component_path; see docs/mpi.md. */
#include "coll_artel.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_parameters = 64 };

static int priority = 60; /* above coll/tuned (30) and coll/sm (0), below those for special
                             communicators (self, inter) */
static char* words[most_parameters];

static int register_parameters(void);
static int open_component(void);
static int init_query(bool progress_threads, bool mpi_threads);
static mca_coll_base_module_t* comm_query(ompi_communicator_t* comm, int* wanted);

__attribute__((visibility("default")))
const mca_coll_base_component_2_0_0_t mca_coll_artel_component = {
    .collm_version =
        {
            MCA_COLL_BASE_VERSION_2_0_0,
            .mca_component_name = "artel",
            MCA_BASE_MAKE_VERSION(component, 0, 1, 0),
            .mca_open_component = open_component,
            .mca_register_component_params = register_parameters,
        },
    .collm_data = {MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .collm_init_query = init_query,
    .collm_comm_query = comm_query,
};

static int register_parameters(void)
{
    const mca_base_component_t* const self = &mca_coll_artel_component.collm_version;
    mca_base_component_var_register(
        self, "priority", "Priority of this component; 0 or less: not used", MCA_BASE_VAR_TYPE_INT,
        NULL, 0, 0, OPAL_INFO_LVL_6, MCA_BASE_VAR_SCOPE_READONLY, &priority);
    struct artel_setting s;
    for (unsigned i = 0; i < most_parameters && artel_get_setting(i, &s); ++i) {
        words[i] = (char*)s.value;
        mca_base_component_var_register(self, s.name, s.help, MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0,
                                        OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY, &words[i]);
    }
    return OMPI_SUCCESS;
}

static int open_component(void)
{
    struct artel_setting s;
    for (unsigned i = 0; i < most_parameters && artel_get_setting(i, &s); ++i) {
        if (words[i] != NULL && strcmp(words[i], s.value) != 0) {
            artel_set(i, words[i]);
        }
    }
    return OMPI_SUCCESS;
}

static int init_query(bool progress_threads, bool mpi_threads)
{
    /* Threads may broadcast on different communicators at once: modules share nothing. */
    (void)progress_threads;
    (void)mpi_threads;
    return OMPI_SUCCESS;
}

static mca_coll_base_module_t* comm_query(ompi_communicator_t* comm, int* wanted)
{
    if (priority <= 0 || OMPI_COMM_IS_INTER(comm) || ompi_comm_size(comm) < 2) {
        return NULL;
    }
    mca_coll_artel_module* const module = OBJ_NEW(mca_coll_artel_module);
    if (module == NULL) {
        return NULL;
    }
    module->super.coll_module_enable = mca_coll_artel_enable;
    module->super.coll_bcast = mca_coll_artel_bcast;
    module->super.coll_barrier = mca_coll_artel_barrier;
    module->super.coll_reduce = mca_coll_artel_reduce;
    module->super.coll_allreduce = mca_coll_artel_allreduce;
    module->super.coll_allgather = mca_coll_artel_allgather;
    *wanted = priority;
    return &module->super;
}
