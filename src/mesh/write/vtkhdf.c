/* Write a mesh and cell values as VTKHDF (vtkhdf.h). */
#include "mesh/write/vtkhdf.h"

#include "base/status.h"
#include "store/disk.h"
#include "store/hdf5/h5file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1 << 16 }; /* numbers of eight bytes that are written at a time */

/* Lists of the mesh, and where they begin. */
typedef struct lists {
  int64_t points, offsets, connectivity, types, mixed;
} lists;

struct triad_vtkhdf {
  const triad_comm *comm; /* NULL: one rank writes the file */
  triad_memory *memory;
  const triad_vtkhdf_info *info;
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  int64_t n_cells, *offset; /* [fields] */
  lists at;
  int fd;
  void *piece;
};

/* ---- what the file has ---- */

/* n cells with so many corners; mixed: how long XDMF's list is, 0: there is none. */
typedef struct counts {
  int64_t points, n, corners, mixed;
  const triad_mesh *patches; /* the mesh whose patches are listed by name, or NULL */
} counts;

static int put_counts(triad_h5 *h5, const counts *c)
{
  const int64_t one = 1;
  TRIAD_TRY(triad_h5_put_longs(h5, "VTKHDF/NumberOfPoints", 1, &one, &c->points));
  TRIAD_TRY(triad_h5_put_longs(h5, "VTKHDF/NumberOfCells", 1, &one, &c->n));
  return triad_h5_put_longs(h5, "VTKHDF/NumberOfConnectivityIds", 1, &one, &c->corners);
}

static int make_lists(triad_h5 *h5, const counts *c)
{
  const int64_t points[2] = {c->points, 3}, offsets = c->n + 1;
  TRIAD_TRY(triad_h5_slab(h5, "VTKHDF/Points", 8, 2, points));
  TRIAD_TRY(triad_h5_slab_integers(h5, "VTKHDF/Offsets", 8, 1, &offsets));
  TRIAD_TRY(triad_h5_slab_integers(h5, "VTKHDF/Connectivity", 8, 1, &c->corners));
  TRIAD_TRY(triad_h5_slab_integers(h5, "VTKHDF/Types", 1, 1, &c->n));
  return c->mixed > 0 ? triad_h5_slab_integers(h5, "Xdmf", 8, 1, &c->mixed) : TRIAD_OK;
}

static void name_of(const triad_vtkhdf *f, int which, char name[128])
{
  (void)snprintf(name, 128, "VTKHDF/CellData/%s", f->info->fields[which].name);
}

static int make_fields(triad_h5 *h5, const triad_vtkhdf *f)
{
  char name[128];
  TRIAD_TRY(triad_h5_group(h5, "VTKHDF/CellData"));
  for (int i = 0; i < f->info->n; i++) {
    name_of(f, i, name);
    TRIAD_TRY(triad_h5_slab(h5, name, f->info->element[i], 1, &f->n_cells));
    TRIAD_TRY(triad_h5_text(h5, name, "units", f->info->fields[i].unit));
    TRIAD_TRY(triad_h5_text(h5, name, "long_name", f->info->fields[i].long_name));
  }
  return TRIAD_OK;
}

static int find_offsets(triad_h5 *h5, triad_vtkhdf *f, const counts *c)
{
  lists *at = &f->at;
  char name[128];
  TRIAD_TRY(triad_h5_slab_offset(h5, "VTKHDF/Points", &at->points));
  TRIAD_TRY(triad_h5_slab_offset(h5, "VTKHDF/Offsets", &at->offsets));
  TRIAD_TRY(triad_h5_slab_offset(h5, "VTKHDF/Connectivity", &at->connectivity));
  TRIAD_TRY(triad_h5_slab_offset(h5, "VTKHDF/Types", &at->types));
  if (c->mixed > 0) TRIAD_TRY(triad_h5_slab_offset(h5, "Xdmf", &at->mixed));
  for (int i = 0; i < f->info->n; i++) {
    name_of(f, i, name);
    TRIAD_TRY(triad_h5_slab_offset(h5, name, &f->offset[i]));
  }
  return TRIAD_OK;
}

/* Outside of the group of VTK: a dataset for each patch, with its number in the field `boundary`. */
static int put_patches(triad_h5 *h5, const triad_mesh *m)
{
  const int64_t one = 1;
  TRIAD_TRY(triad_h5_group(h5, "Patches"));
  for (int p = 0; p < m->n_patches; p++) {
    char name[TRIAD_MESH_NAME + 16];
    const int64_t number = p + 1;
    (void)snprintf(name, sizeof name, "Patches/%s", m->patch_name[p]);
    TRIAD_TRY(triad_h5_put_longs(h5, name, 1, &one, &number));
  }
  return TRIAD_OK;
}

