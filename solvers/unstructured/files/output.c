/* Write files of fields: the values of all cells are gathered on rank 0, one field at a time, and written there. */
#include "solvers/unstructured/files/output.h"
#include "grid/fields/slab.h"
#include "solvers/unstructured/state/flow.h"
#include "mesh/polyhedra.h"
#include "mesh/write/vtkhdf.h"
#include "mesh/parts/partition_gather.h"
#include "mesh/pieces.h"
#include "mesh/write/xdmf.h"
#include "store/disk.h"

#include <math.h>
#include <stdlib.h>

enum {
  RHO = TRIAD_UNSTRUCTURED_RHO,
  U = TRIAD_UNSTRUCTURED_U,
  V = TRIAD_UNSTRUCTURED_V,
  W = TRIAD_UNSTRUCTURED_W,
  P = TRIAD_UNSTRUCTURED_P,
  T = TRIAD_UNSTRUCTURED_T,
  MACH = TRIAD_UNSTRUCTURED_MACH,
  SCHLIEREN = TRIAD_UNSTRUCTURED_SCHLIEREN,
  OUTPUTS = TRIAD_UNSTRUCTURED_OUTPUTS
};

static const triad_field_info outputs[OUTPUTS] = {
  [RHO] = {"rho", "density", "M/L^3", TRIAD_SCALAR},
  [U] = {"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 0)},
  [V] = {"v", "velocity along y", "U", TRIAD_COMPONENT("velocity", 1, 0)},
  [W] = {"w", "velocity along z", "U", TRIAD_COMPONENT("velocity", 2, 0)},
  [P] = {"p", "pressure", "M/(L T^2)", TRIAD_SCALAR},
  [T] = {"T", "temperature p/rho", "U^2", TRIAD_SCALAR},
  [MACH] = {"mach", "Mach number |u|/c", "1", TRIAD_SCALAR},
  [SCHLIEREN] = {"schlieren", "relative density gradient |grad rho|/rho", "1/L", TRIAD_SCALAR}};

triad_real triad_unstructured_value(const triad_unstructured_flow *f, int which, int64_t c)
{
  triad_real q[TRIAD_UNSTRUCTURED_VALUES], gradient[5][3];
  triad_unstructured_values_of(f, c, q);
  switch (which) {
  case T: return q[4] / q[0];
  case MACH: return TRIAD_SQRT(triad_gas_dot3(q + 1, q + 1)) / q[5];
  case SCHLIEREN:
    triad_unstructured_gradient(f, c, gradient);
    return TRIAD_SQRT(triad_gas_dot3(gradient[0], gradient[0])) / q[0];
  default: return q[which];
  }
}

/* Memory of a file being made; all, shown, drawn and counts on rank 0 only: of a mesh with polyhedra their pieces,
 * each of which has its cell's value. */
typedef struct passage {
  triad_slab *slab;
  triad_real *values, *lines;
  double *mine, *all, *drawn; /* drawn: all, or what pieces of cells show of it */
  int *count, *at;
  triad_mesh *pieces, *whole; /* whole: of a mesh that was cut */
  int32_t *cell;              /* of each piece */
} passage;

static int allocate_buffers(passage *p, const triad_unstructured_flow *f, const triad_space *space)
{
  triad_memory *memory = f->context->memory;
  const triad_comm *comm = &f->context->comm;
  TRIAD_TRY(triad_slab_create(&p->slab, f->context, space));
  int64_t lines = triad_slab_count(p->slab);
  int st = TRIAD_ALLOC(memory, "output", f->domain->n_cells, &p->values);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "output", lines, &p->lines);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "output", lines, &p->mine);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "output", comm->rank == 0 ? f->mesh->all_cells : 0, &p->all);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "output", comm->size, &p->count);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "output", comm->size, &p->at);
  TRIAD_TRY(triad_agree(&f->context->comm, st));
  int here = (int)lines, first = (int)triad_slab_first(p->slab);
  TRIAD_TRY(TRIAD_MPI(MPI_Allgather(&here, 1, MPI_INT, p->count, 1, MPI_INT, comm->mpi)));
  return TRIAD_MPI(MPI_Allgather(&first, 1, MPI_INT, p->at, 1, MPI_INT, comm->mpi));
}

static void give_back(passage *p, triad_memory *memory)
{
  triad_slab_destroy(&p->slab);
  TRIAD_FREE(memory, &p->values);
  TRIAD_FREE(memory, &p->lines);
  TRIAD_FREE(memory, &p->mine);
  if (p->drawn != p->all) TRIAD_FREE(memory, &p->drawn);
  TRIAD_FREE(memory, &p->all);
  TRIAD_FREE(memory, &p->cell);
  triad_mesh_destroy(&p->pieces);
  triad_mesh_destroy(&p->whole);
  TRIAD_FREE(memory, &p->count);
  TRIAD_FREE(memory, &p->at);
}

