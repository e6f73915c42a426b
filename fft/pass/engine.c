/* Wrap the pass of this precision as a table of functions without a precision in their arguments. The file is
 * compiled once for each precision. */
#include "fft/pass/engine.h"
#include "fft/pass/pass_create.h"
#include "fft/pass/transform.h"

_Static_assert((int)TRIAD_PEAKS >= (int)TRIAD_ENGINE_PEAKS, "a pass collects enough maxima");

/* A field's storage -> the rows of a block, zero outside the truncation whatever the storage holds there. */
static void put_kept(const triad_batch *b, const triad_cplx *field, triad_cplx *rows)
{
  const triad_layout *l = b->layout;
  const int32_t *extent = l->kz_extent + b->block * TRIAD_LANES;
  for (int64_t j = 0; j < l->nkz; j++) {
    const triad_cplx *from = field + (b->block * l->nkz + j) * TRIAD_LANES;
    triad_cplx *to = triad_batch_row(b, rows, j);
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    for (int lane = 0; lane < TRIAD_LANES; lane++) to[lane] = kz <= extent[lane] ? from[lane] : (triad_cplx){0, 0};
  }
}

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_engine_job *given = self;
  for (int f = 0; f < given->n_in; f++) put_kept(block, given->in[f], in[f]);
}

static void sink(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const triad_engine_job *given = self;
  for (int f = 0; f < given->n_out; f++) triad_batch_keep(block, out[f], given->out[f]);
}

/* Arrays of pointers cannot be reinterpreted, only copied. */
static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_engine_job *given = self;
  void *plain_in[TRIAD_ENGINE_FIELDS], *plain_out[TRIAD_ENGINE_FIELDS];
  for (int f = 0; f < given->n_in; f++) plain_in[f] = in[f];
  for (int f = 0; f < given->n_out; f++) plain_out[f] = out[f];
  given->points(given->points_self, at->y, at->z, at->n, plain_in, plain_out, peaks);
}

static int call_settle(void *self, const double *peaks)
{
  const triad_engine_job *given = self;
  return given->settle ? given->settle(given->settle_self, peaks) : TRIAD_OK;
}

static int run_job(void *pass, triad_engine_job *given)
{
  triad_work work = {.n_in = given->n_in,
                     .n_out = given->n_out,
                     .source = source,
                     .points = points,
                     .settle = call_settle,
                     .sink = sink,
                     .self = given};
  return triad_pass_run(pass, &work);
}

static int create(void **out, triad_context *context, const triad_layout *layout, int most_in, int most_out,
                  int nstreams, int reproducible)
{
  triad_pass_options options = {.nstreams = nstreams,
                                .planning = reproducible ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED};
  triad_pass *pass;
  int st = triad_pass_create(&pass, context, layout, most_in, most_out, &options);
  *out = pass;
  return st;
}

static void destroy(void **pass)
{
  triad_pass *p = *pass;
  triad_pass_destroy(&p);
  *pass = NULL;
}

static triad_phases phases(void *pass) { return triad_pass_phases(pass); }

#ifdef TRIAD_SINGLE
#define ENGINE triad_engine_single
#else
#define ENGINE triad_engine_double
#endif

const triad_engine ENGINE = {.real_bytes = (int64_t)sizeof(triad_real),
                             .lanes = TRIAD_LANES,
                             .create = create,
                             .destroy = destroy,
                             .run = run_job,
                             .phases = phases};
