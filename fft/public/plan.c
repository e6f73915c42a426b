/* Create and destroy a plan of triad.h after all ranks have checked that its options are valid and equal. */
#include "fft/public/public_internal.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TRIAD_PLAN_OK == TRIAD_OK && (int)TRIAD_PLAN_BAD_CALL == TRIAD_ERR_USAGE &&
                 (int)TRIAD_PLAN_BAD_GRID == TRIAD_ERR_CASE && (int)TRIAD_PLAN_INTERNAL == TRIAD_ERR_INTERNAL &&
                 (int)TRIAD_PLAN_NO_MEMORY == TRIAD_ERR_MEMORY,
               "the public codes are base/status.h's");
_Static_assert((int)TRIAD_PLAN_SPHERE == TRIAD_SPHERE && (int)TRIAD_PLAN_BOX == TRIAD_BOX &&
                 (int)TRIAD_PLAN_WHOLE == TRIAD_NONE,
               "the public truncations are grid/grid.h's");

static int check_fields(const char *name, int most)
{
  if (most >= 0 && most <= TRIAD_ENGINE_FIELDS) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s = %d fields, must be 0 to %d", name, most, (int)TRIAD_ENGINE_FIELDS);
}

static int check_options(const triad_plan_options *o)
{
  TRIAD_TRY(check_fields("most_in", o->most_in));
  TRIAD_TRY(check_fields("most_out", o->most_out));
  if (o->most_in + o->most_out == 0) return TRIAD_FAIL(TRIAD_ERR_USAGE, "most_in and most_out are both 0");
  if (o->truncation < TRIAD_PLAN_SPHERE || o->truncation > TRIAD_PLAN_WHOLE)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "truncation = %d is not one of TRIAD_PLAN_SPHERE, _BOX, _WHOLE", o->truncation);
  if (o->precision != TRIAD_PLAN_DOUBLE && o->precision != TRIAD_PLAN_SINGLE)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "precision = %d is not one of TRIAD_PLAN_DOUBLE, _SINGLE", o->precision);
  if (o->threads < 0) return TRIAD_FAIL(TRIAD_ERR_USAGE, "threads = %d, must not be negative", o->threads);
  if (o->nstreams < 0) return TRIAD_FAIL(TRIAD_ERR_USAGE, "nstreams = %d, must not be negative", o->nstreams);
  return TRIAD_OK;
}

static int64_t bits_of(double x)
{
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static int check(const triad_comm *comm, triad_plan **out, const triad_plan_options *o, triad_grid *grid)
{
  const triad_plan_options none = {.n = {0}};
  int st = TRIAD_OK;
  if (!out) st = TRIAD_FAIL(TRIAD_ERR_USAGE, "the pointer to the plan is NULL");
  if (st == TRIAD_OK && !o) st = TRIAD_FAIL(TRIAD_ERR_USAGE, "the options are NULL");
  if (!o) o = &none;
  if (st == TRIAD_OK) st = check_options(o);
  if (st == TRIAD_OK) st = triad_grid_init(grid, o->n, o->length, (triad_truncation)o->truncation);
  const triad_public_value values[] = {{"n along x", o->n[0]},
                                       {"n along y", o->n[1]},
                                       {"n along z", o->n[2]},
                                       {"the length along x", bits_of(o->length[0])},
                                       {"the length along y", bits_of(o->length[1])},
                                       {"the length along z", bits_of(o->length[2])},
                                       {"truncation", o->truncation},
                                       {"precision", o->precision},
                                       {"most_in", o->most_in},
                                       {"most_out", o->most_out},
                                       {"threads", o->threads},
                                       {"nstreams", o->nstreams},
                                       {"reproducible", o->reproducible != 0}};
  return triad_public_same(comm, st, values, (int)(sizeof values / sizeof *values));
}

/* Chunks are cut by the number of threads, so it has to be one for all ranks. */
static int choose_threads(triad_context *c, int wanted)
{
  int mine = wanted > 0 ? wanted : omp_get_max_threads(), least = 1, level = MPI_THREAD_SINGLE;
  TRIAD_TRY(triad_agree(&c->comm, TRIAD_MPI(MPI_Query_thread(&level))));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, c->comm.mpi)));
  c->threads = least;
  int st = TRIAD_OK;
  if (c->threads > 1 && level < MPI_THREAD_FUNNELED)
    st =
      TRIAD_FAIL(TRIAD_ERR_USAGE, "%d threads require MPI_Init_thread with MPI_THREAD_FUNNELED or above", c->threads);
  return triad_public_same(&c->comm, st, NULL, 0);
}

