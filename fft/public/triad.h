/* Triad for other programs: a distributed 3-D real Fourier transform that keeps only the modes a dealiased
 * pseudospectral method evolves, and the one pass that takes fields to physical space, applies a function at every
 * point, and brings the results back.
 *
 *   forward   u_k  = 1/(nx ny nz) sum_x u(x) exp(-i k.x)        k_i = 2 pi m_i / L_i, m_i integer
 *   backward  u(x) = sum_k u_k exp(+i k.x)
 *
 * Coefficients mean the same on any grid: mean u^2 = sum over all k of |u_k|^2.
 *
 *   triad_plan_options o = {.n = {128, 128, 96}, .length = {6.28, 6.28, 4.71}, .most_in = 3, .most_out = 3};
 *   triad_plan *plan;
 *   if (triad_plan_create(&plan, MPI_COMM_WORLD, &o) != TRIAD_PLAN_OK) { puts(triad_plan_message()); ... }
 *   const triad_plan_share *share = triad_plan_query(plan);
 *   double *u = malloc(share->points * sizeof *u);                            (this rank's planes)
 *   double _Complex *uk = malloc(share->modes * sizeof *uk);                  (this rank's modes)
 *   triad_plan_forward(plan, 1, (const void *[]){u}, (void *[]){uk});
 *   triad_plan_destroy(&plan);
 *
 * Real numbers are double or float, complex ones pairs (re, im) of them, as the plan's precision says: the same in
 * memory as C's _Complex and C++'s std::complex. Axis order is x, y, z; m = (kx, ky, kz) are integer wavenumbers.
 *
 * MPI must have been initialised; with more than one thread at MPI_THREAD_FUNNELED or above. Call from the thread that
 * did it. Collective functions: every rank of the plan's communicator calls, with the same numbers of fields; a wrong
 * call on one rank, but for a NULL plan, returns the same status on all. A message that MPI cannot deliver half-way
 * through an exchange ends the program by MPI_Abort, for the other ranks already wait for it.
 *
 * Build:  mpicc program.c $(pkg-config --cflags --libs triad) */
#ifndef TRIAD_H
#define TRIAD_H

#include <mpi.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define TRIAD_API __attribute__((visibility("default")))
#else
#define TRIAD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return. A settle function's own code is passed on as it is. */
enum {
  TRIAD_PLAN_OK = 0,
  TRIAD_PLAN_BAD_CALL = 64, /* an argument that cannot be, or ranks that ask for different things */
  TRIAD_PLAN_BAD_GRID = 65, /* a size or a length out of range, or a size FFTW has no plan for    */
  TRIAD_PLAN_INTERNAL = 70, /* a call of MPI failed                                               */
  TRIAD_PLAN_NO_MEMORY = 71
};

/* Why the last call on this thread that can fail did so, "fft/public/plan.c:41: what"; "" if it did not. After a
 * collective call the text is the same on all ranks, and names the rank where several took part. Valid until the next
 * call. What goes wrong deeper than the arguments (no memory, MPI) is also printed once on stderr. */
TRIAD_API const char *triad_plan_message(void);

/* Of the library, "0.1.0". */
TRIAD_API const char *triad_plan_version(void);

/* ---- plans ---- */

typedef struct triad_plan triad_plan;

/* Which modes are kept, with K_i = floor((n_i - 1)/3). */
enum {
  TRIAD_PLAN_SPHERE, /* sum_i (k_i/K_i)^2 <= 1                                                         */
  TRIAD_PLAN_BOX,    /* |k_i| <= K_i                                                                   */
  TRIAD_PLAN_WHOLE   /* every mode of the grid, K_i = floor(n_i/2): then products of fields are aliased */
};

enum { TRIAD_PLAN_DOUBLE, TRIAD_PLAN_SINGLE };

