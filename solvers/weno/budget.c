/* Budgets: sums over all points, exact and so the same on any number of ranks; and extremes. */
#include "parallel/sum.h"
#include "solvers/weno/own.h"
#include "solvers/weno/viscous_face_points.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum {
  ENERGY,
  KINETIC,
  ENSTROPHY,
  DISSIPATION,
  SOLENOIDAL,
  DILATATIONAL,
  PRESSURE_WORK,
  MASS,
  MOMENTUM,
  MACH_SQUARED = MOMENTUM + 3,
  DILATATION_SQUARED,
  DENSITY_SQUARED,
  SUMS
};
enum { MACH, DENSITY_MOST, DENSITY_LEAST, PRESSURE_LEAST, EXTREMES };

static const triad_weno_column columns[] = {
    {"energy", "M U^2/L^3", "mean(e), e = p/(gamma - 1) + rho |u|^2/2"},
    {"kinetic_energy", "M U^2/L^3", "mean(rho |u|^2)/2"},
    {"enstrophy", "1/T^2", "mean(|curl u|^2)/2"},
    {"dissipation", "M U^2/(L^3 T)", "mean(tau : grad u), what viscosity takes from kinetic_energy"},
    {"solenoidal_dissipation", "M U^2/(L^3 T)", "mean(mu |curl u|^2)"},
    {"dilatational_dissipation", "M U^2/(L^3 T)", "4/3 mean(mu (div u)^2)"},
    {"pressure_dilatation", "M U^2/(L^3 T)", "mean(p div u), what pressure gives to kinetic_energy"},
    {"mass", "M/L^3", "mean(rho)"},
    {"momentum_x", "M U/L^3", "mean(rho u)"},
    {"momentum_y", "M U/L^3", "mean(rho v)"},
    {"momentum_z", "M U/L^3", "mean(rho w)"},
    {"mach_rms", "1", "sqrt(mean(|u|^2/c^2))"},
    {"mach_max", "1", "max(|u|/c)"},
    {"density_min", "M/L^3", "min(rho)"},
    {"density_max", "M/L^3", "max(rho)"},
    {"density_rms", "M/L^3", "sqrt(mean(rho^2) - mean(rho)^2)"},
    {"pressure_min", "M U^2/L^3", "min(p)"},
    {"dilatation_rms", "1/T", "sqrt(mean((div u)^2))"},
    {"shocklet_volume", "1", "part of the volume where div u < -3 dilatation_rms"},
};

const triad_weno_column *triad_weno_columns(int *n)
{
  *n = (int)(sizeof columns / sizeof columns[0]);
  return columns;
}

/* Steps of differences of order four, and one over the spacings. */
typedef struct differences {
  int64_t step[3];
  triad_real per[3];
} differences;

static differences differences_of(const triad_weno *w)
{
  differences d;
  for (int i = 0; i < 3; i++) {
    d.step[i] = w->blocks.halo[i] > 0 ? w->blocks.stride[i] : 0;
    d.per[i] = w->per_spacing[i];
  }
  return d;
}

/* du_i/dx_j at place `at`, about as sharp as the scheme's. */
static double slope(const triad_weno *w, const differences *d, int i, int j, int64_t at)
{
  const triad_real *u = w->primitive[i] + at;
  if (w->setup.form == TRIAD_WENO_CENTRAL) return (double)(d->per[j] * triad_weno_d9(u, d->step[j]));
  return (double)triad_weno_d4(u, d->step[j], d->per[j] / 12);
}

static double divergence(const triad_weno *w, const differences *d, int64_t at)
{
  return slope(w, d, 0, 0, at) + slope(w, d, 1, 1, at) + slope(w, d, 2, 2, at);
}

/* What central fluxes' viscous terms take from kinetic energy, at the faces below place `at`: the stress times the difference
 * whose transpose they apply to it. Sums over a periodic box are what they take, to rounding. */
static double taken_at_faces(const triad_weno *w, const differences *d, int64_t at)
{
  double sum = 0;
  for (int n = 0; n < 3; n++) {
    const int s = (n + 1) % 3, t = (n + 2) % 3;
    const triad_weno_steps a = {d->step[n], d->step[s], d->step[t], d->per[n], d->per[s], d->per[t]};
    const triad_real *u[3] = {w->primitive[n] + at, w->primitive[s] + at, w->primitive[t] + at};
    triad_weno_stress f = triad_weno_stress_at_face(&w->gas, a, u[0], u[1], u[2], w->primitive[TRIAD_WENO_T] + at,
                                                    w->primitive[TRIAD_WENO_MU] + at);
    const triad_real tau[3] = {f.n, f.s, f.t};
    for (int i = 0; i < 3; i++)
      sum += (double)(tau[i] * (27 * (u[i][0] - u[i][-a.n]) - (u[i][a.n] - u[i][-2 * a.n])) * a.per_n / 24);
  }
  return sum;
}

