/* The arrays of a sample for one variable: moments, probability density, profiles. */
#include "solvers/spectral/measure/samples_internal.h"

typedef triad_samples_job job;

/* Of a variable: name "u", "du_dx". */
void triad_samples_put_moments(job *j, const char *name, const char *unit, const double m[TRIAD_SAMPLE_MOMENTS])
{
  triad_sample_add_moments(j->c, name, unit, "", m);
}

/* Where the variable varies; zeros elsewhere. */
void triad_samples_put_pdf(job *j, const char *name, const double m[TRIAD_SAMPLE_MOMENTS], const int64_t *counts)
{
  double *pdf = triad_sample_add_density(j->c, name);
  for (int b = 0; b < TRIAD_SAMPLE_BINS && m[1] > 0; b++)
    pdf[b] = (double)counts[b] / (double)triad_grid_points(&j->flow->grid) /
             (2 * (double)TRIAD_SAMPLE_REACH / TRIAD_SAMPLE_BINS);
}

double *triad_samples_add_profile(job *j, int axis, const char *name, const char *unit, const char *about)
{
  return triad_sample_add_profile(j->c, axis, j->flow->grid.n[axis], name, unit, about);
}

double *triad_samples_add_mean(job *j, int axis, const triad_field_info *f)
{
  return triad_sample_add_mean(j->c, axis, j->flow->grid.n[axis], f->name, f->unit, f->long_name, "planes");
}

double *triad_samples_add_covariance(job *j, int axis, const triad_field_info *f, const triad_field_info *g)
{
  triad_contents *c = j->c;
  const char *unit = f == g ? triad_contents_text(c, f->unit[1] ? "(%s)^2" : "%s^2", f->unit)
                            : triad_contents_text(c, "%s %s", f->unit, g->unit);
  return triad_sample_add_covariance(c, axis, j->flow->grid.n[axis], f->name, g->name, unit, "planes");
}
