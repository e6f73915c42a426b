/* A state: the fields that are advanced, and which copy of each is the newest.
 *
 * A field may be held twice, on the host and on a device. Who wants to use a copy says what for, and gets it as it
 * should be:
 *
 *   read       an out-of-date copy is brought up to date first; both are good afterwards
 *   write      the same, for who changes part of it: the other copy is out of date from then on
 *   overwrite  for who sets all of it: nothing is brought
 *
 * A copy that is not there, or cannot be brought, is an error with the field's name. The pointer is good until the
 * other copy is written. (After libCEED's CeedVectorGetArray, GetArrayRead and GetArrayWrite.) */
#ifndef TRIAD_GRID_STATE_H
#define TRIAD_GRID_STATE_H

#include "base/memory.h"
#include "base/precision.h"
#include "grid/field.h"
#include "grid/space.h"
#include "parallel/comm.h"

typedef enum triad_where { TRIAD_HOST, TRIAD_DEVICE, TRIAD_WHERE } triad_where;

typedef struct triad_state triad_state;

/* For fields of this list, which must outlive the state, and which live in `space` (copied). No copies of them yet.
 * TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL (triad_fields_check). Not collective, as all here but copy functions. */
int triad_state_create(triad_state **out, triad_memory *memory, const triad_space *space,
                       const triad_field_info *fields, int n);
void triad_state_destroy(triad_state **state);

/* One of the fields lives in a space of its own: the component of a vector that stands at faces, say. */
int triad_state_set_space(triad_state *state, int field, const triad_space *space);

/* The memory of a field's copy, space->memory entries, which stays the caller's. The first copy of a field that is
 * attached is its newest. */
void triad_state_attach(triad_state *state, int field, triad_where where, void *memory);

/* How field number `field` comes to its copy `to` from the other one. */
typedef int triad_state_copy(void *who, int field, triad_where to);
void triad_state_set_copy(triad_state *state, triad_state_copy *copy, void *who);

/* As above. *out NULL where the pointer is known. TRIAD_ERR_INTERNAL, or what the copy function returns. */
int triad_state_read(triad_state *state, int field, triad_where where, const void **out);
int triad_state_write(triad_state *state, int field, triad_where where, void **out);
int triad_state_overwrite(triad_state *state, int field, triad_where where, void **out);

/* The same for all fields at once. */
int triad_state_read_all(triad_state *state, triad_where where);
int triad_state_write_all(triad_state *state, triad_where where);
int triad_state_overwrite_all(triad_state *state, triad_where where);

int triad_state_size(const triad_state *state);
const triad_space *triad_state_space(const triad_state *state, int field); /* the same pointer for all that share one */
const triad_field_info *triad_state_field(const triad_state *state, int field);
int triad_state_find(const triad_state *state, const char *name); /* number of a field, -1: none */

/* States as vectors: what time schemes and iterative solvers are made of. Host copies; entries that the space's runs
 * hold, ghosts and padding are left as they are. States go together that have as many fields, each of the same space.
 * Compiled in both precisions (vectors.c).
 *
 * y <- y + a x. Not collective. */
int triad_state_axpy(triad_state *y, double a, triad_state *x, int threads);

/* y <- sum over i of a[i] x[i], i = 0 .. n - 1, added in this order; y may be one of them. At most TRIAD_COMBINE_MOST.
 * TRIAD_ERR_INTERNAL for more, or states that do not fit. Not collective. */
enum { TRIAD_COMBINE_MOST = 8 };
int triad_state_combine(triad_state *y, int n, const double *a, triad_state *const *x, int threads);

/* The sum over all fields and entries of weight x y, of complex numbers Re conj(x) y. Terms are rounded products, their
 * sum is exact and rounded once: the same bits on any number of ranks and threads. Collective; on all ranks. */
int triad_state_dot(const triad_comm *comm, triad_state *x, triad_state *y, int threads, double *out);

#endif