/* Zero is a good choice for all that stands behind most_out. The same on all ranks. */
typedef struct triad_plan_options {
  int64_t n[3];          /* points along x, y, z: 1 to 2^20 each; fastest where only 2, 3, 5, 7 divide them */
  double length[3];      /* of the box, > 0; any unit                                                       */
  int most_in, most_out; /* most spectral fields that go into a pass, or come out: 0 to 128 each. Backward
                          * needs most_in, forward most_out; memory grows with the larger one               */
  int truncation;        /* TRIAD_PLAN_SPHERE, ..                                                           */
  int precision;         /* TRIAD_PLAN_DOUBLE, ..                                                           */
  int threads;           /* OpenMP threads of each rank; 0: as many as OpenMP would take, least of all ranks */
  int nstreams;          /* chunks of planes in flight; 0: chosen                                           */
  int reproducible;      /* not 0: the same bits on any number of ranks and threads and in every run. The
                          * library plan is then chosen by rule, else by timing, and remembered in
                          * ~/.cache/triad (or where TRIAD_WISDOM says)                                     */
} triad_plan_options;

/* Plan the transforms over a private duplicate of `comm`, an intracommunicator. Any number of ranks works: those
 * beyond nz own no planes. Plans lines with FFTW, so no other thread may be planning with it at that time; its wisdom
 * grows. *plan is NULL unless the status is TRIAD_PLAN_OK. BAD_CALL, BAD_GRID, NO_MEMORY, INTERNAL. Collective. */
TRIAD_API int triad_plan_create(triad_plan **plan, MPI_Comm comm, const triad_plan_options *options);

/* Accepts NULL and clears the pointer. Before MPI_Finalize collective; after it the memory is still given back. */
TRIAD_API void triad_plan_destroy(triad_plan **plan);

/* ---- who owns what ---- */

/* A rank's share of a field.
 *
 *   physical  real    [planes][ny][nx], x fastest: planes z = first_plane .. first_plane + planes - 1
 *   spectral  complex [block][j][lane], lane fastest: columns in blocks of `lanes`, each with all kept kz
 *
 * A column is one (kx, ky), kx >= 0; reality, u(-k) = conj u(k), gives the rest. Of two columns (0, ky), (0, -ky) only
 * ky > 0 is held (likewise at kx = nx/2, which a plan with TRIAD_PLAN_WHOLE keeps), so that conjugates cannot drift
 * apart. What a field holds outside the truncation and beyond the last column is not read, and written as zero.
 * Columns (0, 0), and such as (nx/2, ny/2), are their own conjugates: they hold kz and -kz, of which only the part
 * with u(-kz) = conj u(kz) has an effect; forward and the pass leave them so, exactly. */
typedef struct triad_plan_share {
  int rank, size;   /* in the communicator                                                            */
  int64_t n[3];     /* points                                                                         */
  double length[3]; /* of the box                                                                     */
  int64_t kmax[3];  /* K_i: the largest integer wavenumber kept along each axis                       */
  int64_t first_plane, planes;
  int64_t points;               /* real numbers that a physical field takes here: planes ny nx                    */
  int64_t columns, all_columns; /* here, on all ranks                                                           */
  int64_t lanes, nkz;           /* columns in a block; kept kz of the axis                                        */
  int64_t modes;                /* complex numbers that a spectral field takes here: columns rounded up, times nkz */
  /* per column of this rank, [columns] */
  const int32_t *kx, *ky;
  const int32_t *kz_extent; /* |kz| <= kz_extent is kept                                                      */
  const double *wx, *wy;    /* wavenumbers 2 pi k / L [1/length]; 0 for k = n/2, whose derivative vanishes    */
  const double *weight;     /* 2 where the column stands for its conjugate too, else 1:
                               * mean(u v) = sum over columns, kz of weight Re(u_k conj v_k)                    */
  /* per j, [nkz]: kz = 0, 1, .., Kz, -Kz, .., -1 */
  const int32_t *kz;
  const double *wz; /* likewise                                                                       */
} triad_plan_share;

/* This rank's share; valid while the plan is. NULL for NULL. Not collective. */
TRIAD_API const triad_plan_share *triad_plan_query(const triad_plan *plan);

