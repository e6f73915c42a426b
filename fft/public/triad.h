/* Triad for other programs: a distributed 3-D real Fourier transform that keeps only the modes that a dealiased
 * pseudospectral method evolves, and a pass that transforms fields to physical space, applies a function at every
 * point, and transforms the results back.
 *
 *   forward   u_k  = 1/(nx ny nz) sum_x u(x) exp(-i k.x)        k_i = 2 pi m_i / L_i, m_i integer
 *   backward  u(x) = sum_k u_k exp(+i k.x)
 *
 * Coefficients do not depend on the grid: mean u^2 = sum over all k of |u_k|^2.
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
 * Real numbers are double or float and complex numbers are pairs (re, im) of them, according to the plan's precision;
 * in memory they equal C's _Complex and C++'s std::complex. The axis order is x, y, z; m = (kx, ky, kz) are integer
 * wavenumbers.
 *
 * MPI must be initialised; with more than one thread at level MPI_THREAD_FUNNELED or higher. All calls must come from
 * the thread that initialised it. Collective functions must be called on every rank of the plan's communicator with
 * the same numbers of fields; a wrong call on one rank returns the same status on all, except if its plan is NULL. If
 * MPI cannot deliver a message in the middle of an exchange, the program ends with MPI_Abort, because other ranks
 * already wait for the message.
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

/* Return codes. A nonzero code of a settle function is returned unchanged. */
enum {
  TRIAD_PLAN_OK = 0,
  TRIAD_PLAN_BAD_CALL = 64, /* an invalid argument, or arguments that differ between ranks */
  TRIAD_PLAN_BAD_GRID = 65, /* a size or length out of range, or a size without an FFTW plan */
  TRIAD_PLAN_INTERNAL = 70, /* an MPI call failed */
  TRIAD_PLAN_NO_MEMORY = 71
};

/* The reason why the last call on this thread failed, "fft/public/plan.c:41: what"; "" if it did not. After a
 * collective call the text is the same on all ranks and names the rank that failed. Valid until the next call. Errors
 * other than invalid arguments (memory, MPI) are also printed once on stderr. */
TRIAD_API const char *triad_plan_message(void);

/* The version of the library, "0.1.0". */
TRIAD_API const char *triad_plan_version(void);

/* ---- plans ---- */

typedef struct triad_plan triad_plan;

/* The set of modes that are kept; K_i = floor((n_i - 1)/3). */
enum {
  TRIAD_PLAN_SPHERE, /* sum_i (k_i/K_i)^2 <= 1                                                         */
  TRIAD_PLAN_BOX,    /* |k_i| <= K_i                                                                   */
  TRIAD_PLAN_WHOLE   /* every mode of the grid, K_i = floor(n_i/2); products of fields are then aliased */
};

enum { TRIAD_PLAN_DOUBLE, TRIAD_PLAN_SINGLE };

/* Options of a plan; they must be the same on all ranks. Zero is a good default for all members after most_out. */
typedef struct triad_plan_options {
  int64_t n[3];     /* points along x, y, z: 1 to 2^20 each; fastest if 2, 3, 5, 7 are the only factors */
  double length[3]; /* of the box, > 0; any unit */
  /* maximum numbers of spectral input and output fields of a pass, 0 to 128 each. Backward needs most_in, forward
   * most_out; memory is proportional to the larger one */
  int most_in, most_out;
  int truncation; /* TRIAD_PLAN_SPHERE, ..                                                           */
  int precision;  /* TRIAD_PLAN_DOUBLE, ..                                                           */
  int threads;    /* OpenMP threads of each rank; 0: as many as OpenMP would use, the minimum over ranks */
  int nstreams;   /* chunks of planes in flight; 0: automatic */
  /* nonzero: the same bits on any number of ranks and threads and in every run. FFTW plans are then chosen by rule;
   * else they are measured and stored in ~/.cache/triad (or in TRIAD_WISDOM) */
  int reproducible;
} triad_plan_options;

/* Create a plan on a private duplicate of `comm`, an intracommunicator. Any number of ranks works; ranks beyond nz own
 * no planes. The function uses FFTW's planner, so no other thread may use it at the same time; its wisdom grows. *plan
 * is NULL unless the status is TRIAD_PLAN_OK. BAD_CALL, BAD_GRID, NO_MEMORY, INTERNAL. Collective. */
TRIAD_API int triad_plan_create(triad_plan **plan, MPI_Comm comm, const triad_plan_options *options);

/* Free a plan and set the pointer to NULL; accepts NULL. Collective before MPI_Finalize; afterwards it only frees
 * memory. */
TRIAD_API void triad_plan_destroy(triad_plan **plan);

/* ---- distribution of fields over ranks ---- */

/* The part of a field on this rank.
 *
 *   physical  real    [planes][ny][nx], x fastest: planes z = first_plane .. first_plane + planes - 1
 *   spectral  complex [block][j][lane], lane fastest: columns in blocks of `lanes`, each with all kept kz
 *
 * A column is one (kx, ky), kx >= 0; the others follow from u(-k) = conj u(k). Of two columns (0, ky), (0, -ky) only
 * ky > 0 is stored (also at kx = nx/2, which a plan with TRIAD_PLAN_WHOLE keeps), so that conjugates cannot drift
 * apart. Entries outside the truncation and after the last column are not read, and are written as zero. Column (0,
 * 0), and columns such as (nx/2, ny/2), are their own conjugates: they store kz and -kz, of which only the part with
 * u(-kz) = conj u(kz) has an effect. Results of forward and of the pass satisfy this exactly. */
