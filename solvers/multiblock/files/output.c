/* Files of fields: RUN/fields/grid.h5 with the nodes of each block, x.1, y.1, z.1, x.2, ..;
 * RUN/fields/blocks-<step>.h5 with the values of cells, rho.1 and so on, each [k][j][i]; RUN/fields/fields.xmf,
 * which shows all of them in time. */
#include "solvers/multiblock/files/output.h"

#include "solvers/multiblock/files/cgnsfields.h"
#include "solvers/multiblock/measure/surface.h"
#include "solvers/multiblock/points/multiblock_points.h"
#include "solvers/multiblock/step/halos.h"

#include "grid/fields/slab.h"
#include "store/disk.h"
#include "store/gather.h"
#include "store/hdf5/h5file.h"
#include "store/formats/moments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 7, PIECE = 1 << 20 /* reals written at a time, through rank 0 */ };

static const triad_field_info values[VALUES] = {{"rho", "density", "M/L^3", TRIAD_SCALAR},
                                                {"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 0)},
                                                {"v", "velocity along y", "U", TRIAD_COMPONENT("velocity", 1, 0)},
                                                {"w", "velocity along z", "U", TRIAD_COMPONENT("velocity", 2, 0)},
                                                {"p", "pressure", "M/(L T^2)", TRIAD_SCALAR},
                                                {"mach", "Mach number |u|/c", "1", TRIAD_SCALAR},
                                                {"temperature", "temperature", "K", TRIAD_SCALAR}};

typedef struct sink {
  triad_multiblock_flow *f;
  char folder[TRIAD_PATH], path[TRIAD_PATH], final[TRIAD_PATH], name[40];
  int64_t *offset; /* [VALUES][blocks] */
  triad_slab *slab;
  triad_real *field, *lines;
  int fd, gather;
} sink;

static void name_of(char out[64], const char *value, int block) { (void)snprintf(out, 64, "%s.%d", value, block + 1); }

/* ---- nodes ---- */

static int put_block(triad_h5 *h5, const triad_blocks_grid *g, int z)
{
  static const char *const axes[3] = {"x", "y", "z"};
  const int64_t *n = g->cells[z], dims[3] = {n[2] + 1, n[1] + 1, n[0] + 1}, all = dims[0] * dims[1] * dims[2];
  double *x = calloc((size_t)all, sizeof *x);
  int st = x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)all);
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) {
    char name[64];
    for (int64_t i = 0; i < all; i++) {
      const int64_t node[3] = {i % dims[2], i / dims[2] % dims[1], i / dims[2] / dims[1]};
      double at[3];
      triad_blocks_grid_node(g, z, node, at);
      x[i] = at[a];
    }
    name_of(name, axes[a], z);
    st = triad_h5_put_doubles(h5, name, 3, dims, x);
    if (st == TRIAD_OK) st = triad_h5_text(h5, name, "units", "L");
  }
  free(x);
  return st;
}

/* Rank 0, once: made anew by each run, for who looks at the folder while it goes on. */
static int put_grid(const sink *s)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-grid.h5", s->folder));
  TRIAD_TRY(triad_disk_path(final, "%s/grid.h5", s->folder));
  TRIAD_TRY(triad_disk_remove(temporary));
  TRIAD_TRY(triad_h5_create(&h5, temporary));
  int st = TRIAD_OK;
  for (int z = 0; z < s->f->grid->n && st == TRIAD_OK; z++) st = put_block(h5, s->f->grid, z);
  TRIAD_TRY(triad_h5_close(&h5, st));
  return triad_disk_commit(temporary, final);
}

/* ---- values ---- */

static int put_datasets(triad_h5 *h5, sink *s, const triad_notes *notes)
{
  const triad_zones *zones = s->f->zones;
  const int64_t blocks = zones->n;
  TRIAD_TRY(triad_h5_integers(h5, "/", "step", 0, &s->f->at.step));
  TRIAD_TRY(triad_h5_reals(h5, "/", "t", 0, &s->f->at.t));
  TRIAD_TRY(triad_h5_integers(h5, "/", "blocks", 0, &blocks));
  TRIAD_TRY(triad_h5_put_notes(h5, "notes", notes));
  for (int v = 0; v < VALUES; v++)
    for (int z = 0; z < zones->n; z++) {
      char name[64];
      const int64_t *n = zones->zone[z].n, dims[3] = {n[2], n[1], n[0]};
      name_of(name, values[v].name, z);
      TRIAD_TRY(triad_h5_slab(h5, name, (int)sizeof(triad_real), 3, dims));
      TRIAD_TRY(triad_h5_text(h5, name, "units", values[v].unit));
      TRIAD_TRY(triad_h5_text(h5, name, "long_name", values[v].long_name));
    }
  for (int v = 0; v < VALUES; v++)
    for (int z = 0; z < zones->n; z++) {
      char name[64];
      name_of(name, values[v].name, z);
      TRIAD_TRY(triad_h5_slab_offset(h5, name, &s->offset[v * zones->n + z]));
    }
  return TRIAD_OK;
}