/* To rank 0, in the mesh's own order. */
static int gather(passage *p, const triad_unstructured_flow *f, int which)
{
  const triad_comm *comm = &f->context->comm;
  for (int64_t c = 0; c < f->domain->n_cells; c++)
    p->values[c] =
      which < OUTPUTS ? triad_unstructured_value(f, which, c) : f->mean.at[(which - OUTPUTS) * f->mean.pitch + c];
  TRIAD_TRY(triad_slab_gather(p->slab, p->values, p->lines));
  for (int64_t i = 0; i < triad_slab_count(p->slab); i++) p->mine[i] = (double)p->lines[i];
  return TRIAD_MPI(MPI_Gatherv(p->mine, (int)triad_slab_count(p->slab), MPI_DOUBLE, p->all, p->count, p->at, MPI_DOUBLE,
                               0, comm->mpi));
}

static int take_pieces(passage *p, const triad_mesh *m)
{
  p->drawn = p->all;
  if (!m->first_side) return TRIAD_OK;
  p->drawn = NULL;
  TRIAD_TRY(triad_mesh_pieces(&p->pieces, &p->cell, m));
  return TRIAD_ALLOC(m->memory, "output", p->pieces->n_cells, &p->drawn);
}

static int put_field(const passage *p, triad_vtkhdf *file, int which)
{
  for (int64_t i = 0; p->pieces && i < p->pieces->n_cells; i++) p->drawn[i] = p->all[p->cell[i]];
  return triad_vtkhdf_put(file, which, p->drawn);
}

/* Numbers of the cells whose pieces there are, the last field. */
static int put_cells(const passage *p, triad_vtkhdf *file, int which)
{
  for (int64_t i = 0; p->pieces && i < p->pieces->n_cells; i++) p->drawn[i] = p->cell[i];
  return p->pieces ? triad_vtkhdf_put(file, which, p->drawn) : TRIAD_OK;
}

static int write_fields(const triad_unstructured_flow *f, passage *p, const char *folder)
{
  const triad_comm *comm = &f->context->comm;
  const int root = comm->rank == 0, element = (int)sizeof(triad_real);
  const int n = OUTPUTS + (f->setup.means ? TRIAD_UNSTRUCTURED_MEANS : 0);
  triad_field_info about[OUTPUTS + TRIAD_UNSTRUCTURED_MEANS + 1];
  int bytes[OUTPUTS + TRIAD_UNSTRUCTURED_MEANS + 1];
  char name[TRIAD_VTKHDF_NAME];
  triad_vtkhdf *file = NULL;
  int st = TRIAD_OK;
  if (f->partition) TRIAD_TRY(triad_mesh_partition_gather(&p->whole, f->partition, f->mesh));
  for (int i = 0; i < n; i++) {
    about[i] = i < OUTPUTS ? outputs[i] : triad_unstructured_mean_fields[i - OUTPUTS];
    bytes[i] = element;
  }
  about[n] = (triad_field_info){"cell", "number of the cell", "1", TRIAD_SCALAR};
  bytes[n] = 8;
  triad_vtkhdf_name(name, f->at.step);
  if (root) st = triad_disk_make_folder(folder);
  if (root && st == TRIAD_OK) st = take_pieces(p, p->whole ? p->whole : f->mesh);
  const triad_mesh *shown = p->pieces ? p->pieces : p->whole ? p->whole : f->mesh;
  const triad_vtkhdf_info info = {folder, name, about, bytes, n + (p->pieces != NULL)};
  if (root && st == TRIAD_OK) st = triad_vtkhdf_create(&file, shown, &info, f->at.step, f->at.t);
  if (root && st == TRIAD_OK) st = put_cells(p, file, n);
  st = triad_agree(comm, st);
  for (int which = 0; which < n && st == TRIAD_OK; which++) {
    st = gather(p, f, which);
    if (root && st == TRIAD_OK) st = put_field(p, file, which);
    st = triad_agree(comm, st);
  }
  if (root) st = triad_vtkhdf_finish(&file, st);
  if (root && st == TRIAD_OK) st = triad_vtkhdf_collect(folder, shown, about, n, element, f->at.step, f->at.t);
  return triad_agree(comm, st);
}

int triad_unstructured_write_fields(void *flow, const char *run_dir, const triad_notes *notes)
{
  triad_unstructured_flow *f = flow;
  char folder[TRIAD_PATH];
  passage p = {0};
  (void)notes;
  TRIAD_TRY(triad_unstructured_refresh(f));
  int st = triad_agree(&f->context->comm, triad_disk_path(folder, "%s/fields", run_dir));
  if (st == TRIAD_OK) st = allocate_buffers(&p, f, triad_state_space(f->state, 0));
  if (st == TRIAD_OK) st = write_fields(f, &p, folder);
  give_back(&p, f->context->memory);
  return st;
}
