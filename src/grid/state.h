/* A state: the fields that are advanced in time, and which copy of each is up to date.
 *
 * A field may have a copy on the host and one on a device. A caller requests a copy for one of three uses:
 *
 *   read       the copy is updated first if it is out of date; both copies are valid afterwards
 *   write      the same, but the caller will change a part of it: the other copy becomes out of date
 *   overwrite  the caller will set all of it: nothing is copied, the other copy becomes out of date
 *
 * It is an error, reported with the field's name, if a copy does not exist or cannot be updated. The pointer is valid
 * until the other copy is written. (After libCEED's CeedVectorGetArray, GetArrayRead and GetArrayWrite.) */
#ifndef TRIAD_GRID_STATE_H
#define TRIAD_GRID_STATE_H

#include "base/memory.h"
#include "base/precision.h"
#include "grid/field.h"
#include "grid/space.h"
#include "parallel/comm.h"

typedef enum triad_where { TRIAD_HOST, TRIAD_DEVICE, TRIAD_WHERE } triad_where;

typedef struct triad_state triad_state;

/* Create a state for a list of fields, which must outlive it, in a space, which is copied. It has no copies of the
 * fields yet. TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL (triad_fields_check). Not collective, like all functions here
 * except copies. */
int triad_state_create(triad_state **out, triad_memory *memory, const triad_space *space,
                       const triad_field_info *fields, int n);
void triad_state_destroy(triad_state **state);

/* Give a field a space of its own, for example a vector component on cell faces. */
int triad_state_set_space(triad_state *state, int field, const triad_space *space);

/* Attach the memory of a field's copy, space->memory entries, which the caller owns. The first copy attached is the
 * newest. */
void triad_state_attach(triad_state *state, int field, triad_where where, void *memory);

/* A function that updates copy `to` of a field from the other copy. */
typedef int triad_state_copy(void *who, int field, triad_where to);
void triad_state_set_copy(triad_state *state, triad_state_copy *copy, void *who);

/* The three requests above. out = NULL if the caller has the pointer. TRIAD_ERR_INTERNAL, or the error of the copy
 * function. */
int triad_state_read(triad_state *state, int field, triad_where where, const void **out);
int triad_state_write(triad_state *state, int field, triad_where where, void **out);
int triad_state_overwrite(triad_state *state, int field, triad_where where, void **out);

/* The same for all fields at once. */
int triad_state_read_all(triad_state *state, triad_where where);
int triad_state_write_all(triad_state *state, triad_where where);
int triad_state_overwrite_all(triad_state *state, triad_where where);

int triad_state_size(const triad_state *state);
/* The space of a field; the same pointer for all fields that share a space. */
const triad_space *triad_state_space(const triad_state *state, int field);
const triad_field_info *triad_state_field(const triad_state *state, int field);
int triad_state_find(const triad_state *state, const char *name); /* index of a field, -1: none */

/* States as vectors, for time schemes and iterative solvers. They use host copies; only entries in the space's runs
 * are changed, not ghosts or padding. All states of a call need the same number of fields in the same spaces. Compiled
 * in both precisions (fields/vectors.c).
 *
 * y <- y + a x. Not collective. */
int triad_state_axpy(triad_state *y, double a, triad_state *x, int threads);

/* y <- sum over i of a[i] x[i], i = 0 .. n - 1, added in this order; y may be one of the x. n is at most
 * TRIAD_COMBINE_MAX. TRIAD_ERR_INTERNAL for more, or if states do not match. Not collective. */
enum { TRIAD_COMBINE_MAX = 8 };
int triad_state_combine(triad_state *y, int n, const double *a, triad_state *const *x, int threads);

/* The sum over all fields and entries of weight x y; for complex numbers Re conj(x) y. Products are rounded, their sum
 * is exact and rounded once: the bits do not depend on the numbers of ranks and threads. Collective; the result is on
 * all ranks. */
int triad_state_dot(const triad_comm *comm, triad_state *x, triad_state *y, int threads, double *out);

#endif