static int make_file(sink *s, const triad_notes *notes)
{
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_make_folder(s->folder));
  if (!s->f->grid_written) TRIAD_TRY(put_grid(s));
  TRIAD_TRY(triad_disk_remove(s->path));
  TRIAD_TRY(triad_h5_create(&h5, s->path));
  return triad_h5_close(&h5, put_datasets(h5, s, notes));
}

triad_real triad_multiblock_value(const triad_multiblock_flow *f, int which, int64_t at)
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma, per_r = (triad_real)(1 / f->setup.gas.constant);
  const triad_gas_state q = triad_multiblock_at(f->q, at);
  return which < TRIAD_MULTIBLOCK_FIELDS    ? f->q[which][at]
         : which == TRIAD_MULTIBLOCK_FIELDS ? TRIAD_SQRT(q.u * q.u + q.v * q.v + q.w * q.w) / triad_gas_sound(q, gamma)
                                            : q.p / q.rho * per_r;
}

static void fill_field(const sink *s, int v)
{
  const triad_multiblock_flow *f = s->f;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < f->space.memory; i++) s->field[i] = triad_multiblock_value(f, v, i);
}

/* Up to PIECE of this rank's cells from global number `global` on, in one block: how many, and where in the file. */
static int64_t piece_of(const sink *s, int v, int64_t global, int64_t end, int64_t *offset)
{
  const triad_zones *zones = s->f->zones;
  int z = 0;
  while (z + 1 < zones->n && zones->zone[z + 1].first <= global) z++;
  int64_t stop = z + 1 < zones->n ? zones->zone[z + 1].first : zones->all, n = (stop < end ? stop : end) - global;
  *offset = s->offset[v * zones->n + z] + (global - zones->zone[z].first) * (int64_t)sizeof(triad_real);
  return n < PIECE ? n : PIECE;
}

static int put_values(sink *s, int v)
{
  const triad_comm *comm = &s->f->context->comm;
  int64_t first = triad_slab_first(s->slab), end = first + triad_slab_count(s->slab), mine = 0, rounds, offset;
  int st = TRIAD_OK;
  fill_field(s, v);
  TRIAD_TRY(triad_slab_gather(s->slab, s->field, s->lines));
  for (int64_t at = first; at < end; mine++) at += piece_of(s, v, at, end, &offset);
  TRIAD_TRY(triad_gather_rounds(comm, mine, &rounds));
  for (int64_t at = first, i = 0; i < (s->gather ? rounds : mine); i++) {
    int64_t n = at < end ? piece_of(s, v, at, end, &offset) : 0, bytes = n * (int64_t)sizeof(triad_real);
    int put = s->gather ? triad_gather_write(comm, s->fd, s->path, s->lines + (at - first), bytes, offset, s->field,
                                             PIECE * (int64_t)sizeof(triad_real))
                        : triad_disk_write(s->fd, s->path, s->lines + (at - first), bytes, offset);
    if (st == TRIAD_OK) st = put;
    at += n;
  }
  return st;
}

/* ---- what shows them ---- */

static void put_grids(FILE *out, const sink *s, int64_t step)
{
  const triad_zones *zones = s->f->zones;
  const int bytes = (int)sizeof(triad_real);
  for (int z = 0; z < zones->n; z++) {
    const int64_t *n = zones->zone[z].n;
    (void)fprintf(out,
                  "    <Grid Name=\"block %d\" GridType=\"Uniform\">\n     <Topology TopologyType=\"3DSMesh\" "
                  "Dimensions=\"%" PRId64 " %" PRId64 " %" PRId64 "\"/>\n     <Geometry GeometryType=\"X_Y_Z\">\n",
                  z + 1, n[2] + 1, n[1] + 1, n[0] + 1);
    for (int a = 0; a < 3; a++)
      (void)fprintf(out,
                    "      <DataItem Dimensions=\"%" PRId64 " %" PRId64 " %" PRId64
                    "\" NumberType=\"Float\" Precision=\"8\" "
                    "Format=\"HDF\">grid.h5:/%c.%d</DataItem>\n",
                    n[2] + 1, n[1] + 1, n[0] + 1, "xyz"[a], z + 1);
    (void)fprintf(out, "     </Geometry>\n");
    for (int v = 0; v < VALUES; v++)
      (void)fprintf(
        out,
        "     <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Cell\">\n      <DataItem Dimensions=\"%" PRId64
        " %" PRId64 " %" PRId64 "\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">blocks-%08" PRId64
        ".h5:/%s.%d</DataItem>\n     </Attribute>\n",
        values[v].name, n[2], n[1], n[0], bytes, step, values[v].name, z + 1);
    (void)fprintf(out, "    </Grid>\n");
  }
}