/* Place of (column c, number j of kz) in a spectral field, 0 <= c < columns, 0 <= j < nkz. */
static inline int64_t triad_plan_place(const triad_plan_share *share, int64_t c, int64_t j)
{
  return ((c / share->lanes) * share->nkz + j) * share->lanes + c % share->lanes;
}

/* Where a mode is held. */
typedef struct triad_plan_mode {
  int rank;       /* whose                                                                                         */
  int64_t place;  /* in that rank's fields                                                                         */
  int conjugate;  /* 1: u(kx, ky, kz) is the conjugate of what is there                                            */
  int64_t mirror; /* -1, or the place on the same rank that must be given conj of `place` when that is set: a
                   * column that is its own conjugate (equal to `place` for a mode that is real)                   */
} triad_plan_mode;

/* Is the mode of integer wavenumbers (kx, ky, kz), of either sign, kept: 1 or 0. *where (unless NULL) tells where.
 * 0 for a NULL plan. Not collective. */
TRIAD_API int triad_plan_find(const triad_plan *plan, int64_t kx, int64_t ky, int64_t kz, triad_plan_mode *where);

/* ---- transforms ---- */

/* n fields at once. physical[f], spectral[f]: this rank's shares, at their natural alignment; may be NULL where the
 * share is empty. Physical and spectral fields may share memory: all is read before anything is written. Modes outside
 * the truncation are dropped. BAD_CALL (also where two results overlap), INTERNAL. Collective. */
TRIAD_API int triad_plan_forward(triad_plan *plan, int n, const void *const *physical, void *const *spectral);
TRIAD_API int triad_plan_backward(triad_plan *plan, int n, const void *const *spectral, void *const *physical);

enum { TRIAD_PLAN_PEAKS = 4 };

/* What to do in a pass. */
typedef struct triad_plan_work {
  int n_in, n_out;
  const void *const *in; /* [n_in] spectral fields                                                    */
  void *const *out;      /* [n_out] spectral fields, may be those of `in`, for all are read beforehand */
  /* Called for each row of points x = 0 .. n-1 at (y, z), global numbers, on several threads at once, each with rows
   * of its own: in[f][x] are the fields there, and may be overwritten; out[g][x] all have to be set. Rows are real [n]
   * at 64-byte boundaries and in cache. Raise peaks[] by triad_plan_raise only. C++: it must not throw. */
  void (*points)(void *user, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out, double *peaks);
  /* NULL, or called once on each rank when every point has been visited and before results are written, with the
   * largest peaks of all ranks (NaN where one is): the place to choose a time step. May be collective. Not 0: the pass
   * ends there on all ranks with the largest code that one gave, which must be positive, and results stay as they
   * were. */
  int (*settle)(void *user, const double *peaks);
  double *peaks; /* NULL, or [4]: the same peaks, on every rank; -infinity where none was raised. NULL on all ranks or
                  * on none, as settle                                                                       */
  void *user;
} triad_plan_work;

/* n_in fields -> physical space -> points -> n_out results. The pointwise product of two fields of a truncated plan is
 * exact in every kept mode. BAD_CALL, INTERNAL, settle's code. Collective. */
TRIAD_API int triad_plan_pass(triad_plan *plan, const triad_plan_work *work);

/* *peak = max(*peak, value), and NaN from the first NaN on. */
static inline void triad_plan_raise(double *peak, double value)
{
  if (value > *peak || value != value) *peak = value;
}

/* ---- cost ---- */

enum { TRIAD_PLAN_PHASES = 6 };

/* Seconds of this rank in each phase since the last call, averaged over its threads, and their names: fft, transpose,
 * exchange, copies, pointwise, rest. Zeros for a NULL plan; "" for a number out of range. Not collective. */
TRIAD_API void triad_plan_phases(triad_plan *plan, double seconds[TRIAD_PLAN_PHASES]);
TRIAD_API const char *triad_plan_phase_name(int phase);

/* Bytes that the plan holds on this rank, fields not included. Not collective. */
TRIAD_API int64_t triad_plan_memory(const triad_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
