/* Declarations shared by the sources of forces; forcing.h is the public interface. A kind of force is a row of
 * plain/force_list.h. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORCE_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORCE_INTERNAL_H

#include "parallel/sum.h"
#include "solvers/noise.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/force/plain/force_key.h"
#include "solvers/spectral/force/plain/force_list.h"

/* Members that are NULL have nothing to do. prepare: before a stage, finish: after a step of length dt that began at
 * flow->at.step; collective. power: of the field as it is [U^2/T], collective; NULL: forcing->power. longest: the
 * longest step for which the force by itself stays within the Courant number. */
typedef struct triad_force_kind {
  int (*create)(triad_forcing *forcing, const triad_flow *flow);
  int (*prepare)(triad_forcing *forcing, const triad_flow *flow);
  int (*at)(triad_forcing *forcing, const triad_flow *flow, double t, int first); /* as triad_forcing_at */
  int (*finish)(triad_forcing *forcing, triad_flow *flow, double dt);
  int (*power)(triad_forcing *forcing, const triad_flow *flow, double *power);
  double (*longest)(const triad_forcing *forcing, double cfl);
} triad_force_kind;

/* Correlated noise of the band (ornstein_uhlenbeck.c). */
typedef struct triad_force_noise {
  triad_noise of;
  int64_t *number; /* [forcing->count] in it, of modes held here */
  double *sign;    /* [forcing->count] -1: its conjugate */
  int started;     /* the work of this step has its first half */
  triad_sum work;  /* of the step at hand, of this rank */
} triad_force_noise;

/* control.c: a quantity that is held by the power. */
typedef struct triad_force_control {
  int column;              /* of the series; -1: nothing is held */
  int energy, dissipation; /* columns that the time of a turnover is made of */
  int64_t interval;        /* steps from one look to the next */
  double wish, exponent;   /* quantity ~ power^exponent */
  /* time of the last look; of the error over turnovers; ln(power now/power of the case) */
  double since, integral, gain;
} triad_force_control;

/* Formulas (formula.c). A part: a function of position for each field, times a function of time. */
typedef struct triad_force_part {
  triad_formula *time, **space; /* time NULL: 1; [n_fields], NULL: 0   */
  int field, *is_uniform;       /* the first with this time; [n_fields] the same everywhere */
  double amplitude, *f;         /* of space; [count][components][re, im] */
  double now;                   /* the time's, of the stage */
} triad_force_part;

/* Field `to` is driven by a number of time times field `from`. */
typedef struct triad_force_of_field {
  int to, from;
  triad_formula *time; /* NULL: 1 */
  double now;
} triad_force_of_field;

/* What formula f of points has of x and t alone: parts of it, their values in a row at the time of the stage,
 * [n][nx], which it has as variables TRIAD_FORCE_OF_X and on; and what it has of y, z and t alone, which is one
 * value a row, as TRIAD_FORCE_OF_ROW and on. */
enum {
  TRIAD_FORCE_OF_X = TRIAD_FORMULA_VARIABLES,
  TRIAD_FORCE_OF_ROW = TRIAD_FORCE_OF_X + TRIAD_FORMULA_PARTS,
  TRIAD_FORCE_VARIABLES = TRIAD_FORCE_OF_ROW + TRIAD_FORMULA_PARTS
};
typedef struct triad_force_rows {
  int n, n_row;
  triad_formula *part[TRIAD_FORMULA_PARTS], *of_row[TRIAD_FORMULA_PARTS];
  double *value;
} triad_force_rows;

typedef struct triad_force_formulas {
  int *drives; /* [n_fields] TRIAD_FORCE_OF_POINTS .. or'ed */
  int n_parts, n_linear;
  triad_force_part *part;
  triad_force_of_field *linear;
  int n, *field;          /* worked out at points: [n] the fields that they drive, rising */
  triad_formula **f;      /* [n] */
  triad_force_rows *rows; /* [n] what they have of x and t alone */
  unsigned used;          /* bit v: one of them has variable v    */
  double t;               /* of the stage */
  int measures;           /* it is the first, which a step's length hangs on */
  int bad;                /* the first formula, from 1, whose value is none, and where; 0: all are good */
  /* order of points and formulas: the lowest invalid one is reported, whichever thread finds it first */
  int64_t bad_order;
  double bad_value, bad_at[3];
  triad_sum *sums; /* [threads] */
  int there;       /* the parts are on a GPU, which adds them up */
  int fills;       /* their modes are an eighth or more of those of all ranks: triad_force_fills */
  double power;    /* of formulas of fields and at points, as a GPU has measured it; not a number: none has */
} triad_force_formulas;

enum { TRIAD_FORCE_MANY = 4096 };

struct triad_forcing {
  const triad_force_kind *kind;
  unsigned properties;   /* of its row in plain/force_list.h */
  int first, components; /* the fields that it drives                              */
  int energetic;         /* the first of them, whose mean half squares are energies */
  double given_power, power, helicity, amplitude, growth, energy, spacing;
  double injected;  /* mean power of the last step; not a number before the first */
  double end_power; /* of kinds that do not count: power at the end of the last step; not a number: not measured */
  uint64_t key;
  int64_t count; /* forced modes held here */
  int threads;   /* that walk over them where they are TRIAD_FORCE_MANY or more */
  int64_t *place, *column, *kz_number;
  double *weight; /* [count] Hermitian weight     */
  double *lambda; /* [count][components] decay rates */
  double *f;      /* [count][components][re, im]  */
  triad_force_formulas formulas;
  struct triad_force_in_file *file; /* file.c; NULL: none */
  triad_force_noise noise;
  triad_force_control control;
};

#define TRIAD_FORCE_KIND(name, ...) extern const triad_force_kind triad_force_##name;
TRIAD_FORCES(TRIAD_FORCE_KIND)
#undef TRIAD_FORCE_KIND

enum { TRIAD_FORCE_COORDINATES = 4 }; /* the variables x, y, z, t come before the fields */

#endif
