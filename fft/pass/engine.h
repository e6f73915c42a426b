/* The pass without its precision: the interface through which fft/public/ uses it at run time.
 *
 * Sources above src/grid are compiled once per precision and see only that one. Here each provides a table of
 * functions whose arguments do not depend on precision, so that one plan can have either. */
#ifndef TRIAD_FFT_PASS_ENGINE_H
#define TRIAD_FFT_PASS_ENGINE_H

#include "base/clock.h"
#include "grid/layout.h"
#include "parallel/context.h"

enum {
  TRIAD_ENGINE_FIELDS = 128, /* most fields on either side of a pass       */
  TRIAD_ENGINE_PEAKS = 4     /* maxima of a pass that a caller may count on */
};

/* A pass over whole fields. Spectral ones are complex in the layout's storage; what they hold outside the truncation
 * and in padding lanes is not read, and results have zeros there. Rows are real [n]; in[f] may be overwritten. */
typedef struct triad_engine_job {
  int n_in, n_out;
  const void *const *in;
  void *const *out;
  void (*points)(void *self, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out, double *peaks);
  void *points_self;
  int (*settle)(void *self, const double *peaks); /* as in fft/pass/pass.h; NULL for none */
  void *settle_self;
} triad_engine_job;

typedef struct triad_engine {
  int64_t real_bytes; /* of one real number */
  int64_t lanes;      /* that its layouts must have */
  /* fft/pass/pass.h: create is collective, and so is run. */
  int (*create)(void **pass, triad_context *context, const triad_layout *layout, int most_in, int most_out,
                int nstreams, int reproducible);
  void (*destroy)(void **pass);
  int (*run)(void *pass, triad_engine_job *job);
  triad_phases (*phases)(void *pass);
} triad_engine;

extern const triad_engine triad_engine_double, triad_engine_single;

#endif
