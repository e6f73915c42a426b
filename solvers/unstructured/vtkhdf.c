#include "solvers/unstructured/vtkhdf.h"

#include "base/status.h"
#include "store/disk.h"
#include "store/moments.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct triad_vtkhdf {
  const triad_fct_mesh *mesh;
  hid_t file;
  int64_t step;
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

static int put_mesh(const triad_fct_mesh *m, hid_t file)
{
  const int64_t points[2] = {m->n_points, 3}, offsets = m->n_cells + 1;
  TRIAD_TRY(put_count(file, "VTKHDF/NumberOfPoints", m->n_points));
  TRIAD_TRY(put_count(file, "VTKHDF/NumberOfCells", m->n_cells));
  TRIAD_TRY(put_count(file, "VTKHDF/NumberOfConnectivityIds", m->first[m->n_cells]));
  TRIAD_TRY(put_dataset(file, "VTKHDF/Points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, points, m->x));
  TRIAD_TRY(put_dataset(file, "VTKHDF/Offsets", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &offsets, m->first));
  TRIAD_TRY(put_corners(m, file));
  return put_types(m, file);
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

static int fill(const triad_fct_mesh *m, hid_t file, int64_t step, double t)
{
  const int64_t version[2] = {1, 0};
  TRIAD_TRY(put_attribute(file, "/", "step", H5T_STD_I64LE, H5T_NATIVE_INT64, 0, &step));
  TRIAD_TRY(put_attribute(file, "/", "t", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &t));
  TRIAD_TRY(make_group(file, "VTKHDF"));
  TRIAD_TRY(put_attribute(file, "VTKHDF", "Version", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, version));
  TRIAD_TRY(put_text(file, "VTKHDF", "Type", "UnstructuredGrid"));
  TRIAD_TRY(put_mesh(m, file));
  TRIAD_TRY(put_mixed(m, file));
  return make_group(file, "VTKHDF/CellData");
}

int triad_vtkhdf_create(triad_vtkhdf **out, const triad_fct_mesh *m, int64_t step, double t)
{
  triad_vtkhdf *f = *out = calloc(1, sizeof *f);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a VTKHDF file");
  f->mesh = m;
  f->step = step;
  (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  (void)H5Pset_fapl_core(access, CHUNK, 0);
  f->file = H5Fcreate("fields.vtkhdf", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  (void)H5Pclose(access);
  if (f->file < 0) return failed("the making");
  return fill(m, f->file, step, t);
}

int triad_vtkhdf_put(triad_vtkhdf *f, const triad_field_info *field, const double *values, int element)
{
  char name[128];
  (void)snprintf(name, sizeof name, "VTKHDF/CellData/%s", field->name);
  TRIAD_TRY(put_dataset(f->file, name, element == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1,
                        &f->mesh->n_cells, values));
  TRIAD_TRY(put_text(f->file, name, "units", field->unit));
  return put_text(f->file, name, "long_name", field->long_name);
}

static int store(const triad_vtkhdf *f, const char *folder)
{
  char name[64];
  void *image = NULL;
  if (H5Fflush(f->file, H5F_SCOPE_GLOBAL) < 0) return failed("the end");
  ssize_t bytes = H5Fget_file_image(f->file, NULL, 0);
  if (bytes <= 0) return failed("the size");
  TRIAD_TRY(triad_memory_alloc(f->mesh->memory, "output", bytes, 1, &image));
  int st = H5Fget_file_image(f->file, image, (size_t)bytes) == bytes ? TRIAD_OK : failed("the image");
  (void)snprintf(name, sizeof name, "fields-%08" PRId64 ".vtkhdf", f->step);
  if (st == TRIAD_OK) st = triad_disk_replace(folder, name, image, bytes);
  triad_memory_free(f->mesh->memory, &image);
  return st;
}

int triad_vtkhdf_finish(triad_vtkhdf **file, const char *folder, int status)
{
  triad_vtkhdf *f = *file;
  if (!f) return status;
  int st = status == TRIAD_OK ? store(f, folder) : status;
  if (f->file >= 0) (void)H5Fclose(f->file);
  free(f);
  *file = NULL;
  return st;
}

/* ---- all times of a folder ---- */

static void write_attribute(FILE *to, const triad_field_info *field, const char *name, int64_t cells, int element)
{
  (void)fprintf(to, "        <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Cell\"><DataItem Dimensions=\"%" PRId64
                    "\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">%s:/VTKHDF/CellData/%s</DataItem></Attribute>\n",
                field->name, cells, element, name, field->name);
}

static void write_time(FILE *to, const triad_fct_mesh *m, const triad_field_info *fields, int n_fields, int element,
                       int64_t step, double t)
{
  char name[64];
  (void)snprintf(name, sizeof name, "fields-%08" PRId64 ".vtkhdf", step);
  (void)fprintf(to, "      <Grid Name=\"%" PRId64 "\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", step, t);
  (void)fprintf(to, "        <Topology TopologyType=\"Mixed\" NumberOfElements=\"%" PRId64 "\"><DataItem Dimensions=\"%" PRId64
                    "\" NumberType=\"Int\" Precision=\"8\" Format=\"HDF\">%s:/Xdmf</DataItem></Topology>\n",
                m->n_cells, m->first[m->n_cells] + m->n_cells, name);
  (void)fprintf(to, "        <Geometry GeometryType=\"XYZ\"><DataItem Dimensions=\"%" PRId64 " 3\" NumberType=\"Float\" "
                    "Precision=\"8\" Format=\"HDF\">%s:/VTKHDF/Points</DataItem></Geometry>\n", m->n_points, name);
  for (int f = 0; f < n_fields; f++) write_attribute(to, &fields[f], name, m->n_cells, element);
  (void)fprintf(to, "      </Grid>\n");
}

static int put_text_file(const char *folder, const char *name, char *text, size_t size, int good)
{
  int st = good ? triad_disk_replace(folder, name, text, (int64_t)size) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", name);
  free(text);
  return st;
}

int triad_vtkhdf_collect(const char *folder, const triad_fct_mesh *m, const triad_field_info *fields, int n_fields,
                         int element, int64_t step, double t)
{
  triad_moment *list = NULL;
  int64_t n = 0;
  char *times = NULL, *xmf = NULL;
  size_t times_size = 0, xmf_size = 0;
  TRIAD_TRY(triad_moments_read(folder, "times.txt", step, t, &list, &n));
  FILE *first = open_memstream(&times, &times_size), *second = open_memstream(&xmf, &xmf_size);
  for (int64_t i = 0; first && i < n; i++) (void)fprintf(first, "%" PRId64 " %.17g\n", list[i].step, list[i].t);
  if (second) {
    (void)fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
                "    <Grid Name=\"fields\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", second);
    for (int64_t i = 0; i < n; i++) write_time(second, m, fields, n_fields, element, list[i].step, list[i].t);
    (void)fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", second);
  }
  free(list);
  int good[2] = {first && fclose(first) == 0, second && fclose(second) == 0};
  int st = put_text_file(folder, "times.txt", times, times_size, good[0]);
  int other = put_text_file(folder, "fields.xmf", xmf, xmf_size, good[1]);
  return st == TRIAD_OK ? other : st;
}
