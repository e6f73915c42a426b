/* Data of bodies and sponges, shared by the sources of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_INTERNAL_H

#include "parallel/sum.h"
#include "solvers/spectral/relax/relax.h"
#include "solvers/spectral/plain/shapes.h"
#include "solvers/spectral/relax/term_points.h"

enum { TRIAD_RELAX_KEY = 64, TRIAD_RELAX_TIME = 3 /* variable t behind x, y, z */ };

/* A number at points and times: a formula, or values of a file. */
typedef struct triad_relax_value {
  triad_formula *f; /* NULL: `now` everywhere                               */
  int in_space;     /* f depends on position: it is evaluated row by row    */
  double now;       /* at all points, if it does not                        */
  double *stored;   /* [points of the mask], if it does not depend on time; NULL: none */
  char key[TRIAD_RELAX_KEY];
} triad_relax_value;

/* A field that is relaxed at the rate factor times the mask. */
typedef struct triad_relax_field {
  int field, result; /* of the flow; of the pass */
  double factor;
  triad_relax_value target;
  int axis; /* of a velocity of a body, which moves along it; -1: none */
  int mean; /* its target is its mean in the box */
} triad_relax_field;

typedef struct triad_relax_item {
  char table[32]; /* "bodies[1]" */
  int is_body, number;
  int in_space;             /* a target is a formula of position, which may be invalid beyond the mask */
  int moves;                /* the mask depends on time: it is computed in every stage */
  double rate_scale;        /* 1/eta of a body's velocity, 1 of a sponge */
  double fastest;           /* the largest factor of its fields: the rate that limits the step, over the mask */
  triad_shape_solid *solid; /* of a body   */
  double band;              /* distance beyond which a mask is 0; width delta */
  double delta;
  triad_formula *path[3]; /* of a body; NULL: 0 */
  double displacement[3], velocity[3], acceleration[3];
  triad_relax_value rate; /* of a sponge */
  int layer;              /* axis; -1: none */
  double from, width, rise, fall;
  triad_relax_row *rows; /* [local rows] of a mask that is stored */
  double *mask;
  int64_t stored; /* points */
  int n_fields;
  triad_relax_field *fields;
  int first_sum; /* of its sums: those of each field (term_points.h), means over the box; then that of the mask */
} triad_relax_item;

enum { TRIAD_RELAX_LANES = 8 }; /* points that are relaxed at once */

struct triad_relaxation {
  int n, threads;
  triad_relax_item *item;
  int n_results, *field; /* [n_results] the field of each */
  int n_left, *sum_of;   /* results behind the first n_left are subtracted from sums sum_of[result - n_left] */
  int *missed;           /* [threads] no item has a part in the points visited last */
  int n_sums;
  triad_sum *sums; /* [threads][n_sums] */
  double *now;     /* [n_sums] of the last stage or measurement */
  double *row;     /* [threads][ROWS][nx] */
  double *mean;    /* [n_fields] of the state */
  int needs_means;
  double t;
  int adds;         /* rates are added up at each point in this stage: in the first one of a step, if they change */
  int rests;        /* no rate depends on time */
  double *peak;     /* [threads] the largest rate there */
  double longest;   /* the largest rate of all ranks, in the first stage of the step */
  double work, reg; /* of the step at hand: the integral, and the register of the scheme */
  double hold[3];   /* the mean velocity */
  int velocity;     /* first field of the velocity */
  int bad;          /* an invalid value: number of the item from 1 */
  char bad_key[TRIAD_RELAX_KEY];
  double bad_value, bad_at[3];
  int64_t bad_order;
};

enum {
  TRIAD_RELAX_MASK_ROW,
  TRIAD_RELAX_TARGET_ROW,
  TRIAD_RELAX_TOTAL_ROW,
  TRIAD_RELAX_SPARE_ROWS,
  TRIAD_RELAX_ROWS = 12
};

/* relax_case.c: read item number i of the case, without its mask; then the shape of a body, with its file; free it. */
int triad_relax_item_read(triad_relax_item *item, const triad_case *given, const triad_grid *grid,
                          const triad_shape *shape, int i);
int triad_relax_item_shape(triad_relax_item *item, const triad_case *given, const triad_grid *grid);
void triad_relax_item_clear(triad_relax_item *item, triad_memory *memory);

/* Does item number i of a case relax a field? */
int triad_relax_takes(const triad_case *given, int i, const triad_shape *shape, int field);

/* relax_series.c: the power of item i on a field, or with -1 on all but passive scalars [U^2/T], and the mean of rate
 * (q - target), of the last stage or measurement. */
double triad_relax_power(const triad_relaxation *relaxation, const triad_flow *flow, int i, int field);
double triad_relax_force(const triad_relaxation *relaxation, int i, int field);

/* relax_mask.c: the mask of an item at points x of row (y, z) at time t, mask[nx]; the range of points that are not 0.
 * spare: [8][nx]. value: that of a formula at `count` points from x = begin on. */
void triad_relax_mask_row(const triad_relax_item *item, const triad_grid *grid, double t, int64_t y, int64_t z,
                          double *mask, double *spare, triad_relax_row *row);
void triad_relax_value_row(const triad_relax_value *value, const triad_grid *grid, double t, int64_t y, int64_t z,
                           int64_t begin, int64_t count, double *spare, double *out);
int triad_relax_store(triad_relaxation *relaxation, triad_flow *flow);

/* relax_mask.c: set the largest rate of all ranks, of masks at rest. Collective. */
int triad_relax_fastest(triad_relaxation *relaxation, const triad_flow *flow);

/* relax_points.c: TRIAD_ERR_CASE if a formula had an invalid value; the means of the host's fields. Collective. */
int triad_relax_good(triad_relaxation *relaxation, const triad_flow *flow);
int triad_relax_means(triad_relaxation *relaxation, const triad_flow *flow);

/* relax_mask.c: an invalid value at a point, the first of which is reported. */
void triad_relax_note(triad_relaxation *relaxation, const triad_grid *grid, int item, const char *key, double value,
                      int64_t x, int64_t y, int64_t z);

#endif
