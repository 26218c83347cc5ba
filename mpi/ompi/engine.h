/* The shared-memory collectives in C, for the Open MPI component, because Open MPI's internal
 * headers are not C++. coll/setup.hpp describes what each call does. */
#pragma once

#include "coll/message.h"
#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of the settings' table, for `ompi_info`: the name as a component parameter ("fragment"),
   the text, and the value in force. 0 when there is no such row. The strings live as long as the
   process. */
struct artel_setting {
    const char* name;
    const char* help;
    const char* value;
};
int artel_get_setting(unsigned row, struct artel_setting* setting);
/* Sets row `row`; 0, or -1 when the word makes no sense (a line on stderr says so). */
int artel_set(unsigned row, const char* word);
/* Whether each set-up is to be reported. */
int artel_verbose(void);

/* Whether memory is a GPU's: coll/device.hpp. */
int artel_on_device(const void* address);

struct artel_site;

struct artel_bootstrap {
    int rank, size;
    void* context;
    int (*allgather)(void* context, const void* own, void* all, int bytes_each);
    int (*progress)(void* context);
};

/* Collective, at the first collective call on a communicator: after how many calls it is set up
 * (coll/agreement.hpp), or artel_never. */
#define artel_never (~0U)
unsigned artel_agreed_setup_after(const struct artel_bootstrap* bootstrap);

/* Collective. NULL in all ranks if it fails. `story` gets a description of what is used, or why not
 * (cut to `room` bytes). */
struct artel_site* artel_site_make(const struct artel_bootstrap* bootstrap, char* story,
                                   size_t room);
void artel_site_free(struct artel_site* site);
unsigned artel_site_nodes(const struct artel_site* site);
unsigned artel_site_node_of(const struct artel_site* site, int rank);
unsigned artel_site_number(const struct artel_site* site, int rank);

enum artel_result { artel_ok, artel_truncated, artel_failed };
/* Among the ranks of the caller's node; `complete`: in the root, it has all of the message. */
enum artel_result artel_site_broadcast(struct artel_site* site, const struct artel_message* message,
                                       unsigned number, int complete);
/* Whether this rank has found that another one of its node has died. */
int artel_site_has_lost_somebody(const struct artel_site* site);

/* The collectives that can be switched off one by one. */
enum artel_collective {
    artel_bcast,
    artel_barrier,
    artel_reduce,
    artel_allreduce,
    artel_allgather
};
int artel_site_does(const struct artel_site* site, enum artel_collective collective);
/* Whether the results of nodes may be combined in their order; whether the caller's node has only
 * one rank, so that there is nothing to do in it. */
int artel_site_nodes_in_order(const struct artel_site* site);
int artel_site_alone(const struct artel_site* site);
/* Before the next three, by all ranks of the node: 1, 0 if the library must do it (all ranks get
 * the same answer), -1 if a rank has died. */
int artel_site_prepare(struct artel_site* site, size_t bytes, size_t element_bytes);
/* Among the ranks of the caller's node, as coll/exchange.hpp has them; `root`: a number in the
 * node, or -1 for everybody. */
enum artel_result artel_site_barrier(struct artel_site* site);
enum artel_result artel_site_hear_of(struct artel_site* site, unsigned number);
enum artel_result artel_site_reduce(struct artel_site* site, const void* in, void* out,
                                    size_t bytes, const struct artel_operation* operation,
                                    int root);
enum artel_result artel_site_allgather(struct artel_site* site, const void* own, size_t bytes,
                                       void* all);

/* A reduction operation of MPI for a type: shim/operation.hpp, which calls only MPI's public
 * functions. */
struct ompi_datatype_t;
struct ompi_op_t;
struct artel_reduction {
    struct artel_operation operation;
    int commutes;
    void* room[16];
};
/* 0: leave it to other modules; the same in all ranks, because type and operation are. Valid as
 * long as r stays where it is. */
int artel_find_reduction(struct artel_reduction* r, struct ompi_datatype_t* type,
                         struct ompi_op_t* op);

#ifdef __cplusplus
}
#endif