/* The times in blocks.txt, and this one. */
static int put_times(const sink *s, FILE *list, FILE *xmf)
{
  triad_moment *moment;
  int64_t n;
  TRIAD_TRY(triad_moments_read(s->folder, "blocks.txt", s->f->at.step, s->f->at.t, &moment, &n));
  (void)fprintf(list, "# step t: of the files that fields.xmf shows\n");
  (void)fprintf(
    xmf, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n  <Grid Name=\"fields\" GridType=\"Collection\" "
         "CollectionType=\"Temporal\">\n");
  for (int64_t i = 0; i < n; i++) {
    (void)fprintf(list, "%" PRId64 " %.17g\n", moment[i].step, moment[i].t);
    (void)fprintf(xmf,
                  "   <Grid Name=\"step %" PRId64 "\" GridType=\"Collection\" CollectionType=\"Spatial\">\n    <Time "
                  "Value=\"%.17g\"/>\n",
                  moment[i].step, moment[i].t);
    put_grids(xmf, s, moment[i].step);
    (void)fprintf(xmf, "   </Grid>\n");
  }
  (void)fprintf(xmf, "  </Grid>\n </Domain>\n</Xdmf>\n");
  free(moment);
  return TRIAD_OK;
}

static int show(const sink *s)
{
  char *text[2] = {NULL, NULL};
  size_t size[2] = {0, 0};
  static const char *const name[2] = {"blocks.txt", "fields.xmf"};
  FILE *out[2] = {open_memstream(&text[0], &size[0]), open_memstream(&text[1], &size[1])};
  int st = out[0] && out[1] ? put_times(s, out[0], out[1]) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "fields.xmf");
  for (int i = 0; i < 2; i++)
    if (out[i] && fclose(out[i]) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "fields.xmf");
  for (int i = 0; i < 2 && st == TRIAD_OK; i++) st = triad_disk_replace(s->folder, name[i], text[i], (int64_t)size[i]);
  free(text[0]);
  free(text[1]);
  return st;
}

/* ---- a file ---- */

static int prepare(sink *s, const char *run_dir)
{
  triad_memory *memory = s->f->context->memory;
  (void)snprintf(s->name, sizeof s->name, "blocks-%08" PRId64 ".h5", s->f->at.step);
  TRIAD_TRY(triad_disk_path(s->folder, "%s/fields", run_dir));
  TRIAD_TRY(triad_disk_path(s->final, "%s/%s", s->folder, s->name));
  TRIAD_TRY(triad_disk_path(s->path, "%s/.tmp-%s", s->folder, s->name));
  s->offset = calloc((size_t)(VALUES * s->f->zones->n), sizeof *s->offset);
  if (!s->offset) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a file of fields");
  int64_t room = s->f->space.memory > PIECE ? s->f->space.memory : PIECE;
  TRIAD_TRY(TRIAD_ALLOC(memory, "output field", room, &s->field));
  return TRIAD_ALLOC(memory, "output field", triad_slab_count(s->slab), &s->lines);
}

static int write_all(sink *s, const triad_notes *notes)
{
  const triad_comm *comm = &s->f->context->comm;
  int st = triad_agree(comm, comm->rank == 0 ? make_file(s, notes) : TRIAD_OK);
  TRIAD_TRY(st);
  s->f->grid_written = 1;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(s->offset, VALUES * s->f->zones->n, MPI_INT64_T, 0, comm->mpi)));
  if (!s->gather || comm->rank == 0) st = triad_gather_open(comm, s->path, &s->fd);
  TRIAD_TRY(triad_agree(comm, st));
  for (int v = 0; v < VALUES; v++) { /* who fails goes on taking part */
    int put = put_values(s, v);
    if (st == TRIAD_OK) st = put;
  }
  if (st == TRIAD_OK && s->fd >= 0) st = triad_disk_sync(s->fd, s->path);
  int closed = triad_disk_close(&s->fd, s->path);
  st = triad_agree(comm, st == TRIAD_OK ? closed : st);
  if (comm->rank == 0 && st == TRIAD_OK) {
    st = triad_disk_commit(s->path, s->final);
    if (st == TRIAD_OK) st = show(s);
    if (st == TRIAD_OK && triad_case_flag(s->f->given, "output.cgns"))
      st = triad_multiblock_cgns_fields(s->f, s->folder);
  }
  if (comm->rank == 0) (void)remove(s->path);
  return triad_agree(comm, st);
}

int triad_multiblock_fields_write(void *flow, const char *run_dir, const triad_notes *notes)
{
  triad_multiblock_flow *f = flow;
  TRIAD_TRY(triad_multiblock_copy_to_host(f));
  sink s = {.f = f, .fd = -1, .gather = triad_case_is(f->given, "output.writer", "gather")};
  TRIAD_TRY(triad_slab_create(&s.slab, f->context, &f->space));
  int st = triad_agree(&f->context->comm, prepare(&s, run_dir));
  if (st == TRIAD_OK) st = write_all(&s, notes);
  TRIAD_FREE(f->context->memory, &s.field);
  TRIAD_FREE(f->context->memory, &s.lines);
  free(s.offset);
  triad_slab_destroy(&s.slab);
  return st == TRIAD_OK ? triad_multiblock_surface_write(f, run_dir, notes) : st;
}