static void describe(triad_plan *p)
{
  const triad_layout *l = p->layout;
  p->share = (triad_plan_share){.rank = l->rank,
                                .size = l->size,
                                .first_plane = l->plane_begin[l->rank],
                                .planes = l->n_planes,
                                .points = l->n_planes * l->grid.n[1] * l->grid.n[0],
                                .columns = l->n_columns,
                                .all_columns = l->all_columns,
                                .lanes = l->lanes,
                                .nkz = l->nkz,
                                .modes = l->modes,
                                .kx = l->kx,
                                .ky = l->ky,
                                .kz_extent = l->kz_extent,
                                .wx = l->wx,
                                .wy = l->wy,
                                .weight = l->weight,
                                .kz = l->kz,
                                .wz = l->wz};
  for (int i = 0; i < 3; i++) {
    p->share.n[i] = l->grid.n[i];
    p->share.length[i] = l->grid.length[i];
    p->share.kmax[i] = l->grid.kmax[i];
  }
}

/* Takes the context over, also when it fails. */
static int create_plan(triad_plan **out, triad_context *context, const triad_grid *grid, const triad_plan_options *o)
{
  const triad_comm *comm = &context->comm;
  triad_plan *p = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the plan");
  if (p) {
    p->context = context;
    p->engine = o->precision == TRIAD_PLAN_SINGLE ? &triad_engine_single : &triad_engine_double;
    p->most_in = o->most_in;
    p->most_out = o->most_out;
    st = triad_layout_create(&p->layout, grid, comm->rank, comm->size, p->engine->lanes);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = p->engine->create(&p->pass, context, p->layout, o->most_in, o->most_out, o->nstreams, o->reproducible != 0);
  if (st == TRIAD_OK) describe(p);
  *out = p;
  return st;
}

static int check_comm(MPI_Comm comm)
{
  int inter = 0;
  TRIAD_TRY(triad_public_mpi());
  if (comm == MPI_COMM_NULL) return TRIAD_FAIL(TRIAD_ERR_USAGE, "the communicator is MPI_COMM_NULL");
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_test_inter(comm, &inter)));
  return inter ? TRIAD_FAIL(TRIAD_ERR_USAGE, "the communicator joins two groups: merge them first") : TRIAD_OK;
}

int triad_plan_create(triad_plan **out, MPI_Comm comm, const triad_plan_options *options)
{
  triad_public_begin();
  if (out) *out = NULL;
  int st = check_comm(comm);
  if (st != TRIAD_OK) return triad_public_end(NULL, st);
  triad_context *context = NULL;
  st = triad_context_create(&context, comm, 1);
  if (st != TRIAD_OK) return triad_public_end(NULL, st);
  triad_grid grid;
  triad_plan *plan = NULL;
  st = check(&context->comm, out, options, &grid);
  if (st == TRIAD_OK) st = choose_threads(context, options->threads);
  if (st == TRIAD_OK) st = create_plan(&plan, context, &grid, options);
  st = triad_public_end(&context->comm, st);
  if (st == TRIAD_OK) *out = plan;
  else if (plan) triad_plan_destroy(&plan);
  else triad_context_destroy(&context);
  return st;
}

void triad_plan_destroy(triad_plan **plan)
{
  if (!plan || !*plan) return;
  triad_plan *p = *plan;
  int over = 0;
  if (p->pass) p->engine->destroy(&p->pass);
  triad_layout_destroy(&p->layout);
  if (MPI_Finalized(&over) == MPI_SUCCESS && over) p->context->comm.mpi = MPI_COMM_NULL; /* MPI has freed it */
  triad_context_destroy(&p->context);
  free(p);
  *plan = NULL;
}