typedef struct triad_plan_share {
  int rank, size;   /* of the communicator */
  int64_t n[3];     /* points                                                                         */
  double length[3]; /* of the box                                                                     */
  int64_t kmax[3];  /* K_i: the largest integer wavenumber kept along each axis                       */
  int64_t first_plane, planes;
  int64_t points;               /* real numbers of a physical field on this rank: planes ny nx */
  int64_t columns, all_columns; /* on this rank, on all ranks */
  int64_t lanes, nkz;           /* columns per block; number of kept kz */
  int64_t modes;                /* complex numbers of a spectral field on this rank: columns rounded up, times nkz */
  /* per column of this rank, [columns] */
  const int32_t *kx, *ky;
  const int32_t *kz_extent; /* |kz| <= kz_extent is kept                                                      */
  const double *wx, *wy;    /* wavenumbers 2 pi k / L [1/length]; 0 for k = n/2, whose derivative vanishes */
  /* 2 if the column represents its conjugate too, else 1: mean(u v) = sum over columns, kz of weight
   * Re(u_k conj v_k) */
  const double *weight;
  /* per j, [nkz]: kz = 0, 1, .., Kz, -Kz, .., -1 */
  const int32_t *kz;
  const double *wz; /* wavenumbers along z, 0 for k = n/2 */
} triad_plan_share;

/* The distribution on this rank; valid as long as the plan. NULL for a NULL plan. Not collective. */
TRIAD_API const triad_plan_share *triad_plan_query(const triad_plan *plan);

/* Index of (column c, number j of kz) in a spectral field, 0 <= c < columns, 0 <= j < nkz. */
static inline int64_t triad_plan_place(const triad_plan_share *share, int64_t c, int64_t j)
{
  return ((c / share->lanes) * share->nkz + j) * share->lanes + c % share->lanes;
}

/* The location of a mode. */
typedef struct triad_plan_mode {
  int rank;      /* rank that stores it */
  int64_t place; /* index in that rank's fields */
  int conjugate; /* 1: u(kx, ky, kz) is the conjugate of the stored value */
  /* -1; or, in a column that is its own conjugate, the index on the same rank that must be set to the conjugate when
   * `place` is set (equal to `place` if the mode is real) */
  int64_t mirror;
} triad_plan_mode;

/* Returns 1 if the mode with integer wavenumbers (kx, ky, kz) of either sign is kept, else 0; *where (unless NULL) is
 * its location. 0 for a NULL plan. Not collective. */
TRIAD_API int triad_plan_find(const triad_plan *plan, int64_t kx, int64_t ky, int64_t kz, triad_plan_mode *where);

/* ---- transforms ---- */

/* Transform n fields. physical[f], spectral[f]: this rank's parts at their natural alignment; they may be NULL if
 * empty. Physical and spectral fields may share memory: all input is read before output is written. Modes outside the
 * truncation are dropped. BAD_CALL (also if two results overlap), INTERNAL. Collective. */
TRIAD_API int triad_plan_forward(triad_plan *plan, int n, const void *const *physical, void *const *spectral);
TRIAD_API int triad_plan_backward(triad_plan *plan, int n, const void *const *spectral, void *const *physical);

enum { TRIAD_PLAN_PEAKS = 4 };

/* Description of a pass. */
typedef struct triad_plan_work {
  int n_in, n_out;
  const void *const *in; /* [n_in] spectral fields                                                    */
  void *const *out;      /* [n_out] spectral fields, may be those of `in`, since all are read beforehand */
  /* Called for each row of points x = 0 .. n-1 at global (y, z), concurrently on several threads with different rows.
   * in[f][x] are the fields at the points and may be overwritten; out[g][x] must all be set. Rows are real [n] at
   * 64-byte boundaries, in cache. Change peaks[] by triad_plan_raise only. C++: it must not throw. */
  void (*points)(void *user, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out, double *peaks);
  /* NULL, or called once on each rank after all points were visited and before results are written, with the maximum
   * of the peaks over all ranks (NaN if one is): the place to choose a time step. It may be collective. If it returns
   * a nonzero (positive) code on any rank, the pass ends on all ranks with the largest code, and results are not
   * written. */
  int (*settle)(void *user, const double *peaks);
  /* NULL, or [4]: the same peaks, on every rank; -infinity if none was raised. NULL on all ranks or on none, like
   * settle */
  double *peaks;
  void *user;
} triad_plan_work;

/* Transform n_in fields to physical space, call points, and transform n_out results back. With a truncated plan the
 * pointwise product of two fields is exact in every kept mode. BAD_CALL, INTERNAL, or settle's code. Collective. */
TRIAD_API int triad_plan_pass(triad_plan *plan, const triad_plan_work *work);

/* *peak = max(*peak, value); once NaN, it stays NaN. */
static inline void triad_plan_raise(double *peak, double value)
{
  if (value > *peak || value != value) *peak = value;
}

/* ---- cost ---- */

enum { TRIAD_PLAN_PHASES = 6 };

/* Seconds of this rank in each phase since the last call, averaged over its threads, and the names of the phases: fft,
 * transpose, exchange, copies, pointwise, rest. Zeros for a NULL plan; "" for an invalid phase. Not collective. */
TRIAD_API void triad_plan_phases(triad_plan *plan, double seconds[TRIAD_PLAN_PHASES]);
TRIAD_API const char *triad_plan_phase_name(int phase);

/* Bytes of memory of the plan on this rank, without fields. Not collective. */
TRIAD_API int64_t triad_plan_memory(const triad_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