/* The terms of one point. */
static void terms_of(const triad_weno *w, const differences *d, int64_t at, double term[SUMS], double extreme[EXTREMES])
{
  double g[3][3], rho = (double)w->u[0][at], T = (double)w->primitive[TRIAD_WENO_T][at], p = rho * T / w->setup.gamma;
  double mu = w->setup.viscosity > 0 ? w->setup.viscosity * (double)w->primitive[TRIAD_WENO_MU][at] : 0, u2 = 0;
  for (int i = 0; i < 3; i++) {
    double u = (double)w->primitive[i][at];
    u2 += u * u;
    term[MOMENTUM + i] = (double)w->u[1 + i][at];
    for (int j = 0; j < 3; j++) g[i][j] = slope(w, d, i, j, at);
  }
  double x = g[2][1] - g[1][2], y = g[0][2] - g[2][0], z = g[1][0] - g[0][1], curl2 = x * x + y * y + z * z;
  double div = g[0][0] + g[1][1] + g[2][2], strain = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) strain += (g[i][j] + g[j][i]) * g[i][j];
  term[ENERGY] = (double)w->u[4][at];
  term[KINETIC] = rho * u2 / 2;
  term[ENSTROPHY] = curl2 / 2;
  int at_faces = w->setup.form == TRIAD_WENO_CENTRAL && w->setup.viscosity > 0;
  term[DISSIPATION] = at_faces ? taken_at_faces(w, d, at) : mu * (strain - div * div * 2 / 3);
  term[SOLENOIDAL] = mu * curl2;
  term[DILATATIONAL] = mu * div * div * 4 / 3;
  term[PRESSURE_WORK] = p * div;
  term[MASS] = rho;
  term[MACH_SQUARED] = u2 / T;
  term[DILATATION_SQUARED] = div * div;
  term[DENSITY_SQUARED] = rho * rho;
  extreme[MACH] = sqrt(u2 / T);
  extreme[DENSITY_MOST] = rho;
  extreme[DENSITY_LEAST] = -rho;
  extreme[PRESSURE_LEAST] = -p;
}

static void sum_points(const triad_weno *w, triad_sum sums[SUMS], double extreme[EXTREMES])
{
  const triad_blocks *b = &w->blocks;
  const differences d = differences_of(w);
  for (int s = 0; s < SUMS; s++) triad_sum_clear(&sums[s]);
  for (int e = 0; e < EXTREMES; e++) extreme[e] = -INFINITY;
#pragma omp parallel num_threads(w->context->threads)
  {
    triad_sum mine[SUMS];
    double most[EXTREMES], term[SUMS], value[EXTREMES];
    for (int s = 0; s < SUMS; s++) triad_sum_clear(&mine[s]);
    for (int e = 0; e < EXTREMES; e++) most[e] = -INFINITY;
#pragma omp for collapse(2) schedule(static)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          terms_of(w, &d, triad_block_at(b, x, y, z), term, value);
          for (int s = 0; s < SUMS; s++) triad_sum_add(&mine[s], term[s]);
          for (int e = 0; e < EXTREMES; e++) most[e] = fmax(most[e], value[e]);
        }
#pragma omp critical(triad_weno_budget)
    {
      for (int s = 0; s < SUMS; s++) triad_sum_merge(&sums[s], &mine[s]);
      for (int e = 0; e < EXTREMES; e++) extreme[e] = fmax(extreme[e], most[e]);
    }
  }
}

/* Points of this rank whose divergence is below `bound`. */
static int64_t count_below(const triad_weno *w, double bound)
{
  const triad_blocks *b = &w->blocks;
  const differences d = differences_of(w);
  int64_t count = 0;
#pragma omp parallel for collapse(2) schedule(static) num_threads(w->context->threads) reduction(+ : count)
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) count += divergence(w, &d, triad_block_at(b, x, y, z)) < bound;
  return count;
}

int triad_weno_budget(triad_weno *w, double *out)
{
  triad_sum sums[SUMS];
  double s[SUMS], mine[EXTREMES], most[EXTREMES], n = 1;
  const triad_comm *comm = &w->context->comm;
  for (int i = 0; i < 3; i++) n *= (double)w->setup.n[i];
  (void)triad_weno_fields(w); /* fetched from a GPU */
  triad_weno_bring(w);
  sum_points(w, sums, mine);
  TRIAD_TRY(triad_sum_all(comm, sums, SUMS, s));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, most, EXTREMES, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  for (int i = 0; i < SUMS; i++) s[i] /= n;
  double rms = sqrt(s[DILATATION_SQUARED]);
  int64_t shocklets = count_below(w, -3 * rms), all = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&shocklets, &all, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int i = 0; i < MACH_SQUARED; i++) out[i] = s[i];
  double *rest = out + MACH_SQUARED;
  *rest++ = sqrt(s[MACH_SQUARED]);
  *rest++ = most[MACH];
  *rest++ = -most[DENSITY_LEAST];
  *rest++ = most[DENSITY_MOST];
  *rest++ = sqrt(fmax(0, s[DENSITY_SQUARED] - s[MASS] * s[MASS]));
  *rest++ = -most[PRESSURE_LEAST];
  *rest++ = rms;
  *rest++ = (double)all / n;
  return TRIAD_OK;
}
