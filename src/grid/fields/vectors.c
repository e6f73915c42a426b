/* Vector operations on states: linear combinations, dot products (grid/state.h). */
#include "grid/state.h"
#include "parallel/sum.h"

static int check_alike(const triad_state *x, const triad_state *y)
{
  int alike = triad_state_size(x) == triad_state_size(y);
  for (int f = 0; alike && f < triad_state_size(x); f++) {
    const triad_space *a = triad_state_space(x, f), *b = triad_state_space(y, f);
    alike = a->kind == b->kind && a->memory == b->memory && a->n_runs == b->n_runs && a->all == b->all;
  }
  if (alike) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "states of %d and %d fields, in spaces \"%s\" and \"%s\", cannot be combined",
                    triad_state_size(x), triad_state_size(y), triad_state_space(x, 0)->kind->name,
                    triad_state_space(y, 0)->kind->name);
}

/* y <- sum of a[i] x[i] over one run. */
static void combine_run(const triad_space_run *r, int parts, int n, const triad_real *a, const triad_real *const *x,
                        triad_real *y)
{
  for (int64_t k = 0; k < r->count; k++)
    for (int p = 0; p < parts; p++) {
      int64_t at = (r->at + k * r->step) * parts + p;
      triad_real sum = a[0] * x[0][at];
      for (int i = 1; i < n; i++) sum += a[i] * x[i][at];
      y[at] = sum;
    }
}

static int combine_field(triad_state *y, int f, int n, const triad_real *a, triad_state *const *x, int threads)
{
  const triad_space *s = triad_state_space(y, f);
  const triad_real *from[TRIAD_COMBINE_MAX];
  const void *read;
  void *written;
  for (int i = 0; i < n; i++) {
    TRIAD_TRY(triad_state_read(x[i], f, TRIAD_HOST, &read));
    from[i] = read;
  }
  TRIAD_TRY(triad_state_overwrite(y, f, TRIAD_HOST, &written));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t i = 0; i < s->n_runs; i++) {
    triad_space_run run;
    s->kind->run(s, i, &run);
    combine_run(&run, s->parts, n, a, from, written);
  }
  return TRIAD_OK;
}

int triad_state_combine(triad_state *y, int n, const double *a, triad_state *const *x, int threads)
{
  triad_real factor[TRIAD_COMBINE_MAX];
  if (n < 1 || n > TRIAD_COMBINE_MAX)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d states cannot be combined: use 1 to %d", n, TRIAD_COMBINE_MAX);
  for (int i = 0; i < n; i++) {
    TRIAD_TRY(check_alike(x[i], y));
    factor[i] = (triad_real)a[i];
  }
  for (int f = 0; f < triad_state_size(y); f++) TRIAD_TRY(combine_field(y, f, n, factor, x, threads));
  return TRIAD_OK;
}

int triad_state_axpy(triad_state *y, double a, triad_state *x, int threads)
{
  return triad_state_combine(y, 2, (const double[2]){1, a}, (triad_state *const[2]){y, x}, threads);
}

static void dot_run(const triad_space_run *r, int parts, const triad_real *x, const triad_real *y, triad_sum *sum)
{
  for (int64_t k = 0; k < r->count; k++) {
    int64_t at = (r->at + k * r->step) * parts;
    double term = (double)x[at] * (double)y[at];
    if (parts == 2) term += (double)x[at + 1] * (double)y[at + 1];
    triad_sum_add(sum, r->weight * term);
  }
}

static int dot_here(triad_state *x, triad_state *y, int threads, triad_sum *total)
{
  triad_sum sum;
  TRIAD_TRY(check_alike(x, y));
  triad_sum_clear(&sum);
  for (int f = 0; f < triad_state_size(x); f++) {
    const triad_space *s = triad_state_space(x, f);
    const void *a, *b;
    TRIAD_TRY(triad_state_read(x, f, TRIAD_HOST, &a));
    TRIAD_TRY(triad_state_read(y, f, TRIAD_HOST, &b));
#pragma omp parallel for schedule(static) num_threads(threads) reduction(triad_exact : sum)
    for (int64_t i = 0; i < s->n_runs; i++) {
      triad_space_run run;
      s->kind->run(s, i, &run);
      dot_run(&run, s->parts, a, b, &sum);
    }
  }
  *total = sum;
  return TRIAD_OK;
}

int triad_state_dot(const triad_comm *comm, triad_state *x, triad_state *y, int threads, double *out)
{
  triad_sum sum;
  TRIAD_TRY(triad_agree(comm, dot_here(x, y, threads, &sum)));
  return triad_sum_all(comm, &sum, 1, out);
}
