/* The arithmetic of a set of equations as text, as a text in C: what kernels for GPUs are compiled from. Its functions
 * do the operations of stage.c, links.c and budget.c in the same order. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_H

#include "solvers/spectral/text/set.h"

/* Write all functions and the numbers of what they read and write; the caller frees *text.
 *   TRIAD_TEXT_IN, _N_PROFILES, _OUT    inputs and functions of position at a point; results
 *   TRIAD_TEXT_N_FIELDS, _MADE, _TERMS  fields; inputs that are not fields; results after chains were summed
 *   TRIAD_TEXT_SUMS, _DENSITIES, _TRANSFERS   of budgets and spectra
 *   TRIAD_TEXT_ENTRIES                  elements of all matrices of coupled fields
 *   void triad_text_point(const triad_text_law *c, double dt, const triad_real *v, triad_real *out)
 *   triad_real triad_text_rate(const triad_text_law *c, const triad_real *v)   inputs v, then functions of position
 *   void triad_text_source(const triad_text_law *c, const double k[3], const triad_cplx *u, triad_cplx *made)
 *   void triad_text_mode(const triad_text_law *c, const double k[3], const triad_cplx *u, const triad_cplx *t,
 *                        triad_cplx *n)
 *   void triad_text_mode_sums(const double k[3], const triad_cplx *u, double *sums)
 *   void triad_text_mode_densities(const double k[3], const triad_cplx *u, double *densities)
 *   void triad_text_mode_transfers(const double k[3], const triad_cplx *u, const triad_cplx *t, double *transfers)
 *   void triad_text_matrices(const double k[3], double tau, triad_value *m)   exponentials, block by block
 *   void triad_text_couple(const triad_cplx *m, int64_t step, triad_cplx *u)   element e of a mode is m[e * step]
 * TRIAD_ERR_MEMORY. */
int triad_text_code(const triad_text_set *set, char **text);

#endif
