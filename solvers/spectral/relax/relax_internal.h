/* Data of bodies and sponges, shared by the sources of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_INTERNAL_H

#include "parallel/sum.h"
#include "solvers/bodies.h"
#include "solvers/spectral/relax/relax.h"
#include "solvers/spectral/relax/plain/shapes.h"
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
  double work, hold; /* factors of the sums of power and force in the power of a stage */
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
  triad_strouhal strouhal; /* of a body with coefficients */
  int first_sum; /* of its sums: those of each field (term_points.h), means over the box; then that of the mask */
} triad_relax_item;

enum { TRIAD_RELAX_LANES = 8 }; /* points that are relaxed at once */

struct triad_relaxation {
  int n, threads;
  triad_relax_item *item;
  int n_results, *field; /* [n_results] the field of each */
  int n_left, *sum_of;   /* results behind the first n_left are subtracted from sums sum_of[result - n_left] */
  int *missed;           /* [threads] no item has a part in the points visited last */
  int n_sums;            /* the last one is the power of all items in a stage */
  triad_sum *sums;       /* [threads][n_sums] */
  double *now;           /* [n_sums] of the last measurement; the last one: of the last stage */
  double *row;           /* [threads][ROWS][nx] */
  double *mean;          /* [n_fields] of the state */
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

/* The power of all items, with that of the acceleration that holds the mean velocity, from the sums of fields. */
double triad_relax_power_of_all(const triad_relaxation *relaxation, const triad_flow *flow);

#endif
