/* Random starts of a gas: solenoidal, of the spectrum asked for, the same on any ranks. ranks: 1 3   timeout: 240 */
#include "compressible.h"

static const double two_pi = 2 * TRIAD_PI;

enum { RANDOM_N = 24 };

static void transform(const double *u, int kx, int ky, int kz, double *re, double *im)
{
  *re = *im = 0;
  for (int z = 0; z < RANDOM_N; z++)
    for (int y = 0; y < RANDOM_N; y++)
      for (int x = 0; x < RANDOM_N; x++) {
        double phase = two_pi * ((kx * x + ky * y + kz * z) % RANDOM_N) / RANDOM_N,
               v = u[(z * RANDOM_N + y) * RANDOM_N + x];
        *re += v * cos(phase) / (RANDOM_N * RANDOM_N * RANDOM_N);
        *im -= v * sin(phase) / (RANDOM_N * RANDOM_N * RANDOM_N);
      }
}

/* All points of a velocity component on every rank. */
static void gathered(test_gas *g, int f, double *all)
{
  const triad_partition *b = &g->blocks;
  triad_real *own = calloc((size_t)triad_partition_points(b), sizeof *own);
  TRIAD_CHECK(triad_compressible_get(g->w, f, own));
  int64_t i = 0;
  memset(all, 0, sizeof(double) * RANDOM_N * RANDOM_N * RANDOM_N);
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++)
        all[((z + b->begin[2]) * RANDOM_N + y + b->begin[1]) * RANDOM_N + x + b->begin[0]] = own[i++];
  (void)MPI_Allreduce(MPI_IN_PLACE, all, RANDOM_N * RANDOM_N * RANDOM_N, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi);
  free(own);
}

static test_gas random_flow(triad_context *context)
{
  triad_compressible_setup s = test_gas_setup(RANDOM_N, RANDOM_N, RANDOM_N, two_pi, two_pi, two_pi);
  triad_compressible_start start = test_gas_start("turbulence");
  s.viscosity = 0.003;
  start.amplitude = 0.3;
  start.wavenumber = 2;
  start.seed = 5;
  return test_gas_make(context, &s, &start, NULL);
}

TRIAD_TEST(turbulence_is_solenoidal_and_has_its_spectrum)
{
  test_gas g = random_flow(test_gas_together());
  double *u[3], c[64], most = 0, spectrum[10] = {0}, wanted[10], sum = 0;
  TRIAD_CHECK(triad_compressible_budget(g.w, c));
  TRIAD_NEAR(c[test_gas_column("kinetic_energy")], 1.5 * 0.3 * 0.3, 1e-13, "kinetic energy 3 u0^2/2");
  for (int i = 0; i < 3; i++) gathered(&g, 1 + i, u[i] = malloc(sizeof(double) * RANDOM_N * RANDOM_N * RANDOM_N));
  for (int kx = -3; kx <= 3; kx++)
    for (int ky = -3; ky <= 3; ky++)
      for (int kz = 0; kz <= 3; kz++) {
        double re[3], im[3], k[3] = {kx, ky, kz}, dot_re = 0, dot_im = 0, e = 0;
        for (int i = 0; i < 3; i++) {
          transform(u[i], kx, ky, kz, &re[i], &im[i]);
          dot_re += k[i] * re[i];
          dot_im += k[i] * im[i];
          e += re[i] * re[i] + im[i] * im[i];
        }
        most = fmax(most, hypot(dot_re, dot_im));
        double size = sqrt(kx * kx + ky * ky + kz * kz);
        spectrum[(int)floor(size + 0.5)] += kz > 0 ? e : e / 2;
      }
  TRIAD_WITHIN(most, 0, 1e-16 * RANDOM_N, "k.u of every mode");
  for (int s = 1; s <= 8; s++) sum += wanted[s] = pow(s / 2.0, 4) * exp(-s * s / 2.0);
  for (int s = 1; s <= 3; s++) /* shells that lie within |k_i| <= 3, all but round-off of shell 3's corner */
    TRIAD_NEAR(spectrum[s], 0.135 * wanted[s] / sum, 1e-12, "energy of a shell");
  for (int i = 0; i < 3; i++) free(u[i]);
  test_gas_free(&g);
}

TRIAD_TEST(turbulence_is_the_same_on_any_number_of_ranks)
{
  triad_context *one = NULL;
  TRIAD_CHECK(triad_context_create(&one, MPI_COMM_SELF, 1));
  test_gas g = random_flow(test_gas_together()), whole = random_flow(one);
  const triad_partition *b = &g.blocks;
  int64_t differ = 0;
  for (int f = 0; f < 5; f++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          double p = triad_compressible_fields(g.w)[f][triad_partition_at(b, x, y, z)];
          double q = triad_compressible_fields(
            whole.w)[f][triad_partition_at(&whole.blocks, x + b->begin[0], y + b->begin[1], z + b->begin[2])];
          differ += fabs(p - q) > 4e-16 * fabs(q); /* one rounding, where a compiler fuses a rest loop otherwise */
        }
  TRIAD_EQUAL(differ, 0, "values that differ");
  test_gas_free(&g);
  test_gas_free(&whole);
  triad_context_destroy(&one);
}

TRIAD_MAIN
