/* Gather fields at particles on a GPU, chunk by chunk, in a separate pass or in that of a stage. */
#include "solvers/spectral/particles/gpu_gather.h"
#include "solvers/spectral/particles/gpu_internal.h"
#include "solvers/spectral/particles/gpu_planes.h"

#include "solvers/spectral/gpu_part.h"

#include <stdlib.h>
#include <string.h>

/* ---- planes as they come ---- */

static int serves(const triad_gpu_particles *p, const triad_group *g)
{
  return g->divided ? p->divided == g->order : p->divided == 0;
}

/* The particles of own slabs begin .. end - 1. */
static int sum(triad_gpu_particles *p, int64_t begin, int64_t end, void *stream)
{
  for (int i = 0; i < p->n; i++) {
    const triad_group *g = &p->group[i];
    if (!serves(p, g) || p->arrival[i].fields == 0) continue;
    TRIAD_TRY(triad_gpu_particles_sum(&p->tiles, &p->member[i].at, &p->planes, g->order, g->divided, begin, end,
                                      &p->arrival[i], stream));
  }
  return TRIAD_OK;
}

static int64_t above(const triad_gpu_particles *p) { return p->planes.edge - p->planes.lower; }

/* Slabs that end below plane z. */
static int64_t whole_slabs(const triad_gpu_particles *p, int64_t z)
{
  return z < 0 ? 0 : triad_gpu_slab_of(&p->tiles, z);
}

/* Chunks are in flight on several streams but planes are stored in one buffer, so they are processed one after the
 * other. The pass's own visit may overwrite its input, and comes last. */
static int visit_planes(const void *law, const triad_gpu_chunk *c)
{
  const triad_gpu_watch *w = law;
  triad_gpu_particles *p = w->self;
  const int64_t last = whole_slabs(p, c->first + c->count - above(p));
  TRIAD_TRY(TRIAD_CU(cudaStreamWaitEvent((cudaStream_t)c->stream, p->seen, 0)));
  TRIAD_TRY(triad_gpu_planes_take(p, c, p->fields));
  if (last > p->done) {
    TRIAD_TRY(sum(p, p->done, last, c->stream));
    p->done = last;
  }
  TRIAD_TRY(TRIAD_CU(cudaEventRecord(p->seen, (cudaStream_t)c->stream)));
  return w->visit ? w->visit(w->law, c) : TRIAD_OK;
}

static void begin(triad_gpu_particles *p, int fields, int divided)
{
  p->fields = fields;
  p->divided = divided;
  p->done = p->planes.lower > 0;
}

/* What others would wait for ends all ranks. */
static int wanted_by_all(const triad_gpu_particles *p, int st)
{
  if (p->layout->size > 1) triad_must(&p->flow->context->comm, st);
  return st;
}

/* Those at both ends, when the pass is over. */
int triad_gpu_gather_finish(triad_gpu_particles *p)
{
  void *stream = triad_device_stream(p->device);
  const int64_t n = p->tiles.slabs, below = p->planes.lower > 0 && n > 0;
  TRIAD_TRY(wanted_by_all(p, triad_gpu_planes_fetch(p)));
  TRIAD_TRY(wanted_by_all(p, sum(p, 0, below, stream)));
  TRIAD_TRY(wanted_by_all(p, sum(p, p->done, n, stream)));
  return wanted_by_all(p, triad_gpu_planes_read(p));
}

static int run_pass(triad_gpu_particles *p, const triad_cplx *const *in, int fields, int divided)
{
  const triad_gpu_job job = {.n_in = fields, .in = in, .visit = visit_planes, .law = &p->watch};
  p->watch = (triad_gpu_watch){.self = p};
  begin(p, fields, divided);
  TRIAD_TRY(triad_gpu_pass_run(p->state->pass, &job));
  return triad_gpu_gather_finish(p);
}

void triad_gpu_gather_watch(triad_gpu_particles *p, triad_gpu_job *job)
{
  p->watch = (triad_gpu_watch){p, job->visit, job->law};
  begin(p, 3, 0);
  job->visit = visit_planes;
  job->law = &p->watch;
}

/* ---- which groups, which fields ---- */

