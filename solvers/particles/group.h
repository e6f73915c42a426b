/* A group of particles: its description in the case, the records of its particles on this rank, and rows that are sent
 * between ranks. Independent of the flow that carries them.
 *
 * A particle is a record of doubles, wherever it goes: its number, its place, and what its family adds. */
#ifndef TRIAD_SOLVERS_PARTICLES_GROUP_H
#define TRIAD_SOLVERS_PARTICLES_GROUP_H

#include "base/log.h"
#include "case/case.h"
#include "parallel/context.h"
#include "store/checkpoint/notes.h"

enum triad_particle_kind { TRIAD_TRACER, TRIAD_INERTIAL };

/* Offsets in a record of any solver; number of rows that a rank sends at once, so that a start and a file need little
 * memory in addition to the records. */
enum { TRIAD_PARTICLE_ID = 0, TRIAD_PARTICLE_X = 1, TRIAD_ROWS_AT_ONCE = 1 << 18 };

/* Buffers for the exchange of rows. They grow by half of the additional size and are retained, so that later steps
 * that move no more rows allocate nothing. All zero: empty. */
typedef struct triad_row_buffers {
  int64_t away_room, packed_room, in_room, to_room;
  double *away, *packed;   /* [away_room] the caller's; [packed_room] by ranks */
  double *arrived;         /* [in_room]                               */
  int32_t *to;             /* [to_room] ranks of the rows in away     */
  int64_t *begin, *counts; /* [2][ranks + 1], [2][ranks]              */
  MPI_Request *requests;   /* [2][ranks]                              */
  MPI_Datatype row;        /* of `width` doubles                      */
  int width;
} triad_row_buffers;

typedef struct triad_group {
  const char *name; /* the case's                                         */
  int number;       /* of its table in the case, from 1                   */
  enum triad_particle_kind kind;
  int order;      /* points along an axis that it is summed from        */
  int divided;    /* by B-splines, for which modes are divided; 0: by polynomials */
  int64_t count;  /* on all ranks                                       */
  double rate;    /* 1/(response time)                                  */
  double pull[3]; /* what gravity less buoyancy gives                   */
  double mass;    /* 3/(2 R + 1): the share of the fluid's acceleration */
  double turn[3]; /* twice the frame's angular velocity, of inertial ones */
  int turns;      /* is that not 0 */
  double least;   /* of a superfluid: the density that its own counts as at least; 0: of another fluid */
  int width;      /* doubles in a record                                */

  int64_t n, room;           /* here; records there is room for                    */
  double *record;            /* [room][width]                                      */
  int32_t *order_of;         /* [room] numbers of records, by planes and tiles    */
  int32_t *key;              /* [room] tile of each record, while they are sorted */
  int sorts;                 /* how often they were sorted                        */
  int64_t *begin;            /* [planes * tiles + 1] where those of each tile begin */
  triad_row_buffers buffers; /* of those that leave                       */
} triad_group;

/* The record of number i here. */
static inline double *triad_group_record(const triad_group *g, int64_t i) { return g->record + i * g->width; }

/* What table `number` says; width stays 0. Not collective. */
void triad_group_describe(triad_group *group, const triad_case *given, int number);
void triad_group_destroy(triad_group *group, triad_memory *memory);

/* Allocate memory for n records, with 10 % reserve if there are other ranks; existing ones are kept. TRIAD_ERR_MEMORY.
 * Not collective. */
int triad_group_fit(triad_group *group, const triad_context *context, int64_t n);

/* Who says where particles begin .. end - 1 are: rows[end - begin][width], all zero before, their numbers put in
 * afterwards. Not collective. */
typedef int triad_group_source(void *self, const triad_group *group, int64_t begin, int64_t end, double *rows);

/* Who has which of a group, and takes what has come behind what is here. Not collective. */
typedef struct triad_group_keeper {
  void *self;
  int (*owner)(void *self, const double *row);
  int (*append)(void *self, int64_t n, const double *rows);
} triad_group_keeper;

#endif
