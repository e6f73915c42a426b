/* Arrays of a sample of running means (output.means), with the same names and scales for every solver:
 *   F_moments(order)    <F>, <F'^2>, <F'^3>, <F'^4>, F' = F - <F>
 *   F_pdf(deviation)    probability density of F'/<F'^2>^(1/2), in bins from -10 to 10
 *   mean_F_z(z), cov_F_G_z(z)    over planes across z, likewise x and y; a sample has the mean product, from which
 *                                files subtract the product of the means
 * Texts are copied. None is collective. */
#ifndef TRIAD_STORE_FORMATS_SAMPLE_ARRAYS_H
#define TRIAD_STORE_FORMATS_SAMPLE_ARRAYS_H

#include "grid/value_points.h"
#include "store/formats/spectrafile.h"

enum { TRIAD_SAMPLE_MOMENTS = 4, TRIAD_SAMPLE_BINS = 200, TRIAD_SAMPLE_REACH = 10 /* of the bins, in rms */ };

/* The scales of moments and of densities: once in each sample. */
void triad_sample_add_orders(triad_contents *contents);
void triad_sample_add_deviations(triad_contents *contents);

/* over: " over the fluid", or "". */
void triad_sample_add_moments(triad_contents *contents, const char *name, const char *unit, const char *over,
                              const double moments[TRIAD_SAMPLE_MOMENTS]);

/* Returns the values, zeros, for the caller to set. */
double *triad_sample_add_density(triad_contents *contents, const char *name);

/* Bin of a value; -1: outside, or not a number. moments: of the variable, whose rms is positive. */
static inline int triad_sample_bin(double value, const double moments[TRIAD_SAMPLE_MOMENTS])
{
  return triad_value_bin(value, moments[0], sqrt(moments[1]), TRIAD_SAMPLE_REACH, TRIAD_SAMPLE_BINS);
}

/* Profiles of n values across an axis. about: "velocity component along x"; planes: "planes", "the fluid in planes".
 * Return the values. */
double *triad_sample_add_profile(triad_contents *contents, int axis, int64_t n, const char *name, const char *unit,
                                 const char *about);
double *triad_sample_add_mean(triad_contents *contents, int axis, int64_t n, const char *name, const char *unit,
                              const char *about, const char *planes);
double *triad_sample_add_covariance(triad_contents *contents, int axis, int64_t n, const char *name, const char *other,
                                    const char *unit, const char *planes);

#endif
