/* Shell spectra of a periodic box of points: fields are transformed one at a time from the layout of the family to
 * modes; a function of the family computes the contribution of a mode to its spectra. Sums are exact, the same bits on
 * any number of ranks and threads (parallel/sum.h). The object is created for one instant and destroyed after it. */
#ifndef TRIAD_SOLVERS_BOX_BOX_SPECTRA_H
#define TRIAD_SOLVERS_BOX_BOX_SPECTRA_H

#include "base/precision.h"
#include "parallel/context.h"
#include "solvers/box/files.h"

enum { TRIAD_BOX_SPECTRA = 8 /* spectra at most */, TRIAD_BOX_MODES = 3 /* fields of modes at most, at a time */ };

/* A mode: its wavenumber of derivatives (grid/grid.h; its shell is by size), whether it is the mean, how many modes
 * it represents (2 with its conjugate), and its value in each field of modes that was made. */
typedef struct triad_box_mode {
  double k[3], weight;
  int mean;
  triad_cplx a[TRIAD_BOX_MODES];
} triad_box_mode;

/* What a mode adds to each spectrum, out[i] being 0 before; weight not counted in by the caller. */
typedef void triad_box_density(const triad_box_mode *mode, double *out);

static inline double triad_box_square(triad_cplx a)
{
  return (double)a.re * (double)a.re + (double)a.im * (double)a.im;
}

typedef struct triad_box_spectra triad_box_spectra;

typedef struct triad_box_spectra_plan {
  const triad_space *space;       /* this rank's points, without ghosts */
  const int64_t *n;               /* [3] */
  const double *length;           /* [3] */
  const triad_column_info *names; /* [spectra]: the first is the energy's */
  int spectra, modes;             /* up to TRIAD_BOX_SPECTRA, TRIAD_BOX_MODES */
  int reproducible;               /* the case's parallel.reproducible */
  const char *run_dir;            /* of FFTW's wisdom */
} triad_box_spectra_plan;

/* Bytes of a rank while spectra of a grid of n[3] points are measured: the planes of a field, its modes and the work
 * columns of the transform. */
int64_t triad_box_spectra_bytes(const int64_t n[3], int ranks, int modes);

/* Collective, as are transform and write. TRIAD_ERR_MEMORY. */
int triad_box_spectra_create(triad_box_spectra **out, triad_context *context, const triad_box_spectra_plan *plan);
void triad_box_spectra_destroy(triad_box_spectra **spectra);

/* points[space.memory] to field `into` of modes. */
int triad_box_spectra_transform(triad_box_spectra *spectra, const triad_real *points, int into);

/* Add what each mode gives, from the fields of modes as they are. */
void triad_box_spectra_add(triad_box_spectra *spectra, triad_box_density *density);

/* sums: sum over ranks, to values[spectra][shells], and reset the sums; collective. shells: number of shells. */
int triad_box_spectra_sums(triad_box_spectra *spectra, double *values);
int64_t triad_box_spectra_shells(const triad_box_spectra *spectra);

/* Sum over ranks, and write spectra/spectra-<step>.h5. energy: the expected sum of the first spectrum, by Parseval, up
 * to roundings (some units per factor of two of the transform's size); else TRIAD_ERR_INTERNAL, and nothing is
 * written. */
int triad_box_spectra_write(triad_box_spectra *spectra, double energy, int64_t step, double t, const char *run_dir,
                            const triad_notes *notes);

/* The same into contents with room for it, where units and names' texts outlive them. Collective. How many arrays
 * and numbers so many spectra are: not collective. */
int triad_box_spectra_take(triad_box_spectra *spectra, double energy, triad_contents *into);
int triad_box_spectra_size(const int64_t n[3], const double length[3], int spectra, int *arrays, int64_t *values);

#endif
