/* The pressure of a checkpoint as modes, from its Poisson equation, by the solver that wrote it
 * (docs/methods/spectral.md). The flow is created from the case in the checkpoint and gives the pressure at the points
 * of its grid. Their transform is exact, because the pressure has only modes that the grid keeps. */
#include "command/query/query.h"
#include "fft/pass/pass_create.h"
#include "fft/pass/transform.h"
#include "solvers/box/files.h"

#include <stdlib.h>
#include <string.h>

static const char *const sets[] = {
  "output.fields=[\"pressure\"]", "output.slices=[]", "output.probes=[]", "output.means=[]", "precision=double",
  "parallel.device=cpu"};

/* The case that the checkpoint holds, asked for its pressure. */
static int read_case(const char *folder, const triad_manifest *about, triad_case **given)
{
  const char *text = NULL;
  if (!triad_notes_has(about->notes, "case") || triad_notes_text(about->notes, "case", &text) != TRIAD_OK)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: pressure: the checkpoint does not contain its case", folder);
  int st = triad_case_parse(given, folder, text, strlen(text), sets, (int)(sizeof sets / sizeof *sets));
  if (st != TRIAD_ERR_CASE) return st;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s: pressure: not available for solver %s, or for a case of another version: %.600s", folder,
                    about->solver, triad_case_errors(*given));
}

/* Planes of points to modes[column][kz][2]. */
static int transform(triad_context *context, const triad_manifest *m, const double *planes, double *modes)
{
  const triad_pass_options options = {.nstreams = 1, .planning = TRIAD_PLAN_ESTIMATED};
  triad_layout *l = NULL;
  triad_pass *pass = NULL;
  triad_cplx *field = NULL;
  int st = triad_layout_create(&l, &m->grid, 0, 1, TRIAD_LANES);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "pressure", l->modes, &field);
  if (st == TRIAD_OK) st = triad_pass_create(&pass, context, l, 0, 1, &options);
  if (st == TRIAD_OK) st = triad_forward(pass, l, 1, (const double *const[]){planes}, (triad_cplx *const[]){field});
  for (int64_t c = 0; st == TRIAD_OK && c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const triad_cplx *u = &field[triad_layout_place(l, c, j)];
      modes[2 * (c * l->nkz + j)] = u->re;
      modes[2 * (c * l->nkz + j) + 1] = u->im;
    }
  triad_pass_destroy(&pass);
  TRIAD_FREE(context->memory, &field);
  triad_layout_destroy(&l);
  return st;
}

static int from_flow(triad_simulation *sim, const char *folder, const triad_manifest *about, triad_log *log,
                     double *modes)
{
  triad_values_info info;
  double *planes = NULL;
  TRIAD_TRY(triad_simulation_resume(sim, folder, about, log));
  triad_simulation_values(sim, &info);
  int st = TRIAD_ALLOC(sim->context->memory, "pressure", info.space.memory, &planes);
  if (st == TRIAD_OK) st = triad_files_values(sim, 0, planes);
  if (st == TRIAD_OK) st = transform(sim->context, about, planes, modes);
  TRIAD_FREE(sim->context->memory, &planes);
  return st;
}

int triad_query_pressure(const triad_query_source *q, int i, triad_log *log, int threads, double *modes)
{
  triad_simulation sim = {0};
  triad_context *context = NULL;
  triad_case *given = NULL;
  int st = read_case(q->folder[i], q->about[i], &given);
  if (st == TRIAD_OK) st = triad_solver_find(&sim.solver, given);
  if (st == TRIAD_OK) st = triad_context_create(&context, MPI_COMM_WORLD, threads);
  if (st == TRIAD_OK) {
    sim.context = context;
    sim.given = given;
    st = sim.solver->create(&sim.flow, context, given, NULL);
  }
  if (st == TRIAD_OK) st = from_flow(&sim, q->folder[i], q->about[i], log, modes);
  if (sim.solver) sim.solver->destroy(&sim.flow);
  triad_context_destroy(&context);
  triad_case_destroy(&given);
  return st;
}
