/* Plans and fields of triad.h, made as a program that is not Triad makes them. For test_public*.c. */
#ifndef TRIAD_TESTS_UNIT_PUBLIC_H
#define TRIAD_TESTS_UNIT_PUBLIC_H

#include "test.h"

#include "fft/public/triad.h"

static const double two_pi = 6.283185307179586476925286766559;

#ifdef TRIAD_SINGLE
enum { PRECISION = TRIAD_PLAN_SINGLE };
#else
enum { PRECISION = TRIAD_PLAN_DOUBLE };
#endif

typedef struct sample {
  int64_t n[3];
  int truncation;
} sample;

/* odd, even, anisotropic, flat and tiny grids; fewer planes than ranks */
static const sample samples[] = {
  {{12, 12, 12}, TRIAD_PLAN_SPHERE}, {{15, 9, 11}, TRIAD_PLAN_SPHERE}, {{10, 14, 7}, TRIAD_PLAN_BOX},
  {{8, 10, 6}, TRIAD_PLAN_WHOLE},    {{7, 5, 9}, TRIAD_PLAN_WHOLE},    {{16, 13, 2}, TRIAD_PLAN_BOX},
  {{16, 9, 1}, TRIAD_PLAN_SPHERE},   {{1, 8, 12}, TRIAD_PLAN_WHOLE},   {{11, 1, 5}, TRIAD_PLAN_WHOLE},
  {{2, 2, 2}, TRIAD_PLAN_WHOLE},     {{1, 1, 1}, TRIAD_PLAN_SPHERE},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static inline const char *name_of(const sample *s)
{
  static char text[96];
  static const char *const words[] = {"sphere", "box", "whole"};
  (void)snprintf(text, sizeof text, "%" PRId64 "x%" PRId64 "x%" PRId64 " %s", s->n[0], s->n[1], s->n[2],
                 words[s->truncation]);
  return text;
}

/* Planned by rule: tests should neither wait for timings nor leave a file. */
static inline triad_plan_options options_of(const sample *s, int fields)
{
  return (triad_plan_options){.n = {s->n[0], s->n[1], s->n[2]},
                              .length = {1, 2.5, two_pi},
                              .most_in = fields,
                              .most_out = fields,
                              .truncation = s->truncation,
                              .precision = PRECISION,
                              .reproducible = 1};
}

static inline triad_plan *plan_of(const sample *s, int fields)
{
  triad_plan *plan = NULL;
  triad_plan_options o = options_of(s, fields);
  int st = triad_plan_create(&plan, MPI_COMM_WORLD, &o);
  if (st != TRIAD_PLAN_OK) triad_test_fail(__FILE__, __LINE__, "%s: %d, %s", name_of(s), st, triad_plan_message());
  assert_int_equal(st, TRIAD_PLAN_OK);
  return plan;
}

static inline void *array(int64_t count, size_t size)
{
  void *p = calloc((size_t)count + 1, size);
  assert_non_null(p);
  return p;
}

static inline triad_cplx *modes_of(const triad_plan *plan)
{
  return array(triad_plan_query(plan)->modes, sizeof(triad_cplx));
}

static inline triad_real *points_of(const triad_plan *plan)
{
  return array(triad_plan_query(plan)->points, sizeof(triad_real));
}

/* The value of physical field `stream` at a point, the same for every rank. */
static inline double value_at(const triad_plan_share *s, uint64_t stream, int64_t x, int64_t y, int64_t z)
{
  return triad_test_random(stream, (uint64_t)((z * s->n[1] + y) * s->n[0] + x));
}

static inline void fill_physical(const triad_plan *plan, uint64_t stream, triad_real *u)
{
  const triad_plan_share *s = triad_plan_query(plan);
  for (int64_t i = 0; i < s->points; i++) {
    int64_t x = i % s->n[0], y = i / s->n[0] % s->n[1], z = i / (s->n[0] * s->n[1]) + s->first_plane;
    u[i] = (triad_real)value_at(s, stream, x, y, z);
  }
}

static inline void call_forward(triad_plan *plan, const triad_real *u, triad_cplx *uk)
{
  TRIAD_EQUAL(triad_plan_forward(plan, 1, (const void *[]){u}, (void *[]){uk}), TRIAD_PLAN_OK, "forward");
}

static inline void call_backward(triad_plan *plan, const triad_cplx *uk, triad_real *u)
{
  TRIAD_EQUAL(triad_plan_backward(plan, 1, (const void *[]){uk}, (void *[]){u}), TRIAD_PLAN_OK, "backward");
}

static inline double total(double mine)
{
  double all = 0;
  (void)MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* The formula, term by term. */
static inline void slow_coefficient(const triad_plan_share *s, uint64_t stream, const int64_t k[3], double *re,
                                    double *im)
{
  *re = *im = 0;
  for (int64_t z = 0; z < s->n[2]; z++)
    for (int64_t y = 0; y < s->n[1]; y++)
      for (int64_t x = 0; x < s->n[0]; x++) {
        double phase = two_pi * ((double)(k[0] * x) / (double)s->n[0] + (double)(k[1] * y) / (double)s->n[1] +
                                 (double)(k[2] * z) / (double)s->n[2]);
        double u = (triad_real)value_at(s, stream, x, y, z);
        *re += u * cos(phase);
        *im -= u * sin(phase);
      }
  *re /= (double)(s->n[0] * s->n[1] * s->n[2]);
  *im /= (double)(s->n[0] * s->n[1] * s->n[2]);
}

static inline void multiply(void *user, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out,
                            double *peaks)
{
  const triad_real *u = in[0], *v = in[1];
  triad_real *uv = out[0];
  (void)user;
  for (int64_t x = 0; x < n; x++) {
    uv[x] = u[x] * v[x];
    triad_plan_raise(&peaks[0], fabs((double)uv[x]));
  }
  triad_plan_raise(&peaks[1], (double)(z * 1000 + y));
}

#endif
