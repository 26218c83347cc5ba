/* nbody.h — forces between particles that are nearer to each other than a cutoff, found through a
 * grid of cells of that width. Particles lie densest in one corner, so cells differ by orders of
 * magnitude. One item is one cell. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct nbody;

struct nbody* nbody_make(long particles);
void nbody_free(struct nbody* problem);
long nbody_cells(const struct nbody* problem);
/* Computes the forces on the particles of one cell. Any thread. */
void nbody_cell(struct nbody* problem, long cell);
void nbody_forget(struct nbody* problem);
/* The first particle with a wrong force, -1 when all are right. */
long nbody_wrong(const struct nbody* problem);

#ifdef __cplusplus
}
#endif
