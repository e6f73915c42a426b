/* The shape of an equation set in a case: its fields, transforms, series columns, spectra and transfers.
 *
 * A set's create fills a shape, which is unchanged after. Lists grow as entries are appended, so that a set may have
 * any number of fields; the shape owns them, and the texts that were made for it by triad_shape_text. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_SHAPE_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_SHAPE_H

#include "base/precision.h"
#include "solvers/info.h"
#include "transpose/plain/chains.h"

enum { TRIAD_MAX_PASSES = 2, TRIAD_MAX_PARTS = 2 };

/* A transfer spectrum T and its flux Pi(k) = -sum_{k' <= k} T(k'). */
typedef struct triad_transfer_info {
  triad_column_info transfer, flux;
  int first_field, n_fields; /* whose squares it moves about                                       */
  int conserves;             /* sums to 0 over all modes, where products are free of aliasing      */
} triad_transfer_info;

typedef struct triad_shape_text_node triad_shape_text_node;

/* All zero: an empty shape. */
typedef struct triad_shape {
  int n_fields, n_passes, n_sums, n_observed, n_columns, n_spectra;
  triad_field_info *fields; /* [n_fields] */
  struct {
    int n_in, n_out;
    triad_chains chains;             /* among the n_out results of the points */
  } pass[TRIAD_MAX_PASSES], observe; /* transforms of a stage; the most that observe() takes at once */
  int own_modes, own_points;         /* what prepare() takes, at most: complex numbers a mode, real ones a point */
  triad_column_info *columns;        /* [n_columns], after step,t,dt: energy, enstrophy, dissipation, injection.. */
  triad_column_info *spectra;        /* [n_spectra], the first sums to the energy                                 */
  /* Transfers, the first that of the energy. The nonlinear term is evaluated once for each of the parts, at least one;
   * inputs hidden.first .. + hidden.count - 1 of its passes are then set to 0. Advecting fields other than those of
   * the first transfer, for an estimate of round-off: carrier[0], a mean square; carrier[1] times the mean square of
   * their gradients. */
  int n_transfers, n_parts;
  struct {
    int first, count;
  } hidden[TRIAD_MAX_PARTS];
  triad_transfer_info *transfers; /* [n_transfers] */
  double carrier[2];
  double viscosity;               /* of a velocity */
  int supplies;                   /* 1: the equations add energy, so the formula of injection is their own */
  struct triad_own_quantity *own; /* [n_own] the case's own quantities (measure/quantity.h) */
  int n_own;
  triad_shape_text_node *texts;
  int no_memory; /* a text could not be made: the next append says so */
} triad_shape;

/* Append n entries. The texts that they point to must outlive the shape, as literals and triad_shape_text's do.
 * TRIAD_ERR_MEMORY. Not collective, as everything here. */
int triad_shape_add_fields(triad_shape *shape, int n, const triad_field_info *list);
int triad_shape_add_columns(triad_shape *shape, int n, const triad_column_info *list);
int triad_shape_add_spectra(triad_shape *shape, int n, const triad_column_info *list);
int triad_shape_add_transfers(triad_shape *shape, int n, const triad_transfer_info *list);

/* A text with a number in it ("scalar%d"), which lives as long as the shape. Without memory it is "", and the next
 * append fails. */
const char *triad_shape_text(triad_shape *shape, const char *format, int number) __attribute__((format(printf, 2, 0)));

/* The same with a word of at most 159 characters in it ("T_%s"). */
const char *triad_shape_text_of(triad_shape *shape, const char *format, const char *word)
  __attribute__((format(printf, 2, 0)));

/* The group of fields of this name, "velocity", "theta" or "psi"; n = 0: the case has none. */
triad_field_group triad_shape_group(const triad_shape *shape, const char *name);

/* The number of a column of the series; -1: there is none of this name. */
int triad_shape_column(const triad_shape *shape, const char *name);

/* Give back what the shape holds, and leave it empty. */
void triad_shape_clear(triad_shape *shape);

/* What chains leave of the results of a pass: what its sink gets, and rates are made of. */
int triad_shape_left(const triad_shape *shape, int pass);

/* The largest numbers of inputs, of results and of what chains leave of these, of the passes. */
void triad_shape_most(const triad_shape *shape, int *most_in, int *most_out, int *most_left);

#endif
