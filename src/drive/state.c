/* The state of a driven run as memory, and its values at points. */
#include "drive/drive_internal.h"

#include "case/slice.h"

#include <stdlib.h>
#include <string.h>

static triad_state *state_of(const triad_drive *d)
{
  const triad_simulation *sim = triad_drive_simulation(d);
  return sim->solver->state(sim->flow);
}

/* How a field lies in a space. */
static void describe(triad_drive_field *out, const triad_field_info *info, const triad_space *space)
{
  *out = (triad_drive_field){.name = info->name,
                             .long_name = info->long_name,
                             .unit = info->unit,
                             .kind = TRIAD_DRIVE_OTHER,
                             .memory = space->memory};
  if (space->layout && space->parts == 2) out->kind = TRIAD_DRIVE_MODES;
  if (!triad_space_is_box(space)) return;
  const triad_partition *b = &space->blocks;
  out->kind = TRIAD_DRIVE_BOX;
  out->origin = b->origin;
  for (int i = 0; i < 3; i++) {
    out->n[i] = b->n[i];
    out->begin[i] = b->begin[i];
    out->local[i] = b->local[i];
    out->stride[i] = b->stride[i];
    out->period[i] = space->axis[i].periodic ? space->axis[i].length : 0;
  }
}

int triad_drive_field_at(const triad_drive *d, int i, triad_drive_field *out)
{
  if (!d->loop) return TRIAD_ERR_USAGE;
  triad_state *s = state_of(d);
  if (i < 0 || i >= triad_state_size(s)) return TRIAD_ERR_USAGE;
  describe(out, triad_state_field(s, i), triad_state_space(s, i));
  return TRIAD_OK;
}

static int memory_of(triad_drive *d, int field, int write, triad_where where, void **out)
{
  triad_state *s = state_of(d);
  const void *held = NULL;
  if (field < 0 || field >= triad_state_size(s))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "there is no field number %d", field);
  int offload = 0;
  const triad_simulation *sim = triad_drive_simulation(d);
  triad_device *device = sim->solver->device ? sim->solver->device(sim->flow, &offload) : NULL;
  if (where == TRIAD_DEVICE && (!device || offload))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "the state of this run is not on a GPU");
  if (write) return triad_state_write(s, field, where, out);
  TRIAD_TRY(triad_state_read(s, field, where, &held));
  *out = (void *)(uintptr_t)held;
  return TRIAD_OK;
}

int triad_drive_memory(triad_drive *d, int field, int write, int device, void **out)
{
  TRIAD_PLAIN_TEXT;
  triad_drive_begin(d);
  int st = triad_drive_gone(d);
  const triad_where where = device ? TRIAD_DEVICE : TRIAD_HOST;
  if (!write && !d->changed) return triad_drive_end_local(d, st == TRIAD_OK ? memory_of(d, field, 0, where, out) : st);
  if (st == TRIAD_OK && !write) st = triad_drive_settle(d);
  if (st == TRIAD_OK) st = triad_agree(&d->session.comm, memory_of(d, field, write, where, out));
  d->changed |= write && d->loop;
  return triad_drive_end(d, st);
}

int triad_drive_layout_of(const triad_drive *d, triad_drive_layout *out)
{
  if (!d->loop) return TRIAD_ERR_FEATURE;
  triad_state *s = state_of(d);
  const triad_space *space = triad_state_size(s) > 0 ? triad_state_space(s, 0) : NULL;
  if (!space || !space->layout || space->parts != 2 || space->layout->group > 1) return TRIAD_ERR_FEATURE;
  const triad_layout *l = space->layout;
  *out = (triad_drive_layout){.n_blocks = l->n_blocks,
                              .nkz = l->nkz,
                              .lanes = l->lanes,
                              .n_columns = l->n_columns,
                              .first_column = l->column_begin[l->rank],
                              .all_columns = l->all_columns,
                              .mx = l->kx,
                              .my = l->ky,
                              .extent = l->kz_extent,
                              .self = l->self,
                              .kx = l->wx,
                              .ky = l->wy,
                              .weight = l->weight,
                              .mz = l->kz,
                              .kz = l->wz};
  for (int i = 0; i < 3; i++) {
    out->n[i] = l->grid.n[i];
    out->length[i] = l->grid.length[i];
  }
  return TRIAD_OK;
}

/* ---- values at points ---- */

/* Set the points of the solver; fields at these points are listed, none if `values` has other points. */
static int find_points(const triad_drive *d, triad_values_info *info)
{
  TRIAD_TRY(triad_drive_gone(d));
  const triad_simulation *sim = triad_drive_simulation(d);
  triad_simulation_values(sim, info);
  const int64_t shown = info->space.all;
  if (sim->solver->outside) sim->solver->outside->points(sim->flow, &info->space);
  if (info->space.all != shown) info->n = 0;
  if (triad_space_is_box(&info->space)) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s has no values on a regular grid: read its state instead",
                    triad_case_word(sim->given, "equations.solver"));
}