static int describe(triad_h5 *h5, triad_vtkhdf *f, const counts *c)
{
  const int64_t version[2] = {1, 0};
  TRIAD_TRY(triad_h5_group(h5, "VTKHDF"));
  TRIAD_TRY(triad_h5_integers(h5, "VTKHDF", "Version", 2, version));
  TRIAD_TRY(triad_h5_ascii(h5, "VTKHDF", "Type", "UnstructuredGrid")); /* VTK takes no other text */
  TRIAD_TRY(put_counts(h5, c));
  TRIAD_TRY(make_lists(h5, c));
  TRIAD_TRY(make_fields(h5, f));
  if (c->patches) TRIAD_TRY(put_patches(h5, c->patches));
  return find_offsets(h5, f, c);
}

static int allocate(triad_vtkhdf **out, triad_memory *memory, const triad_vtkhdf_info *info, const counts *c)
{
  triad_vtkhdf *f = *out = calloc(1, sizeof *f);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a VTKHDF file");
  *f = (triad_vtkhdf){.memory = memory, .info = info, .n_cells = c->n, .fd = -1};
  TRIAD_TRY(triad_disk_path(f->final, "%s/%s", info->folder, info->name));
  TRIAD_TRY(triad_disk_path(f->temporary, "%s/.tmp-%s", info->folder, info->name));
  TRIAD_TRY(TRIAD_ALLOC(memory, "output", info->n, &f->offset));
  return triad_memory_alloc(memory, "output", PIECE, 8, &f->piece);
}

/* Give back what allocate took, and delete a file that failed. */
static void release(triad_vtkhdf **file, int status)
{
  triad_vtkhdf *f = *file;
  if (!f) return;
  (void)triad_disk_close(&f->fd, f->temporary);
  if (status != TRIAD_OK && f->temporary[0] && !(f->comm && f->comm->rank > 0)) (void)triad_disk_remove(f->temporary);
  TRIAD_FREE(f->memory, &f->offset);
  triad_memory_free(f->memory, &f->piece);
  free(f);
  *file = NULL;
}

/* The file with all but its lists and fields. step NULL: of no time. */
static int make_file(triad_vtkhdf *f, const counts *c, const int64_t *step, double t)
{
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_remove(f->temporary)); /* left by a run that was killed */
  TRIAD_TRY(triad_h5_create(&h5, f->temporary));
  int st = describe(h5, f, c);
  if (st == TRIAD_OK && step) st = triad_h5_integers(h5, "/", "step", 0, step);
  if (st == TRIAD_OK && step) st = triad_h5_reals(h5, "/", "t", 0, &t);
  return triad_h5_close(&h5, st);
}

/* A file that this rank writes alone. */
static int make_own(triad_vtkhdf **out, const triad_mesh *m, const triad_vtkhdf_info *info, const counts *c)
{
  TRIAD_TRY(allocate(out, m->memory, info, c));
  TRIAD_TRY(make_file(*out, c, NULL, 0));
  return triad_disk_open((*out)->temporary, 1, &(*out)->fd);
}

/* ---- lists, a piece at a time ---- */

typedef struct stream {
  const triad_vtkhdf *file;
  int64_t at, n; /* where the piece goes; numbers in it */
} stream;

static int flush(stream *s, int element)
{
  const int64_t n = s->n, at = s->at;
  s->at += n * element;
  s->n = 0;
  return n > 0 ? triad_disk_write(s->file->fd, s->file->temporary, s->file->piece, n * element, at) : TRIAD_OK;
}

static int put_long(stream *s, int64_t value)
{
  ((int64_t *)s->file->piece)[s->n++] = value;
  return s->n == PIECE ? flush(s, 8) : TRIAD_OK;
}

static int put_byte(stream *s, int value)
{
  ((uint8_t *)s->file->piece)[s->n++] = (uint8_t)value;
  return s->n == PIECE ? flush(s, 1) : TRIAD_OK;
}

int triad_vtkhdf_put_points(const triad_vtkhdf *f, int64_t first, int64_t n, const double (*x)[3])
{
  const int64_t bytes = (int64_t)sizeof *x;
  return n > 0 ? triad_disk_write(f->fd, f->temporary, x, n * bytes, f->at.points + first * bytes) : TRIAD_OK;
}

