#include "solvers/unstructured/vtkhdf.h"

#include "base/status.h"
#include "store/disk.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct triad_vtkhdf {
  triad_memory *memory;
  int64_t n_cells, step;
  hid_t file;
};

enum { CHUNK = 1 << 20 };

static int failed(const char *what) { return TRIAD_FAIL(TRIAD_ERR_IO, "HDF5 fails with %s of a VTKHDF file", what); }

/* ---- small things of the library ---- */

static int make_group(hid_t file, const char *name)
{
  hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group < 0 || H5Gclose(group) < 0 ? failed(name) : TRIAD_OK;
}

static int put_attribute(hid_t file, const char *object, const char *name, hid_t type, hid_t in_memory, int n,
                         const void *value)
{
  hsize_t size = (hsize_t)(n > 0 ? n : 1);
  hid_t space = n > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
  hid_t id = H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int st = id < 0 || H5Awrite(id, in_memory, value) < 0 ? failed(name) : TRIAD_OK;
  if (id >= 0) (void)H5Aclose(id);
  if (space >= 0) (void)H5Sclose(space);
  return st;
}

/* Of fixed length, in ASCII, which is all that VTK takes. */
static int put_text(hid_t file, const char *object, const char *name, const char *value)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  int st = type < 0 || H5Tset_size(type, strlen(value)) < 0 ? failed(name)
                                                            : put_attribute(file, object, name, type, type, 0, value);
  if (type >= 0) (void)H5Tclose(type);
  return st;
}

static int put_dataset(hid_t file, const char *name, hid_t type, hid_t in_memory, int n_dims, const int64_t *dims,
                       const void *values)
{
  hsize_t size[2] = {(hsize_t)dims[0], n_dims > 1 ? (hsize_t)dims[1] : 1};
  hid_t space = H5Screate_simple(n_dims, size, NULL), property = H5Pcreate(H5P_DATASET_CREATE);
  (void)H5Pset_obj_track_times(property, 0); /* equal contents make equal files */
  hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, property, H5P_DEFAULT);
  int st = id < 0 || H5Dwrite(id, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0 ? failed(name) : TRIAD_OK;
  if (id >= 0) (void)H5Dclose(id);
  if (property >= 0) (void)H5Pclose(property);
  if (space >= 0) (void)H5Sclose(space);
  return st;
}

static int put_count(hid_t file, const char *name, int64_t count)
{
  const int64_t one = 1;
  return put_dataset(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, &count);
}

/* ---- the mesh ---- */

static int put_corners(const triad_fct_mesh *m, hid_t file)
{
  const int64_t n = m->first[m->n_cells];
  int32_t *corner = NULL;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "output", n, &corner));
  for (int64_t c = 0; c < m->n_cells; c++) {
    const triad_fct_shape_info *s = &triad_fct_shapes[m->shape[c]];
    for (int i = 0; i < s->corners; i++) corner[m->first[c] + i] = m->corner[m->first[c] + s->to_vtk[i]];
  }
  int st = put_dataset(file, "VTKHDF/Connectivity", H5T_STD_I64LE, H5T_NATIVE_INT32, 1, &n, corner);
  TRIAD_FREE(m->memory, &corner);
  return st;
}

static int put_types(const triad_fct_mesh *m, hid_t file)
{
  uint8_t *type = NULL;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "output", m->n_cells, &type));
  for (int64_t c = 0; c < m->n_cells; c++) type[c] = (uint8_t)triad_fct_shapes[m->shape[c]].vtk;
  int st = put_dataset(file, "VTKHDF/Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &m->n_cells, type);
  TRIAD_FREE(m->memory, &type);
  return st;
}

/* Points of the mesh, and where those of each of n cells, or faces, begin in the list of them: first[n + 1]. */
static int put_offsets(const triad_fct_mesh *m, hid_t file, int64_t n, const int64_t *first)
{
  const int64_t points[2] = {m->n_points, 3}, offsets = n + 1;
  TRIAD_TRY(put_count(file, "VTKHDF/NumberOfPoints", m->n_points));
  TRIAD_TRY(put_count(file, "VTKHDF/NumberOfCells", n));
  TRIAD_TRY(put_count(file, "VTKHDF/NumberOfConnectivityIds", first[n]));
  TRIAD_TRY(put_dataset(file, "VTKHDF/Points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, points, m->x));
  return put_dataset(file, "VTKHDF/Offsets", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &offsets, first);
}

static int put_mesh(const triad_fct_mesh *m, hid_t file)
{
  TRIAD_TRY(put_offsets(m, file, m->n_cells, m->first));
  TRIAD_TRY(put_corners(m, file));
  return put_types(m, file);
}

/* ---- its faces ---- */

static int put_face_lists(const triad_fct_mesh *m, hid_t file, int64_t *first, uint8_t *type, int32_t **point)
{
  for (int64_t f = 0; f < m->n_faces; f++) {
    first[f + 1] = first[f] + m->points[f];
    type[f] = m->points[f] == 3 ? 5 : m->points[f] == 4 ? 9 : 7; /* VTK's triangle, quadrilateral, polygon */
  }
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "output", first[m->n_faces], point));
  for (int64_t f = 0; f < m->n_faces; f++)
    memcpy(*point + first[f], triad_fct_mesh_face(m, f), m->points[f] * sizeof **point);
  TRIAD_TRY(put_offsets(m, file, m->n_faces, first));
  TRIAD_TRY(put_dataset(file, "VTKHDF/Connectivity", H5T_STD_I64LE, H5T_NATIVE_INT32, 1, &first[m->n_faces], *point));
  return put_dataset(file, "VTKHDF/Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &m->n_faces, type);
}

static int put_faces(const triad_fct_mesh *m, hid_t file)
{
  int64_t *first = NULL;
  uint8_t *type = NULL;
  int32_t *point = NULL;
  int st = TRIAD_ALLOC(m->memory, "output", m->n_faces + 1, &first);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "output", m->n_faces, &type);
  if (st == TRIAD_OK) st = put_face_lists(m, file, first, type, &point);
  TRIAD_FREE(m->memory, &first);
  TRIAD_FREE(m->memory, &type);
  TRIAD_FREE(m->memory, &point);
  return st;
}

