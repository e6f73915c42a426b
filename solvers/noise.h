/* Noise with a correlation time in the Fourier modes of a band, for random forces. Every mode has complex numbers n
 * with a total mean square of 1, Ornstein-Uhlenbeck processes that are exact for any step:
 *   n(t + dt) = r n(t) + sqrt(1 - r^2) g,   r = exp(-dt/time)
 * (Eswaran and Pope 1988, Comput. Fluids 16, 257), g drawn by seed, mode and step (base/random.h). They are few, and
 * all ranks carry all of them: no message is needed, and what a checkpoint keeps is whole on any rank. Not
 * collective. */
#ifndef TRIAD_SOLVERS_NOISE_H
#define TRIAD_SOLVERS_NOISE_H

#include "base/memory.h"
#include "grid/grid.h"
#include "store/checkpoint/notes.h"

enum { TRIAD_NOISE_MODES = 20000 /* of which 2 MB of a manifest are made */ };

typedef struct triad_noise {
  /* given */
  int components;    /* 3: a vector; 1: a number             */
  double helicity;   /* of the part across k, -1 to 1        */
  double solenoidal; /* share of the mean square that lies across k; the rest lies along it. 1 for a number */
  double time;       /* of correlation                       */
  uint64_t seed;
  /* made */
  int64_t count; /* modes, one of each pair of conjugates, in rising order of (kx, ky, kz) */
  int64_t (*k)[3];
  double (*w)[3]; /* their wavenumbers                    */
  double *normal; /* [count][components][re, im]          */
} triad_noise;

/* The modes that the grid keeps, without a component at n/2, with band[0] <= |k|/k_min <= band[1], but the mean;
 * numbers at 0. `key` is what messages name. TRIAD_ERR_CASE where there is none, or too many; TRIAD_ERR_MEMORY. */
int triad_noise_create(triad_noise *noise, triad_memory *memory, const triad_grid *grid, const double band[2],
                       const char *key);
void triad_noise_free(triad_noise *noise, triad_memory *memory);

/* Numbers as they may be at any time, drawn for a step; those a time dt later. */
void triad_noise_begin(triad_noise *noise, int64_t step);
void triad_noise_advance(triad_noise *noise, int64_t step, double dt);

/* Number of mode k, *sign 1, or that of its conjugate, *sign -1; -1: neither is in the band. */
int64_t triad_noise_find(const triad_noise *noise, const int64_t k[3], double *sign);

/* The numbers as a note; and back: 1, or 0 where there are none that fit. */
int triad_noise_keep(const triad_noise *noise, triad_notes *notes);
int triad_noise_take(triad_noise *noise, const triad_notes *notes);
int triad_noise_is_in(const triad_notes *notes); /* 1 if the notes have any, for any band */

/* A random complex vector perpendicular to wavenumber w[3] != 0, mean square 1 over draws (key and integers k as in
 * base/random.h): Gaussian amplitudes of the two helical waves, with relative helicity -1 <= helicity <= 1,
 *   sqrt((1 + helicity)/2) a+ h+ + sqrt((1 - helicity)/2) a- h-,   i k x h+- = +-|k| h+-
 * (Waleffe 1992, Phys. Fluids A 4, 350). Not collective. */
void triad_random_vector(uint64_t key, const int32_t k[3], const double w[3], uint32_t draw, double helicity,
                         double re[3], double im[3]);

#endif
