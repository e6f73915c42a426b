/* The linear terms of equations as text: decay rates, matrices of coupled fields, and how fast they grow. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_LINEAR_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_LINEAR_H

#include "solvers/spectral/equations/wave_points.h"
#include "solvers/spectral/text/compile/text.h"
#include "grid/layout.h"

/* Fields whose linear terms a step integrates exactly, by the exponential of a matrix. */
typedef struct triad_text_block {
  int n, field[TRIAD_TEXT_MATRIX];
} triad_text_block;

/* decay: what is real, isotropic and of that form, exactly integrated. rest[a][f]: all other linear terms; of the
 * fields of blocks also decays, which are 0 then. */
typedef struct triad_text_linear {
  triad_decay decay[TRIAD_TEXT_FIELDS];
  triad_text_scaled rest[TRIAD_TEXT_FIELDS][TRIAD_TEXT_FIELDS];
  int n_blocks;
  triad_text_block block[TRIAD_TEXT_FIELDS];
  int block_of[TRIAD_TEXT_FIELDS]; /* -1: none */
} triad_text_linear;

/* exact: couple what is not of the form of a decay in blocks; otherwise it stays in the rates. TRIAD_ERR_FEATURE if a
 * block is too large. */
int triad_text_linear_of(triad_text *text, int exact, triad_text_linear *out);

/* The matrix of a block at a wavenumber: out[n * n], of values of the nodes; solenoidal vectors projected, and their
 * mean fixed. */
void triad_text_matrix(const triad_text *text, const triad_text_linear *linear, int block, const double k[3],
                       const double complex *value, double complex *out);

/* s -= k (k.s)/k^2 of the solenoidal vectors; 0 for their mean. [n_fields] */
void triad_text_project(const triad_text *text, const double k[3], double complex *s);

/* Eigenvalues of an n x n matrix, which is overwritten: lambda[n]. n <= TRIAD_TEXT_FIELDS. 0: they were not found
 * in 60 n steps, or an element is not finite. */
int triad_text_eigenvalues(int n, double complex *matrix, double complex *lambda);

/* Fastest growth and frequency among the kept modes, and whether the equations are well-posed. A rate is 0 if it is a
 * rounding error of its terms at that wavenumber. */
typedef struct triad_text_growth {
  double rate, at[3]; /* largest real part of an eigenvalue; its wavenumber */
  double frequency;   /* largest imaginary part */
  double in_stages;   /* largest absolute value, of linear terms that are neither decay nor in a block */
  int unbounded;      /* it grows with the wavenumber without end: ill-posed */
  double unbounded_at[3];
  int lacks; /* triad_text_lack of a mode that was looked at */
  double lacks_at[3];
  int failed; /* eigenvalues were not found at a wavenumber */
  double failed_at[3];
  int all_modes; /* 0: modes were sampled */
} triad_text_growth;
void triad_text_growth_of(triad_text *text, triad_text_linear *linear, const triad_grid *grid, triad_text_growth *out);

/* lacks.c: all multipliers that a stage or a column uses, to needed[TRIAD_TEXT_OPERATORS], and those that may lack
 * something. */
void triad_text_need_sum(const triad_text *text, const triad_text_sum *sum, char *needed);
void triad_text_need_all(const triad_text *text, char *needed);

/* lacks.c: look for a kept mode at which a multiplier has no inverse or root: on a grid of up to 900000 modes; at
 * the modes of a layout. Returns triad_text_lack of the first one, and its wavenumber; 0: none. */
int triad_text_lacks_of_grid(const triad_text *text, const triad_grid *grid, double at[3]);
int triad_text_lacks_of_layout(const triad_text *text, const triad_layout *layout, int threads, double at[3]);
/* The message about it, and its status. */
int triad_text_refuse_lack(int lacks, const double at[3]);

#endif
