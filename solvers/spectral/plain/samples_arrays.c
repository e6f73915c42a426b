/* The arrays of a sample for one variable: moments, probability density, profiles. */
#include "solvers/spectral/measure/samples_internal.h"

#include <string.h>

enum { MOMENTS = TRIAD_POINT_MOMENTS, BINS = TRIAD_SAMPLE_BINS };
static const double REACH = TRIAD_SAMPLE_REACH;
static const char letters[] = "xyz";
static const char *const axis_names[3] = {"x", "y", "z"};

typedef triad_samples_job job;

/* Of a variable: name "u", "du_dx". */
void triad_samples_put_moments(job *j, const char *name, const char *unit, const double m[MOMENTS])
{
  double *to = triad_contents_add(
    j->c, (triad_spectrum){.name = triad_contents_text(j->c, "%s_moments", name),
                           .units = triad_contents_text(j->c, "(%s)^p", unit),
                           .n_dims = 1,
                           .long_name = triad_contents_text(
                             j->c, "mean of %s, and means of powers 2, 3, 4 of its deviation from it", name),
                           .dims = {MOMENTS},
                           .scale = {"order"}});
  memcpy(to, m, MOMENTS * sizeof *to);
}

/* Where the variable varies; zeros elsewhere. */
void triad_samples_put_pdf(job *j, const char *name, const double m[MOMENTS], const int64_t *counts)
{
  double *pdf = triad_contents_add(
    j->c, (triad_spectrum){.name = triad_contents_text(j->c, "%s_pdf", name),
                           .units = "1",
                           .n_dims = 1,
                           .dims = {BINS},
                           .scale = {"deviation"},
                           .long_name = triad_contents_text(
                             j->c, "probability density of the deviation of %s divided by its rms at the time", name)});
  for (int b = 0; b < BINS && m[1] > 0; b++)
    pdf[b] = (double)counts[b] / (double)triad_grid_points(&j->flow->grid) / (2 * REACH / BINS);
}

double *triad_samples_add_profile(job *j, int axis, const char *name, const char *unit, const char *about)
{
  return triad_contents_add(j->c, (triad_spectrum){.name = name,
                                                   .units = unit,
                                                   .long_name = about,
                                                   .n_dims = 1,
                                                   .dims = {j->flow->grid.n[axis]},
                                                   .scale = {axis_names[axis]}});
}

double *triad_samples_add_mean(job *j, int axis, const triad_field_info *f)
{
  triad_contents *c = j->c;
  return triad_samples_add_profile(
    j, axis, triad_contents_text(c, "mean_%s_%c", f->name, letters[axis]), f->unit,
    triad_contents_text(c, "%s, mean over planes across %c", f->long_name, letters[axis]));
}

double *triad_samples_add_covariance(job *j, int axis, const triad_field_info *f, const triad_field_info *g)
{
  triad_contents *c = j->c;
  const char *unit = f == g ? triad_contents_text(c, f->unit[1] ? "(%s)^2" : "%s^2", f->unit)
                            : triad_contents_text(c, "%s %s", f->unit, g->unit);
  double *to = triad_samples_add_profile(
    j, axis, triad_contents_text(c, "cov_%s_%s_%c", f->name, g->name, letters[axis]), unit,
    triad_contents_text(c, "covariance of %s and %s over planes across %c", f->name, g->name, letters[axis]));
  triad_spectrum *s = &c->list[c->n - 1];
  s->less[0] = triad_contents_text(c, "mean_%s_%c", f->name, letters[axis]);
  s->less[1] = f == g ? s->less[0] : triad_contents_text(c, "mean_%s_%c", g->name, letters[axis]);
  return to;
}
