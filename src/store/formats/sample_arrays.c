/* Add the arrays of moments, probability densities and profiles to a sample of running means. */
#include "store/formats/sample_arrays.h"

#include <string.h>

enum { MOMENTS = TRIAD_SAMPLE_MOMENTS, BINS = TRIAD_SAMPLE_BINS };
static const double REACH = TRIAD_SAMPLE_REACH;
static const char *const axes[3] = {"x", "y", "z"};

void triad_sample_add_orders(triad_contents *c)
{
  double *order = triad_contents_add(c, (triad_spectrum){.name = "order",
                                                         .units = "1",
                                                         .long_name = "power p of the moment",
                                                         .n_dims = 1,
                                                         .dims = {MOMENTS},
                                                         .scale = {"order"}});
  for (int p = 0; p < MOMENTS; p++) order[p] = p + 1;
}

void triad_sample_add_deviations(triad_contents *c)
{
  double *bin =
    triad_contents_add(c, (triad_spectrum){.name = "deviation",
                                           .units = "1",
                                           .n_dims = 1,
                                           .dims = {BINS},
                                           .long_name = "deviation from the mean divided by the rms: centre of the bin",
                                           .scale = {"deviation"}});
  for (int b = 0; b < BINS; b++) bin[b] = REACH * (2 * b + 1 - BINS) / BINS;
}

void triad_sample_add_moments(triad_contents *c, const char *name, const char *unit, const char *over,
                              const double m[MOMENTS])
{
  double *to = triad_contents_add(
    c, (triad_spectrum){.name = triad_contents_text(c, "%s_moments", name),
                        .units = triad_contents_text(c, "(%s)^p", unit),
                        .n_dims = 1,
                        .long_name = triad_contents_text(
                          c, "mean of %s%s, and means of powers 2, 3, 4 of its deviation from it", name, over),
                        .dims = {MOMENTS},
                        .scale = {"order"}});
  memcpy(to, m, MOMENTS * sizeof *to);
}

double *triad_sample_add_density(triad_contents *c, const char *name)
{
  return triad_contents_add(
    c, (triad_spectrum){.name = triad_contents_text(c, "%s_pdf", name),
                        .units = "1",
                        .n_dims = 1,
                        .dims = {BINS},
                        .scale = {"deviation"},
                        .long_name = triad_contents_text(
                          c, "probability density of the deviation of %s divided by its rms at the time", name)});
}

double *triad_sample_add_profile(triad_contents *c, int axis, int64_t n, const char *name, const char *unit,
                                 const char *about)
{
  return triad_contents_add(
    c,
    (triad_spectrum){.name = name, .units = unit, .long_name = about, .n_dims = 1, .dims = {n}, .scale = {axes[axis]}});
}

double *triad_sample_add_mean(triad_contents *c, int axis, int64_t n, const char *name, const char *unit,
                              const char *about, const char *planes)
{
  return triad_sample_add_profile(c, axis, n, triad_contents_text(c, "mean_%s_%s", name, axes[axis]), unit,
                                  triad_contents_text(c, "%s, mean over %s across %s", about, planes, axes[axis]));
}

double *triad_sample_add_covariance(triad_contents *c, int axis, int64_t n, const char *name, const char *other,
                                    const char *unit, const char *planes)
{
  double *to = triad_sample_add_profile(
    c, axis, n, triad_contents_text(c, "cov_%s_%s_%s", name, other, axes[axis]), unit,
    triad_contents_text(c, "covariance of %s and %s over %s across %s", name, other, planes, axes[axis]));
  triad_spectrum *s = &c->list[c->n - 1];
  s->less[0] = triad_contents_text(c, "mean_%s_%s", name, axes[axis]);
  s->less[1] = strcmp(name, other) == 0 ? s->less[0] : triad_contents_text(c, "mean_%s_%s", other, axes[axis]);
  return to;
}
