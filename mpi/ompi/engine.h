/* The shared-memory collectives as C, for the Open MPI component: its internal headers are not C++. What each call promises is told in coll/setup.hpp. */
#pragma once

#include "coll/message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of the settings' table, for `ompi_info`: the name as a component parameter ("fragment"), the text, and the value in force. 0 when there is no such
   row. The strings live as long as the process. */
struct artel_setting {
    const char* name;
    const char* help;
    const char* value;
};
int artel_get_setting(unsigned row, struct artel_setting* setting);
/* Sets row `row`; 0, or -1 when the word makes no sense (a line on stderr says so). */
int artel_set(unsigned row, const char* word);
/* From how many broadcasts on a communicator is set up, and whether each set-up is to be told. */
unsigned artel_setup_after(void);
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

/* Collective. NULL in all ranks when it cannot be. `story` gets what is used, or why not (cut to `room` bytes). */
struct artel_site* artel_site_make(const struct artel_bootstrap* bootstrap, char* story, size_t room);
void artel_site_free(struct artel_site* site);
unsigned artel_site_nodes(const struct artel_site* site);
unsigned artel_site_node_of(const struct artel_site* site, int rank);
unsigned artel_site_number(const struct artel_site* site, int rank);

enum artel_result { artel_ok, artel_truncated, artel_failed };
/* Among the ranks of the caller's node. */
enum artel_result artel_site_broadcast(struct artel_site* site, const struct artel_message* message, unsigned number);

#ifdef __cplusplus
}
#endif
