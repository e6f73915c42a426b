/* Groups of particles: what a case says of each, and the particles that are on this rank.
 *
 * A particle is a record of doubles, wherever it goes: its number, its position, which is not folded back into the box, the
 * register of the Runge-Kutta scheme, the fluid's velocity at it; of an inertial one also its own velocity, the register of
 * that and the fluid's acceleration. A rank has those whose plane of points (the one below) it owns. What is computed of a
 * particle depends on the particle alone, so that neither ranks nor threads nor the order of records show in it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GROUPS_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GROUPS_H

#include "case/case.h"
#include "grid/layout.h"
#include "parallel/context.h"
#include "solvers/spectral/particles/motion_points.h"

enum triad_particle_kind { TRIAD_TRACER, TRIAD_INERTIAL };

/* Where things stand in a record. */
enum {
  TRIAD_PARTICLE_ID = 0,
  TRIAD_PARTICLE_X = 1,
  TRIAD_PARTICLE_XQ = 4,
  TRIAD_PARTICLE_U = 7,
  TRIAD_TRACER_WIDTH = 10,
  TRIAD_PARTICLE_V = 10,
  TRIAD_PARTICLE_VQ = 13,
  TRIAD_INERTIAL_WIDTH = 16,
  TRIAD_PARTICLE_A = 16, /* of those with added mass only */
  TRIAD_PARTICLE_MOST = 19
};

enum { TRIAD_PARTICLE_NAME = 48 };

/* What rows travel through. It grows by half of what is wanted more, and stays: steps that move no more than those before take no
 * memory. All zero: empty. */
typedef struct triad_row_buffers {
  int64_t away_room, packed_room, in_room, to_room;
  double *away, *packed;     /* [away_room] the caller's; [packed_room] by ranks */
  double *arrived;           /* [in_room]                               */
  int32_t *to;               /* [to_room] ranks of the rows in away     */
  int64_t *begin, *counts;   /* [2][ranks + 1], [2][ranks]              */
  MPI_Request *requests;     /* [2][ranks]                              */
  MPI_Datatype row;          /* of `width` doubles                      */
  int width;
} triad_row_buffers;

/* Room for n rows of `width` that leave, in away and to. TRIAD_ERR_MEMORY. Not collective. */
int triad_row_buffers_fit(triad_row_buffers *buffers, int64_t n, int width);
void triad_row_buffers_free(triad_row_buffers *buffers);

typedef struct triad_group {
  const char *name; /* the case's                                         */
  int number;       /* of its table in the case, from 1                   */
  enum triad_particle_kind kind;
  int order;        /* points along an axis that it is summed from        */
  int divided;      /* by B-splines, for which modes are divided; 0: by polynomials */
  int64_t count;    /* on all ranks                                       */
  double rate;      /* 1/(response time)                                  */
  double pull[3];   /* what gravity less buoyancy gives                   */
  double mass;      /* 3/(2 R + 1): the share of the fluid's acceleration */
  int width;        /* doubles in a record                                */

  int64_t n, room;  /* here; records there is room for                    */
  double *record;   /* [room][width]                                      */
  int32_t *order_of; /* [room] numbers of records, by planes and rows     */
  int sorts;         /* how often they were sorted                        */
  int64_t *begin;   /* [planes * rows + 1] where those of each row begin  */
  triad_row_buffers buffers; /* of those that leave                       */
} triad_group;

/* The record of number i here. */
static inline double *triad_group_record(const triad_group *g, int64_t i) { return g->record + i * g->width; }

/* What table `number` says. Not collective. */
void triad_group_read(triad_group *group, const triad_case *given, int number);
void triad_group_destroy(triad_group *group, triad_memory *memory);

/* Room for n records, and a tenth more of those that may come where there are other ranks; those that are there stay.
 * TRIAD_ERR_MEMORY. Not collective. */
int triad_group_fit(triad_group *group, const triad_context *context, int64_t n);

/* The rank that has the particles at this z. */
int triad_group_owner(const triad_layout *layout, double z);

/* Take over rows[n][width] of any ranks: each goes to the owner of its plane; what was here before is dropped. Collective. */
int triad_group_take(triad_group *group, const triad_context *context, const triad_layout *layout, int64_t n, double *rows);

/* Records whose particles have left this rank's planes go to their owners, and all are sorted by planes and rows in them, so
 * that neighbours follow each other; now and then the records themselves too. The fluid's velocity in them is lost. TRIAD_ERR_MEMORY.
 * Collective. */
int triad_group_sort(triad_group *group, const triad_context *context, const triad_layout *layout);

/* Exchange rows of `width` doubles: row i of n goes to rank to[i]; both may be the buffers' own. *out has what came, by ranks, until the
 * next call. TRIAD_ERR_MEMORY on all ranks. Collective. */
int triad_rows_exchange(const triad_comm *comm, triad_row_buffers *buffers, int width, int64_t n, const double *rows,
                        const int32_t *to, double **out, int64_t *n_out);

/* Records to rows by number: this rank's rows, first .. first + *count - 1 of all, of `width` numbers each behind the particle's
 * number in rows[n][1 + width]. *out, malloc'd, [*count][width]. files.c. Collective. */
int triad_particles_by_number(const triad_comm *comm, int64_t all, int width, int64_t n, const double *rows, double **out,
                              int64_t *first, int64_t *count);

/* start.c, of no flow: rows[end - begin][group->width] of particles begin .. end - 1 of a group, at their places in a box. How many a
 * group's file holds. Positions of a lattice of `count`: how many along each axis; 0 where that many make none. Not collective. */
int triad_start_places(const triad_group *group, const triad_case *given, const double length[3], int64_t begin, int64_t end, double *rows);
int triad_start_count(const triad_case *given, int number, int64_t *count);
int triad_start_lattice(int64_t count, const double length[3], int64_t n[3]);

#endif