int triad_drive_points(const triad_drive *d, triad_drive_field *out)
{
  TRIAD_PLAIN_TEXT;
  static const triad_field_info none = {"", "", "", TRIAD_SCALAR};
  triad_values_info info;
  triad_drive_begin(NULL);
  int st = find_points(d, &info);
  if (st == TRIAD_OK) describe(out, &none, &info.space);
  return triad_drive_end_local(NULL, st);
}

int triad_drive_axis(const triad_drive *d, int axis, double *out)
{
  triad_values_info info;
  triad_drive_begin(NULL);
  int st = find_points(d, &info);
  for (int64_t i = 0; st == TRIAD_OK && i < info.space.axis[axis].n; i++)
    out[i] = triad_axis_position(&info.space.axis[axis], i);
  return triad_drive_end_local(NULL, st);
}

/* A quantity of the family's table, else number *field of the values. */
static int find(const triad_drive *d, const triad_values_info *info, const char *name, triad_slice_quantity *quantity,
                int *field)
{
  const triad_simulation *sim = triad_drive_simulation(d);
  triad_own_names own;
  char why[256];
  *field = -1;
  triad_own_names_of(sim->given, &own);
  if (triad_quantity_read(name, triad_case_word(sim->given, "equations.solver"), &own, quantity, why, sizeof why) &&
      sim->solver->quantity)
    return TRIAD_OK;
  *field = triad_field_find(info->fields, info->n, name);
  return *field >= 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_CASE, "%s", why);
}

int triad_drive_quantity(const triad_drive *d, const char *name, triad_drive_field *out)
{
  TRIAD_PLAIN_TEXT;
  static _Thread_local triad_slice_quantity quantity;
  triad_values_info info;
  int field;
  triad_drive_begin(NULL);
  int st = find_points(d, &info);
  if (st == TRIAD_OK) st = find(d, &info, name, &quantity, &field);
  if (st == TRIAD_OK && field >= 0) describe(out, &info.fields[field], &info.space);
  else if (st == TRIAD_OK)
    describe(out, &(triad_field_info){quantity.name, quantity.long_name, quantity.unit, TRIAD_SCALAR}, &info.space);
  return triad_drive_end_local(NULL, st);
}

/* Number `field` of the values. */
static int values_of(triad_drive *d, int field, const triad_space *space, void *out)
{
  const triad_simulation *sim = triad_drive_simulation(d);
  const void *held = NULL;
  if (sim->solver->values) return sim->solver->values(sim->flow, field, out);
  TRIAD_TRY(triad_agree(&d->session.comm, triad_state_read(state_of(d), field, TRIAD_HOST, &held)));
  size_t real = triad_case_is(sim->given, "precision", "single") ? sizeof(float) : sizeof(double);
  memcpy(out, held, (size_t)space->memory * real);
  return TRIAD_OK;
}

int triad_drive_values(triad_drive *d, const char *name, void *out)
{
  TRIAD_PLAIN_TEXT;
  triad_slice_quantity quantity;
  triad_values_info info;
  int field = -1;
  triad_drive_begin(d);
  int st = find_points(d, &info);
  if (st == TRIAD_OK) st = find(d, &info, name, &quantity, &field);
  st = triad_agree(&d->session.comm, st);
  if (st == TRIAD_OK) st = triad_drive_settle(d);
  if (st != TRIAD_OK) return triad_drive_end(d, st);
  const triad_simulation *sim = triad_drive_simulation(d);
  return triad_drive_end(d, field < 0 ? sim->solver->quantity(sim->flow, &quantity, out)
                                      : values_of(d, field, &info.space, out));
}

int triad_drive_put(triad_drive *d, int field, const void *values)
{
  TRIAD_PLAIN_TEXT;
  triad_drive_begin(d);
  int st = triad_drive_gone(d);
  if (st != TRIAD_OK) return triad_drive_end(d, st);
  const triad_simulation *sim = triad_drive_simulation(d);
  st = sim->solver->outside ? TRIAD_OK
                            : TRIAD_FAIL(TRIAD_ERR_FEATURE, "the state of solver %s is already stored at points",
                                         triad_case_word(sim->given, "equations.solver"));
  st = triad_agree(&d->session.comm, st);
  if (st == TRIAD_OK) st = sim->solver->outside->put(sim->flow, field, values);
  d->changed = 1;
  return triad_drive_end(d, st);
}
