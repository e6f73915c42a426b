/* Write files of fields: each rank writes its share of all cells and points, a chunk at a time. */
#include "solvers/unstructured/files/output.h"
#include "solvers/unstructured/state/flow.h"
#include "mesh/write/vtkhdf.h"
#include "mesh/parts/chunks.h"
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

enum { MOST = OUTPUTS + TRIAD_UNSTRUCTURED_MEANS };

/* A file being made. */
typedef struct passage {
  const triad_unstructured_flow *flow;
  triad_mesh_chunks chunks;
  triad_vtkhdf *file;
  int32_t *cell; /* [cells of the part] an own cell's number in the domain */
  int n;         /* fields */
} passage;

static void get_values(void *who, int64_t cell, double *values)
{
  const passage *p = who;
  const triad_unstructured_flow *f = p->flow;
  const int64_t c = p->cell[cell];
  for (int which = 0; which < p->n; which++)
    values[which] = (double)(which < OUTPUTS ? triad_unstructured_value(f, which, c)
                                             : f->mean.at[(which - OUTPUTS) * f->mean.pitch + c]);
}

/* With values of the cells that pieces belong to, and the numbers of these as the last field. */
static int put_pieces(const passage *p, const triad_mesh_chunk *chunk, const double *values)
{
  triad_memory *memory = p->flow->context->memory;
  const int64_t n = chunk->mesh->n_cells;
  double *drawn = NULL;
  int st = TRIAD_ALLOC(memory, "output", n, &drawn);
  for (int which = 0; which <= p->n && st == TRIAD_OK; which++) {
    for (int64_t i = 0; i < n; i++)
      drawn[i] = which < p->n ? values[which * chunk->n + chunk->cell[i]] : (double)(chunk->first + chunk->cell[i]);
    st = triad_vtkhdf_put(p->file, which, chunk->begin.cells, n, drawn);
  }
  TRIAD_FREE(memory, &drawn);
  return st;
}

static int put_values(const passage *p, const triad_mesh_chunk *chunk, const double *values)
{
  if (p->chunks.cut) return put_pieces(p, chunk, values);
  for (int which = 0; which < p->n; which++)
    TRIAD_TRY(triad_vtkhdf_put(p->file, which, chunk->first, chunk->n, values + which * chunk->n));
  return TRIAD_OK;
}

static int put_mesh(const passage *p, const triad_mesh_chunk *chunk)
{
  TRIAD_TRY(triad_vtkhdf_put_cells(p->file, chunk->mesh, chunk->begin.cells, chunk->begin.corners));
  return triad_vtkhdf_put_points(p->file, p->flow->mesh->all_points + chunk->begin.points, chunk->n_added,
                                 chunk->added);
}

/* Chunk k of all ranks. */
static int write_chunk(passage *p, int64_t k)
{
  triad_memory *memory = p->flow->context->memory;
  triad_mesh_chunk chunk;
  double *values = NULL, (*x)[3] = NULL;
  int64_t first, n;
  int st = triad_mesh_chunk_cells(&p->chunks, k, TRIAD_OK, &chunk);
  if (st == TRIAD_OK) st = put_mesh(p, &chunk);
  st = triad_mesh_chunk_values(&p->chunks, k, st, p->n, get_values, p, &values);
  if (st == TRIAD_OK) st = put_values(p, &chunk, values);
  st = triad_mesh_chunk_points(&p->chunks, k, st, &first, &n, &x);
  if (st == TRIAD_OK) st = triad_vtkhdf_put_points(p->file, first, n, (const double(*)[3])x);
  triad_mesh_chunk_free(&chunk);
  TRIAD_FREE(memory, &values);
  TRIAD_FREE(memory, &x);
  return st;
}

static int write_file(passage *p, const char *folder)
{
  const triad_unstructured_flow *f = p->flow;
  const triad_comm *comm = &f->context->comm;
  triad_field_info about[MOST + 1];
  int bytes[MOST + 1], st = TRIAD_OK;
  char name[TRIAD_VTKHDF_NAME];
  for (int i = 0; i < p->n; i++) {
    about[i] = i < OUTPUTS ? outputs[i] : triad_unstructured_mean_fields[i - OUTPUTS];
    bytes[i] = (int)sizeof(triad_real);
  }
  about[p->n] = (triad_field_info){"cell", "number of the cell", "1", TRIAD_SCALAR};
  bytes[p->n] = 8;
  triad_vtkhdf_name(name, f->at.step);
  if (comm->rank == 0) st = triad_disk_make_folder(folder);
  TRIAD_TRY(triad_agree(comm, st));
  const triad_vtkhdf_info info = {folder, name, about, bytes, p->n + p->chunks.cut};
  const triad_vtkhdf_size size = {p->chunks.all.points, p->chunks.all.cells, p->chunks.all.corners};
  st = triad_vtkhdf_create(&p->file, f->context, &info, &size, f->at.step, f->at.t);
  for (int64_t k = 0; k < p->chunks.n && st == TRIAD_OK; k++) st = triad_agree(comm, write_chunk(p, k));
  st = triad_vtkhdf_finish(&p->file, st);
  if (comm->rank == 0 && st == TRIAD_OK)
    st = triad_vtkhdf_collect(folder, &size, about, p->n, (int)sizeof(triad_real), f->at.step, f->at.t);
  return triad_agree(comm, st);
}

static int list_cells(passage *p)
{
  const triad_unstructured_domain *d = p->flow->domain;
  TRIAD_TRY(TRIAD_ALLOC(p->flow->context->memory, "output", p->flow->mesh->n_cells, &p->cell));
  for (int64_t c = 0; c < d->n_cells; c++) p->cell[d->in_mesh[c]] = (int32_t)c;
  return TRIAD_OK;
}

int triad_unstructured_write_fields(void *flow, const char *run_dir, const triad_notes *notes)
{
  triad_unstructured_flow *f = flow;
  char folder[TRIAD_PATH];
  passage p = {.flow = f, .n = OUTPUTS + (f->setup.means ? TRIAD_UNSTRUCTURED_MEANS : 0)};
  (void)notes;
  TRIAD_TRY(triad_unstructured_refresh(f));
  int st = triad_disk_path(folder, "%s/fields", run_dir);
  if (st == TRIAD_OK) st = list_cells(&p);
  st = triad_agree(&f->context->comm, st);
  if (st == TRIAD_OK)
    st = triad_mesh_chunks_create(&p.chunks, f->context, f->partition, f->mesh, TRIAD_UNSTRUCTURED_FILE_CELLS);
  if (st == TRIAD_OK) st = write_file(&p, folder);
  triad_mesh_chunks_free(&p.chunks);
  TRIAD_FREE(f->context->memory, &p.cell);
  return st;
}