/* ---- cells ---- */

static const triad_mesh_shape_info *shape_of(const triad_mesh *m, int64_t c) { return &triad_mesh_shapes[m->shape[c]]; }

static int put_corners(stream *s, const triad_mesh *m, int64_t c)
{
  for (int i = 0; i < shape_of(m, c)->corners; i++)
    TRIAD_TRY(put_long(s, m->corner[m->first[c] + shape_of(m, c)->to_vtk[i]]));
  return TRIAD_OK;
}

/* The number of a cell type in XDMF. */
static int xdmf_type(triad_mesh_shape shape)
{
  static const int types[] = {
    [TRIAD_MESH_TET] = 6, [TRIAD_MESH_PYRAMID] = 7, [TRIAD_MESH_PRISM] = 8, [TRIAD_MESH_HEX] = 9};
  return types[shape];
}

/* What is listed of a cell or a side: the end of its corners, the corners, its type. */
enum { OFFSETS, CONNECTIVITY, TYPES };

static int put_sides(stream *s, const triad_mesh *m, int list)
{
  int64_t corners = m->first[m->n_cells];
  for (int patch = 0; patch < m->n_patches; patch++)
    for (int64_t f = m->n_inner; f < m->n_faces; f++) {
      if (m->patch[f] != patch) continue;
      if (list == OFFSETS) TRIAD_TRY(put_long(s, corners += m->points[f]));
      for (int i = 0; i < m->points[f] && list == CONNECTIVITY; i++) TRIAD_TRY(put_long(s, triad_mesh_face(m, f)[i]));
      if (list == TYPES) TRIAD_TRY(put_byte(s, m->points[f] == 3 ? 5 : 9));
    }
  return TRIAD_OK;
}

/* Cells from number `first` on, and their corners; sides: those of the patches follow the cells. */
static int put_cells(const triad_vtkhdf *f, const triad_mesh *m, int64_t first, int64_t corner, int sides)
{
  stream s = {.file = f, .at = f->at.offsets + 8 * (first + (first > 0))};
  for (int64_t c = first > 0; c <= m->n_cells; c++) TRIAD_TRY(put_long(&s, corner + m->first[c]));
  if (sides) TRIAD_TRY(put_sides(&s, m, OFFSETS));
  TRIAD_TRY(flush(&s, 8));
  s.at = f->at.connectivity + 8 * corner;
  for (int64_t c = 0; c < m->n_cells; c++) TRIAD_TRY(put_corners(&s, m, c));
  if (sides) TRIAD_TRY(put_sides(&s, m, CONNECTIVITY));
  TRIAD_TRY(flush(&s, 8));
  s.at = f->at.types + first;
  for (int64_t c = 0; c < m->n_cells; c++) TRIAD_TRY(put_byte(&s, shape_of(m, c)->vtk));
  if (sides) TRIAD_TRY(put_sides(&s, m, TYPES));
  return flush(&s, 1);
}

static int put_xdmf(const triad_vtkhdf *f, const triad_mesh *m, int64_t at)
{
  stream s = {.file = f, .at = at};
  for (int64_t c = 0; c < m->n_cells; c++) {
    TRIAD_TRY(put_long(&s, xdmf_type((triad_mesh_shape)m->shape[c])));
    TRIAD_TRY(put_corners(&s, m, c));
  }
  return flush(&s, 8);
}

int triad_vtkhdf_put_cells(const triad_vtkhdf *f, const triad_mesh *m, int64_t first, int64_t corner)
{
  if (m->n_cells == 0) return TRIAD_OK;
  TRIAD_TRY(put_cells(f, m, first, corner, 0));
  return put_xdmf(f, m, f->at.mixed + 8 * (first + corner));
}

void triad_vtkhdf_name(char name[TRIAD_VTKHDF_NAME], int64_t step)
{
  (void)snprintf(name, TRIAD_VTKHDF_NAME, "fields-%08" PRId64 ".vtkhdf", step);
}

/* Rank 0 makes the file; then all ranks open it, and know where its lists are. */
static int open_for_all(triad_vtkhdf *f, const triad_comm *comm)
{
  const int numbers = (int)(sizeof f->at / sizeof(int64_t));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&f->at, numbers, MPI_INT64_T, 0, comm->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(f->offset, f->info->n, MPI_INT64_T, 0, comm->mpi)));
  return triad_agree(comm, triad_disk_open(f->temporary, 1, &f->fd));
}