int triad_gpu_gather_has(const triad_gpu_particles *p, int divided, int mass)
{
  for (int i = 0; i < p->n; i++)
    if ((p->group[i].divided ? p->group[i].order == divided : divided == 0) && (p->group[i].mass > 0 || !mass))
      return 1;
  return 0;
}

triad_gpu_terms triad_gpu_gather_terms(int n, triad_cplx *const *from, int along)
{
  triad_gpu_terms terms = {.n = n};
  for (int f = 0; f < n; f++) {
    terms.field[f].n = 1;
    terms.field[f].term[0].from = from[f];
    terms.field[f].term[0].along = along;
    terms.field[f].term[0].sign = 1;
  }
  return terms;
}

/* Fields as the GPU has them, or made for the pass. */
int triad_gpu_gather_run(triad_gpu_particles *p, const triad_gpu_terms *wanted, int divided)
{
  triad_gpu_terms terms = *wanted;
  const triad_cplx *in[3] = {NULL};
  int plain = divided == 0;
  terms.across = divided > 0 ? p->divisors[divided == 6].across : NULL;
  terms.up = divided > 0 ? p->divisors[divided == 6].up : NULL;
  for (int f = 0; f < terms.n; f++) {
    in[f] = terms.field[f].term[0].from;
    plain &= terms.field[f].n == 1 && terms.field[f].term[0].along < 0;
  }
  if (!plain) {
    TRIAD_TRY(
      wanted_by_all(p, triad_gpu_particles_modes(&p->state->modes, &terms, p->made, triad_device_stream(p->device))));
    for (int f = 0; f < terms.n; f++) in[f] = p->made[f];
  }
  return run_pass(p, in, terms.n, divided);
}

/* The device's field for the host's. */
static const triad_cplx *field_of(const triad_gpu_particles *p, const triad_cplx *host)
{
  int f = 0;
  while (p->flow->u[f] != host) f++;
  return p->state->u[f];
}

static int run_want(triad_gpu_particles *p, const triad_gather_want *want, int divided)
{
  triad_gpu_terms terms = {.n = want->n};
  for (int f = 0; f < want->n; f++) {
    terms.field[f].n = want->field[f].n;
    for (int t = 0; t < want->field[f].n; t++) {
      const triad_gather_term *from = &want->field[f].term[t];
      terms.field[f].term[t].from = field_of(p, from->from);
      terms.field[f].term[t].along = from->along;
      terms.field[f].term[t].sign = from->sign;
    }
  }
  return triad_gpu_gather_run(p, &terms, divided);
}

/* ---- between steps ---- */

/* To the register of the places, which holds nothing then; and from there to the host. */
static int bring(triad_gpu_particles *p, int fields, int offset, double *const *out)
{
  for (int i = 0; i < p->n; i++) {
    const int64_t n = p->group[i].n;
    double *row = malloc((size_t)(n + 1) * sizeof *row);
    int st = row ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld particles", (long long)n);
    for (int f = 0; f < fields && st == TRIAD_OK; f++) {
      st = triad_device_get(p->device, row, p->member[i].at.xq[f], n * (int64_t)sizeof *row);
      for (int64_t k = 0; k < n && st == TRIAD_OK; k++)
        *(out ? &out[i][k * fields + f] : triad_group_record(&p->group[i], k) + offset + f) = row[k];
    }
    free(row);
    TRIAD_TRY(st);
  }
  return TRIAD_OK;
}

int triad_gpu_particles_gather(triad_gpu_particles *p, const triad_gather_want *want, int offset, double *const *out)
{
  int st = triad_agree(&p->flow->context->comm, triad_state_read_all(p->flow->state, TRIAD_DEVICE));
  for (int i = 0; i < p->n; i++) {
    p->arrival[i] = (triad_gpu_arrival){.fields = want->n};
    for (int f = 0; f < 3; f++) p->arrival[i].to[f] = p->member[i].at.xq[f];
  }
  for (int k = 0; k < TRIAD_GPU_GATHER_WAYS && st == TRIAD_OK; k++)
    if (triad_gpu_gather_has(p, triad_gpu_gather_ways[k], 0))
      st = triad_agree(&p->flow->context->comm, run_want(p, want, triad_gpu_gather_ways[k]));
  if (st == TRIAD_OK) st = triad_agree(&p->flow->context->comm, bring(p, want->n, offset, out));
  return st;
}
