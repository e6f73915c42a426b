#include "solvers/spectral/measure/output.h"
#include "base/version.h"
#include "store/checkpoint.h"
#include "store/fieldfile.h"

static int gathers(const triad_flow *flow) { return triad_case_is(flow->given, "output.writer", "gather"); }

int triad_output_fields(triad_flow *flow, const char *run_dir, const triad_notes *notes)
{
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_HOST));
  const triad_shape *shape = &flow->shape;
  const triad_layout *l = flow->layout;
  triad_memory *m = flow->context->memory;
  triad_space space;
  triad_fieldfile_info info = {.step = flow->step, .t = flow->t, .single = sizeof(triad_real) == 4,
                               .n_fields = shape->n_fields, .fields = shape->fields, .notes = notes,
                               .gather = gathers(flow)};
  triad_fieldfile *file = NULL;
  triad_space_planes(&space, l);
  triad_real *planes = NULL;
  /* a field at a time: its physical space is the most memory a run ever takes beyond its steps */
  int st = triad_agree(&flow->context->comm, TRIAD_TAKE(m, "output field", l->n_planes * l->grid.n[1] * l->grid.n[0], &planes));
  if (st == TRIAD_OK) st = triad_fieldfile_create(&file, flow->context, &space, run_dir, &info);
  if (st == TRIAD_OK) {
    for (int f = 0; st == TRIAD_OK && f < shape->n_fields; f++) {
      st = triad_flow_backward(flow, flow->u[f], planes);
      if (st == TRIAD_OK) (void)triad_fieldfile_put(file, f, 0, l->n_planes, planes); /* finish tells */
    }
    st = triad_fieldfile_finish(&file, st);
  }
  TRIAD_GIVE(m, &planes);
  return st;
}

int triad_output_checkpoint(triad_flow *flow, const char *run_dir, const triad_notes *notes)
{
  triad_checkpoint_info info = {.step = flow->step, .t = flow->t, .dt = flow->dt, .solver = flow->equations->name,
                                .writer = triad_version_text(), .notes = notes, .gather = gathers(flow)};
  return triad_checkpoint_write(flow->context, flow->state, run_dir, &info,
                                (int)triad_case_integer(flow->given, "output.keep"));
}
