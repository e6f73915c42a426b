/* The set of equations that are given as text: what a case makes of them. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_SET_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_SET_H

#include "solvers/spectral/equations/equations.h"
#include "solvers/spectral/text/compile/linear.h"
#include "solvers/spectral/text/compile/schedule.h"

/* A multiplier for rows of modes: c, c i k_axis, or a table of real, imaginary or complex numbers for each mode. */
typedef enum triad_text_way {
  TRIAD_TEXT_BY_NUMBER,
  TRIAD_TEXT_BY_WAVE,
  TRIAD_TEXT_BY_REAL,
  TRIAD_TEXT_BY_IMAGINARY,
  TRIAD_TEXT_BY_COMPLEX
} triad_text_way;

/* to += c M from: from a field to an input, from a result or a field to a rate. */
typedef struct triad_text_link {
  int to, from, axis;
  double c, base;   /* c = base, times clock number `clock` of the schedule (-1: none) */
  int clock, first; /* first: no link before it has the same `to` */
  int node;         /* M, the first of two multipliers */
  int other;        /* the second; TRIAD_TEXT_ONE */
  triad_text_way way;
  const triad_real *table; /* [modes] or (complex) [modes][2], of the set; NULL */
} triad_text_link;

enum { TRIAD_TEXT_LINKS = 512 };

typedef struct triad_text_set {
  triad_text *text;
  triad_text_schedule *schedule;
  triad_text_linear linear;
  triad_text_growth growth;
  triad_grid grid;
  double frequency; /* of linear terms in the rates */
  int n_sources, n_rates;
  triad_text_link source[TRIAD_TEXT_LINKS]; /* by input */
  triad_text_link rate[TRIAD_TEXT_LINKS];   /* results; then fields, from n_results on */
  int n_results;
  char has_rate[TRIAD_TEXT_FIELDS];   /* a link leads to it                                           */
  char projected[TRIAD_TEXT_FIELDS];  /* first components of vectors whose rates have to be projected */
  double constant[TRIAD_TEXT_FIELDS]; /* of the schedule, with functions of time */
  char needed[TRIAD_TEXT_OPERATORS];  /* nodes that sums over modes read */
  double clock[TRIAD_TEXT_CLOCKS];    /* values of functions of time now, once the time is set */
  /* groups of fields for columns; the first column's formula, of an invariant called energy (number, or -1) */
  int n_groups, energy;
  struct {
    int first, n;
  } group[TRIAD_TEXT_FIELDS];
  /* of prepare */
  triad_context *context;
  const triad_layout *layout;
  int n_tables;
  struct {
    int node, other;
    triad_real *values;
  } table[2 * TRIAD_TEXT_LINKS];            /* of sources and of rates */
  triad_real *profile[TRIAD_TEXT_PROFILES]; /* [points] of each of the schedule */
  /* on a GPU: its functions, and number of each input among fields and those that are made; kernels and tables */
  triad_gpu_set gpu;
  int gpu_input[TRIAD_TEXT_INPUTS];
  struct triad_text_gpu *gpu_part;
} triad_text_set;

/* links.c: the number of the field that an input is; -1: it is not a field itself. */
int triad_text_input_field(const triad_text_set *set, int input);

/* links.c: the links of a set, and their tables, made for a layout. TRIAD_ERR_FEATURE, TRIAD_ERR_MEMORY. */
int triad_text_links_make(triad_text_set *set);
int triad_text_links_prepare(triad_text_set *set);
void triad_text_links_free(triad_text_set *set);
/* The values of a profile at the points of a layout. */
void triad_text_profile_values(const triad_text_set *set, const triad_layout *layout, int threads, int profile,
                               triad_real *values);
/* Modes of tables that prepare takes, in complex numbers a mode, and of profiles in real ones a point. */
void triad_text_links_count(const triad_text_set *set, int *modes, int *points);
/* to[lane] += c M from[lane], or (first) = it, for row j of a block; at: its place in tables. */
void triad_text_link_row(int first, const triad_text_link *link, const triad_batch *block, int64_t j, int64_t at,
                         const triad_cplx *from, triad_cplx *to);

/* stage.c: source, points and rates of equations.h. */
void triad_text_source_of(void *self, int pass, const triad_batch *block, const triad_cplx *const *u,
                          triad_cplx *const *in);
void triad_text_points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                       double *peaks);
void triad_text_rates(const void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_row *n);

/* stage.c: rates by products at points alone. */
void triad_text_product_rates(const triad_text_set *set, const triad_batch *block, int64_t j,
                              const triad_cplx *const *t, triad_lane_row *n);

/* budget.c: columns and spectra of a set; sums over modes. */
int triad_text_count_sums(const triad_text_set *set);
int triad_text_budget_shape(triad_text_set *set, triad_shape *shape);
void triad_text_sums(const void *self, const triad_layout *layout, int64_t column, const triad_cplx *const *u,
                     double *sums);
void triad_text_series(const void *self, const double *sums, const triad_series_inputs *inputs, double *columns);
void triad_text_densities(const void *self, const triad_layout *layout, int64_t column, int64_t j,
                          const triad_cplx *const *u, double *densities);

#endif
