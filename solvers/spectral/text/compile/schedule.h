/* What a stage of a step does for equations as text: fields that go to points, products there, combinations of these
 * that come back, and how the rates are made of them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_SCHEDULE_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_SCHEDULE_H

#include "solvers/spectral/text/compile/text.h"
#include "transpose/plain/chains.h"

enum {
  TRIAD_TEXT_INPUTS = 64,
  TRIAD_TEXT_PRODUCTS = 96,
  TRIAD_TEXT_OUTPUTS = 64,
  TRIAD_TEXT_USES = 256,
  TRIAD_TEXT_PROFILES = 32,
  TRIAD_TEXT_CLOCKS = 32,
  TRIAD_TEXT_TIMED = 96,
  TRIAD_TEXT_SPEEDS = 96
};

/* Of factors, each an input, a profile and a function of time (-1: none). */
typedef struct triad_text_product {
  int n, input[TRIAD_TEXT_FACTORS], profile, clock;
} triad_text_product;

/* sum of c product; c = base, times the clock of the product */
typedef struct triad_text_output {
  int n, product[TRIAD_TEXT_PRODUCTS];
  double c[TRIAD_TEXT_PRODUCTS], base[TRIAD_TEXT_PRODUCTS];
} triad_text_output;

/* The rate of a field has c clock(t) factor, without a product; factor.node TRIAD_TEXT_ZERO: a constant. */
typedef struct triad_text_timed {
  int field, clock;
  triad_text_factor factor;
  double c;
} triad_text_timed;

/* A function of time; its largest value in the run, and its largest rate of change over that [1/time]. */
typedef struct triad_text_clock {
  const triad_formula *formula;
  double most, rate;
} triad_text_clock;

/* The rate of a field has c M output. */
typedef struct triad_text_use {
  int field, output, node;
  double c;
} triad_text_use;

/* Part of the rate that limits a step: weight |in_0 in_1 .. g_0 g_1| with profiles g (-1: none), or weight sqrt(|..|)
 * of two coefficients. Along an axis the parts of one sum are added, and the largest sum counts; axis 3: of no axis. */
typedef struct triad_text_speed {
  int axis, sum, n, input[4], profile[2], root;
  double weight; /* [1/time per unit of the product] */
} triad_text_speed;

typedef struct triad_text_schedule {
  int n_inputs, n_profiles, n_clocks, n_timed, n_products, n_outputs, n_left, n_uses, n_speeds, full;
  triad_text_factor input[TRIAD_TEXT_INPUTS]; /* each a multiplier on a base of text.h */
  const triad_formula *profile[TRIAD_TEXT_PROFILES];
  triad_text_clock clock[TRIAD_TEXT_CLOCKS];
  triad_text_timed timed[TRIAD_TEXT_TIMED];
  triad_text_product product[TRIAD_TEXT_PRODUCTS];
  triad_text_output output[TRIAD_TEXT_OUTPUTS];
  triad_chains chains;                       /* of outputs, which are in their order */
  triad_text_use use[TRIAD_TEXT_USES];       /* output: number behind the chains */
  triad_text_speed speed[TRIAD_TEXT_SPEEDS]; /* by axis, then sum */
  double constant[TRIAD_TEXT_FIELDS];        /* rates of means */
} triad_text_schedule;

/* The schedule with the fewest transforms of those that are tried. TRIAD_ERR_FEATURE if it is too large.
 * TRIAD_ERR_MEMORY. */
int triad_text_schedule_make(triad_text_schedule **out, triad_text *text, const triad_grid *grid);

/* forms.c: take derivatives off factors of a base: A dx(B) = dx(A B) - dx(A) B, using that solenoidal vectors have no
 * divergence. 0 without memory; -1: the form is too long to be of use. */
int triad_text_pull(triad_text *text, const triad_text_sum *sum, int base, triad_text_sum *out);
/* The bases of factors with derivatives in products of two: their numbers, rising, to list[most]. */
int triad_text_derived_bases(triad_text *text, const triad_text_sum *sum, int *list, int most);

/* Is a product one of two fields alone? Such products are summed before they are added (stage.c and
 * code/code_points.c). */
static inline int triad_text_is_pair(const triad_text_product *p) { return p->n == 2 && p->profile < 0; }

/* speeds.c: what limits the step, of the terms as they are given. 0: too many. */
int triad_text_speeds(triad_text *text, const triad_grid *grid, triad_text_schedule *s);

/* The number of an input, new if there is none; *scale: the factor is so many times it. -1: too many. */
int triad_text_find_input(const triad_text *text, triad_text_schedule *s, triad_text_factor f, double *scale);

/* The number of a profile, new if there is none of the same program; NULL: -1. -2: too many. */
int triad_text_find_profile(triad_text_schedule *s, const triad_formula *f);

#endif
