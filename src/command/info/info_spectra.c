/* Describe files of spectra, and check the sum rules of their contents (docs/methods/statistics.md). */
#include "command/info/info.h"
#include "command/info/info_lines.h"
#include "command/info/info_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums of the same modes in another order differ by rounding alone; points of single precision by what a transform in
 * it may leave. */
static const double same_modes = 1e-11, by_points = 1e-3;

typedef struct report {
  triad_inspection *file;
  int rules, status;
} report;

static int worse(int a, int b) { return a > b ? a : b; }

/* One rule: two numbers that must agree to `tolerance`. */
static void expect(report *r, const char *what, const char *name, double found, double wanted, double tolerance)
{
  r->rules++;
  if (fabs(found - wanted) <= tolerance) return;
  r->status = triad_info_wrong("%s: %s of %s is %.17g, but should be %.17g", r->file->path, what, name, found, wanted);
}

/* Does the name begin so, and what follows? */
static const char *after(const char *name, const char *prefix)
{
  size_t n = strlen(prefix);
  return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

static triad_dataset *find_as(const report *r, const char *format, const char *name)
{
  char text[TRIAD_DATASET_NAME];
  (void)snprintf(text, sizeof text, format, name);
  return triad_inspection_find(r->file, text);
}

/* E_f_x, E_f_y and E_f_z are of the same modes. */
static void check_lines(report *r, const char *name, double sum)
{
  char other[TRIAD_DATASET_NAME];
  size_t n = strlen(name);
  (void)snprintf(other, sizeof other, "%s", name);
  for (const char *axis = "xyz"; *axis; axis++) {
    other[n - 1] = *axis;
    const triad_dataset *d = triad_inspection_find(r->file, other);
    if (d && *axis != name[n - 1]) expect(r, "the sum", other, d->sum, sum, same_modes * fabs(sum));
  }
}

/* mean |d|^p to the power 1/p grows with p (Lyapunov); even orders have no sign; S_2 follows from the spectrum. */
static int check_moments(report *r, triad_dataset *moduli, const char *of)
{
  triad_dataset *parts[] = {find_as(r, "E_%s", of), find_as(r, "k_%s", of + strlen(of) - 1),
                            find_as(r, "r_%s", of + strlen(of) - 1), find_as(r, "S_%s", of)};
  double *s = NULL, *values[4] = {NULL, NULL, NULL, NULL};
  int st = triad_inspection_load(r->file, moduli, &s);
  for (int i = 0; i < 4 && st == TRIAD_OK; i++)
    if (parts[i]) st = triad_inspection_load(r->file, parts[i], &values[i]);
  int whole = moduli->n_dims == 2 && parts[0] && parts[1] && parts[2] && parts[0]->values == parts[1]->values &&
              parts[2]->values == moduli->dims[0] && (!parts[3] || parts[3]->values == moduli->values);
  if (st == TRIAD_OK && !whole)
    r->status = triad_info_wrong("%s: %s has no scales or no spectrum", r->file->path, moduli->name);
  for (int64_t i = 0; st == TRIAD_OK && whole && i < moduli->dims[0]; i++) {
    const double *row = s + i * moduli->dims[1], *k = values[1];
    double want = 0;
    for (int64_t m = 0; m < parts[0]->values; m++) want += 2 * values[0][m] * (1 - cos(k[m] * values[2][i]));
    expect(r, "order 2", moduli->name, row[0], want, by_points * parts[0]->sum);
    for (int64_t p = 0; p < moduli->dims[1]; p++) {
      double order = 2 + (double)p, sign = values[3] ? values[3][i * moduli->dims[1] + p] : row[p];
      int grown = p == 0 || pow(row[p], 1 / order) >= pow(row[p - 1], 1 / (order - 1)) * (1 - same_modes);
      int signed_well = p % 2 == 0 ? sign <= row[p] && sign >= row[p] : fabs(sign) <= row[p] * (1 + same_modes);
      r->rules++;
      if (!grown || !signed_well)
        r->status = triad_info_wrong("%s: order %.0f of %s is invalid at separation %" PRId64, r->file->path, order,
                                     moduli->name, i);
    }
  }
  for (int i = 0; i < 4; i++) free(values[i]);
  free(s);
  return st;
}

/* A density over equal bins sums to 1. */
static int check_pdf(report *r, triad_dataset *pdf, const char *of)
{
  triad_dataset *z = find_as(r, "z_%s", of);
  double *p = NULL, *centre = NULL;
  if (!z || pdf->n_dims != 2 || z->values != pdf->dims[1] || z->values < 1) return TRIAD_OK;
  int st = triad_inspection_load(r->file, pdf, &p);
  if (st == TRIAD_OK) st = triad_inspection_load(r->file, z, &centre);
  int64_t bins = z->values;
  for (int64_t i = 0; st == TRIAD_OK && i < pdf->dims[0]; i++) {
    double sum = 0, width = bins > 1 ? (centre[bins - 1] - centre[0]) / (double)(bins - 1) : 0;
    for (int64_t b = 0; b < bins; b++) sum += p[i * bins + b] * width;
    if (bins > 1) expect(r, "the integral", pdf->name, sum, 1, same_modes);
  }
  free(p);
  free(centre);
  return st;
}

/* The last flux is what the transfer sums to, with the other sign. */
static int check_flux(report *r, triad_dataset *transfer, triad_dataset *flux)
{
  double *t = NULL, *pi = NULL, size = 0;
  int st = triad_inspection_load(r->file, transfer, &t);
  if (st == TRIAD_OK) st = triad_inspection_load(r->file, flux, &pi);
  for (int64_t i = 0; st == TRIAD_OK && i < transfer->values; i++) size += fabs(t[i]);
  if (st == TRIAD_OK && flux->values == transfer->values && flux->values > 0)
    expect(r, "the end", flux->name, pi[flux->values - 1], -transfer->sum, same_modes * size);
  free(t);
  free(pi);
  return st;
}

static int check_set(report *r, triad_dataset *d)
{
  static const char *const about[] = {"%s_perp", "%s_par", "%s_2d"};
  char name[TRIAD_DATASET_NAME];
  const char *rest = after(d->name, "S_abs_");
  size_t n = strlen(d->name);
  if (d->name[0] == 'k') return TRIAD_OK; /* k, k_perp, k_par: scales */
  if (rest) return check_moments(r, d, rest);
  if ((rest = after(d->name, "P_")) != NULL) return check_pdf(r, d, rest);
  if (after(d->name, "E_") && n > 4 && d->name[n - 2] == '_' && strchr("xyz", d->name[n - 1]))
    check_lines(r, d->name, d->sum);
  for (int i = 0; i < 3; i++) {
    const triad_dataset *other = find_as(r, about[i], d->name);
    double size = sqrt(d->squares * (double)d->values);
    if (other) expect(r, "the sum", other->name, other->sum, d->sum, same_modes * size);
  }
  if (d->name[0] == 'T' && (d->name[1] == '\0' || d->name[1] == '_')) {
    (void)snprintf(name, sizeof name, "Pi%s", d->name + 1);
    triad_dataset *flux = triad_inspection_find(r->file, name);
    if (flux) return check_flux(r, d, flux);
  }
  return TRIAD_OK;
}

static void print(const report *r, double step, double t, const triad_dataset *energy, int64_t shells)
{
  triad_inspection *k = r->file;
  if (k->how == TRIAD_INFO_BRIEF)
    triad_info_line("    step %.0f, t = %.8g: %" PRId64 " shells, sum of E = %.9g", step, t, shells, energy->sum);
  if (k->how != TRIAD_INFO_WHOLE) return;
  triad_info_line("%s: spectra of a run", k->path);
  triad_info_line("  time       step %.0f, t = %.17g", step, t);
  for (int i = 0; i < k->n_sets; i++) triad_inspection_print(k, &k->sets[i]);
  triad_info_line("  sum of E   %.17g, the energy", energy->sum);
  triad_inspection_print_notes(k);
}

int triad_inspect_spectra(triad_inspection *k, double step, double t)
{
  triad_dataset *wave = triad_inspection_find(k, "k"), *energy = triad_inspection_find(k, "E");
  report r = {k, 0, TRIAD_OK};
  double *values = NULL;
  if (wave->n_dims != 1 || energy->n_dims != 1 || wave->values != energy->values || wave->values < 1)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: k and E have different lengths", k->path);
  int st = triad_inspection_load(k, wave, &values);
  for (int i = 0; i < k->n_sets && st == TRIAD_OK; i++)
    if (&k->sets[i] != wave) st = triad_inspection_values(k, &k->sets[i], NULL);
  if (st == TRIAD_OK) {
    int64_t back = 0;
    for (int64_t s = 1; s < wave->values; s++) back += !(values[s] > values[s - 1]);
    print(&r, step, t, energy, wave->values);
    if (back) r.status = triad_info_wrong("%s: k does not increase", k->path);
    r.status =
      worse(r.status, worse(triad_inspection_check_finite(k), triad_inspection_check_step(k, "spectra-", step)));
    for (int i = 0; i < k->n_sets && st == TRIAD_OK && r.status == TRIAD_OK; i++)
      if (&k->sets[i] != wave) st = check_set(&r, &k->sets[i]); /* k_perp is no part of k */
    if (k->how == TRIAD_INFO_WHOLE && st == TRIAD_OK && r.status == TRIAD_OK && r.rules > 0)
      triad_info_line("  rules      %d checked: sums about axes and along lines, fluxes, moments, densities", r.rules);
  }
  free(values);
  return worse(st, r.status);
}