int triad_vtkhdf_create(triad_vtkhdf **out, const triad_context *context, const triad_vtkhdf_info *info,
                        const triad_vtkhdf_size *size, int64_t step, double t)
{
  const triad_comm *comm = &context->comm;
  const counts c = {size->points, size->cells, size->corners, size->corners + size->cells, NULL};
  int st = allocate(out, context->memory, info, &c);
  if (*out) (*out)->comm = comm;
  if (st == TRIAD_OK && comm->rank == 0) st = make_file(*out, &c, &step, t);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = open_for_all(*out, comm);
  if (st != TRIAD_OK) release(out, st); /* on all ranks, of which one may have had no memory for it */
  return st;
}

/* ---- faces ---- */

static int put_faces(const triad_vtkhdf *f, const triad_mesh *m)
{
  const lists *at = &f->at;
  stream s = {.file = f, .at = at->offsets};
  int64_t corners = 0;
  TRIAD_TRY(put_long(&s, 0));
  for (int64_t face = 0; face < m->n_faces; face++) TRIAD_TRY(put_long(&s, corners += m->points[face]));
  TRIAD_TRY(flush(&s, 8));
  s.at = at->connectivity;
  for (int64_t face = 0; face < m->n_faces; face++)
    for (int i = 0; i < m->points[face]; i++) TRIAD_TRY(put_long(&s, triad_mesh_face(m, face)[i]));
  TRIAD_TRY(flush(&s, 8));
  s.at = at->types;
  for (int64_t face = 0; face < m->n_faces; face++) /* VTK's triangle, quadrilateral, polygon */
    TRIAD_TRY(put_byte(&s, m->points[face] == 3 ? 5 : m->points[face] == 4 ? 9 : 7));
  return flush(&s, 1);
}

int triad_vtkhdf_create_faces(triad_vtkhdf **out, const triad_mesh *m, const triad_vtkhdf_info *info)
{
  counts c = {.points = m->n_points, .n = m->n_faces};
  for (int64_t face = 0; face < m->n_faces; face++) c.corners += m->points[face];
  TRIAD_TRY(make_own(out, m, info, &c));
  TRIAD_TRY(triad_vtkhdf_put_points(*out, 0, m->n_points, (const double(*)[3])m->x));
  return put_faces(*out, m);
}

/* ---- cells and sides ---- */

int triad_vtkhdf_create_whole(triad_vtkhdf **out, const triad_mesh *m, const triad_vtkhdf_info *info)
{
  counts c = {.points = m->n_points, .n = m->n_cells, .corners = m->first[m->n_cells], .patches = m};
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    c.n += m->patch[f] >= 0;
    c.corners += m->patch[f] >= 0 ? m->points[f] : 0;
  }
  TRIAD_TRY(make_own(out, m, info, &c));
  TRIAD_TRY(triad_vtkhdf_put_points(*out, 0, m->n_points, (const double(*)[3])m->x));
  return put_cells(*out, m, 0, 0, 1);
}

/* ---- fields, the end ---- */

int triad_vtkhdf_put(const triad_vtkhdf *f, int which, int64_t first, int64_t n, const double *values)
{
  const int element = f->info->element[which];
  stream s = {.file = f, .at = f->offset[which] + first * element};
  for (int64_t begin = 0; begin < n; begin += PIECE) {
    s.n = n - begin < PIECE ? n - begin : PIECE;
    for (int64_t i = 0; i < s.n; i++)
      if (element == 4) ((float *)f->piece)[i] = (float)values[begin + i];
      else ((double *)f->piece)[i] = values[begin + i];
    TRIAD_TRY(flush(&s, element));
  }
  return TRIAD_OK;
}

/* Every rank waits until what it wrote is on the disk before rank 0 gives the file its name. */
static int finish_file(triad_vtkhdf *f, int status)
{
  int st = status;
  if (st == TRIAD_OK) st = triad_disk_sync(f->fd, f->temporary);
  if (st == TRIAD_OK) st = triad_disk_close(&f->fd, f->temporary);
  if (f->comm) st = triad_agree(f->comm, st);
  if (st != TRIAD_OK || (f->comm && f->comm->rank > 0)) return st;
  return triad_disk_commit(f->temporary, f->final);
}

int triad_vtkhdf_finish(triad_vtkhdf **file, int status)
{
  triad_vtkhdf *f = *file;
  if (!f) return status;
  const int st = finish_file(f, status);
  release(file, st);
  return st;
}
