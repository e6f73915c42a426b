/* Write dimension scales with the base library only: the attributes that "HDF5 Dimension Scale Specification and
 * Design Notes" defines (CLASS, NAME, DIMENSION_LIST, REFERENCE_LIST), so that the high-level library is not needed. */
#include "store/hdf5/h5scale.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5inside.h"

#include <stdlib.h>
#include <string.h>

typedef struct back_reference {
  hobj_ref_t dataset;
  int dimension;
} back_reference;

/* The specification requires fixed-length, null-terminated ASCII for these two. */
static int put_fixed_text(triad_h5 *file, const char *object, const char *name, const char *value)
{
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), attribute = H5I_INVALID_HID;
  if (type >= 0 && space >= 0 && H5Tset_size(type, strlen(value) + 1) >= 0)
    attribute = H5Acreate_by_name(file->id, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
  int st = good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "attribute %s of %s", name, object);
  if (attribute >= 0) (void)H5Aclose(attribute);
  if (space >= 0) (void)H5Sclose(space);
  if (type >= 0) (void)H5Tclose(type);
  return st;
}

int triad_h5_make_scale(triad_h5 *file, const char *dataset)
{
  TRIAD_TRY(put_fixed_text(file, dataset, "CLASS", "DIMENSION_SCALE"));
  return put_fixed_text(file, dataset, "NAME", dataset);
}

/* DIMENSION_LIST of a dataset: for each dimension the references of its scales, here one or none. */
static int put_dimension_list(triad_h5 *file, const char *dataset, int n_dims, const char *const *scales)
{
  hobj_ref_t reference[TRIAD_H5_DIMS];
  hvl_t list[TRIAD_H5_DIMS];
  hsize_t count = (hsize_t)n_dims;
  int good = 1;
  for (int i = 0; i < n_dims; i++) {
    list[i] = (hvl_t){scales[i] ? 1 : 0, scales[i] ? &reference[i] : NULL};
    if (scales[i]) good = good && H5Rcreate(&reference[i], file->id, scales[i], H5R_OBJECT, -1) >= 0;
  }
  hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Screate_simple(1, &count, NULL), attribute = H5I_INVALID_HID;
  if (good && type >= 0 && space >= 0)
    attribute =
      H5Acreate_by_name(file->id, dataset, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  good = attribute >= 0 && H5Awrite(attribute, type, list) >= 0;
  int st = good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "the dimension scales of %s", dataset);
  if (attribute >= 0) (void)H5Aclose(attribute);
  if (space >= 0) (void)H5Sclose(space);
  if (type >= 0) (void)H5Tclose(type);
  return st;
}

/* Read REFERENCE_LIST of a scale, and allocate one more entry. An attribute cannot grow, so it is rewritten. */
static int take_references(triad_h5 *file, const char *scale, hid_t type, back_reference **list, hsize_t *count)
{
  static const char name[] = "REFERENCE_LIST";
  *count = 0;
  *list = NULL;
  htri_t there = H5Aexists_by_name(file->id, scale, name, H5P_DEFAULT);
  if (there < 0) return TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "the scale %s", scale);
  hid_t old = there ? H5Aopen_by_name(file->id, scale, name, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
  if (old >= 0) {
    hid_t space = H5Aget_space(old);
    hssize_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (space >= 0) (void)H5Sclose(space);
    if (n > 0) *count = (hsize_t)n;
  }
  *list = calloc((size_t)*count + 1, sizeof **list);
  int good = *list && (!there || (old >= 0 && *count > 0 && H5Aread(old, type, *list) >= 0));
  if (old >= 0) (void)H5Aclose(old);
  if (good && there) good = H5Adelete_by_name(file->id, scale, name, H5P_DEFAULT) >= 0;
  return good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "%s of the scale %s", name, scale);
}

static int add_reference(triad_h5 *file, const char *scale, const char *dataset, int dimension)
{
  back_reference *list = NULL;
  hsize_t count = 0;
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof *list), space = H5I_INVALID_HID, attribute = H5I_INVALID_HID;
  int good = type >= 0 && H5Tinsert(type, "dataset", HOFFSET(back_reference, dataset), H5T_STD_REF_OBJ) >= 0 &&
             H5Tinsert(type, "dimension", HOFFSET(back_reference, dimension), H5T_NATIVE_INT) >= 0;
  int st = good ? take_references(file, scale, type, &list, &count)
                : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "the type of a reference");
  if (st == TRIAD_OK) {
    list[count].dimension = dimension;
    good = H5Rcreate(&list[count].dataset, file->id, dataset, H5R_OBJECT, -1) >= 0;
    count++;
    space = H5Screate_simple(1, &count, NULL);
    if (good && space >= 0)
      attribute =
        H5Acreate_by_name(file->id, scale, "REFERENCE_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, type, list) < 0)
      st = TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "REFERENCE_LIST of the scale %s", scale);
  }
  if (attribute >= 0) (void)H5Aclose(attribute);
  if (space >= 0) (void)H5Sclose(space);
  if (type >= 0) (void)H5Tclose(type);
  free(list);
  return st;
}

int triad_h5_use_scales(triad_h5 *file, const char *dataset, int n_dims, const char *const *scales)
{
  if (n_dims < 1 || n_dims > TRIAD_H5_DIMS) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %d dimensions", dataset, n_dims);
  TRIAD_TRY(put_dimension_list(file, dataset, n_dims, scales));
  for (int i = 0; i < n_dims; i++)
    if (scales[i]) TRIAD_TRY(add_reference(file, scales[i], dataset, i));
  return TRIAD_OK;
}

int triad_h5_put_instant(triad_h5 *file, int64_t step, double t)
{
  const int64_t one = 1;
  TRIAD_TRY(triad_h5_integers(file, "/", "step", 0, &step));
  TRIAD_TRY(triad_h5_reals(file, "/", "t", 0, &t));
  TRIAD_TRY(triad_h5_put_doubles(file, "t", 1, &one, &t));
  TRIAD_TRY(triad_h5_make_scale(file, "t"));
  TRIAD_TRY(triad_h5_text(file, "t", "long_name", "time"));
  return triad_h5_text(file, "t", "units", "T");
}
