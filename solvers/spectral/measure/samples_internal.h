/* Declarations shared by the files of samples. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SAMPLES_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SAMPLES_INTERNAL_H

#include "solvers/spectral/measure/point_sums.h"
#include "solvers/spectral/measure/samples.h"
#include "store/formats/sample_arrays.h"

typedef struct triad_samples_job {
  triad_flow *flow;
  triad_contents *c;
  triad_mean_list ask;
  triad_field_group velocity; /* n = 0: none */
} triad_samples_job;

/* Arrays of a variable: its moments; its probability density, with the number of points in each bin; the plane average
 * across an axis, and the mean product of two variables, of which files contain the covariance. */
void triad_samples_put_moments(triad_samples_job *job, const char *name, const char *unit,
                               const double m[TRIAD_POINT_MOMENTS]);
void triad_samples_put_pdf(triad_samples_job *job, const char *name, const double m[TRIAD_POINT_MOMENTS],
                           const int64_t *counts);
double *triad_samples_add_profile(triad_samples_job *job, int axis, const char *name, const char *unit,
                                  const char *about);
double *triad_samples_add_mean(triad_samples_job *job, int axis, const triad_field_info *f);
double *triad_samples_add_covariance(triad_samples_job *job, int axis, const triad_field_info *f,
                                     const triad_field_info *g);

/* samples_quantities.c: the same of each quantity of the case's own. TRIAD_ERR_MEMORY. Collective. */
int triad_samples_own(triad_samples_job *job);

#endif