/* ---- XDMF's list of cells, which says of each what it is ---- */

static int xdmf_type(triad_fct_shape shape)
{
  static const int types[] = {[TRIAD_FCT_TET] = 6, [TRIAD_FCT_PYRAMID] = 7, [TRIAD_FCT_PRISM] = 8, [TRIAD_FCT_HEX] = 9};
  return types[shape];
}

static int put_mixed(const triad_fct_mesh *m, hid_t file)
{
  const int64_t n = m->first[m->n_cells] + m->n_cells;
  int64_t at = 0;
  int32_t *list = NULL;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "output", n, &list));
  for (int64_t c = 0; c < m->n_cells; c++) {
    const triad_fct_shape_info *s = &triad_fct_shapes[m->shape[c]];
    list[at++] = xdmf_type((triad_fct_shape)m->shape[c]);
    for (int i = 0; i < s->corners; i++) list[at++] = m->corner[m->first[c] + s->to_vtk[i]];
  }
  int st = put_dataset(file, "Xdmf", H5T_STD_I64LE, H5T_NATIVE_INT32, 1, &n, list);
  TRIAD_FREE(m->memory, &list);
  return st;
}

/* ---- the file ---- */

static int begin(hid_t file)
{
  const int64_t version[2] = {1, 0};
  TRIAD_TRY(make_group(file, "VTKHDF"));
  TRIAD_TRY(put_attribute(file, "VTKHDF", "Version", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, version));
  TRIAD_TRY(put_text(file, "VTKHDF", "Type", "UnstructuredGrid"));
  return make_group(file, "VTKHDF/CellData");
}

static int make(triad_vtkhdf **out, const triad_fct_mesh *m, int64_t n_cells)
{
  triad_vtkhdf *f = *out = calloc(1, sizeof *f);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a VTKHDF file");
  f->memory = m->memory;
  f->n_cells = n_cells;
  (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  (void)H5Pset_fapl_core(access, CHUNK, 0);
  f->file = H5Fcreate("fields.vtkhdf", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  (void)H5Pclose(access);
  return f->file < 0 ? failed("the making") : begin(f->file);
}

int triad_vtkhdf_create(triad_vtkhdf **out, const triad_fct_mesh *m, int64_t step, double t)
{
  TRIAD_TRY(make(out, m, m->n_cells));
  const hid_t file = (*out)->file;
  (*out)->step = step;
  TRIAD_TRY(put_attribute(file, "/", "step", H5T_STD_I64LE, H5T_NATIVE_INT64, 0, &step));
  TRIAD_TRY(put_attribute(file, "/", "t", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &t));
  TRIAD_TRY(put_mesh(m, file));
  return put_mixed(m, file);
}

int triad_vtkhdf_create_faces(triad_vtkhdf **out, const triad_fct_mesh *m)
{
  TRIAD_TRY(make(out, m, m->n_faces));
  return put_faces(m, (*out)->file);
}

int triad_vtkhdf_put(triad_vtkhdf *f, const triad_field_info *field, const double *values, int element)
{
  char name[128];
  (void)snprintf(name, sizeof name, "VTKHDF/CellData/%s", field->name);
  TRIAD_TRY(put_dataset(f->file, name, element == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1,
                        &f->n_cells, values));
  TRIAD_TRY(put_text(f->file, name, "units", field->unit));
  return put_text(f->file, name, "long_name", field->long_name);
}

static int store(const triad_vtkhdf *f, const char *folder, const char *name)
{
  void *image = NULL;
  if (H5Fflush(f->file, H5F_SCOPE_GLOBAL) < 0) return failed("the end");
  ssize_t bytes = H5Fget_file_image(f->file, NULL, 0);
  if (bytes <= 0) return failed("the size");
  TRIAD_TRY(triad_memory_alloc(f->memory, "output", bytes, 1, &image));
  int st = H5Fget_file_image(f->file, image, (size_t)bytes) == bytes ? TRIAD_OK : failed("the image");
  if (st == TRIAD_OK) st = triad_disk_replace(folder, name, image, bytes);
  triad_memory_free(f->memory, &image);
  return st;
}

int triad_vtkhdf_finish_as(triad_vtkhdf **file, const char *folder, const char *name, int status)
{
  triad_vtkhdf *f = *file;
  if (!f) return status;
  int st = status == TRIAD_OK ? store(f, folder, name) : status;
  if (f->file >= 0) (void)H5Fclose(f->file);
  free(f);
  *file = NULL;
  return st;
}

int triad_vtkhdf_finish(triad_vtkhdf **file, const char *folder, int status)
{
  char name[64];
  (void)snprintf(name, sizeof name, "fields-%08" PRId64 ".vtkhdf", *file ? (*file)->step : 0);
  return triad_vtkhdf_finish_as(file, folder, name, status);
}
