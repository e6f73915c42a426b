/* Datasets whose values are those of datasets in other files (HDF5's virtual layout). */
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5inside.h"

static int choose(hid_t space, int n_dims, const int64_t *dims, int64_t first, int64_t rows)
{
  hsize_t begin[TRIAD_H5_DIMS] = {0}, count[TRIAD_H5_DIMS];
  for (int i = 0; i < n_dims; i++) count[i] = (hsize_t)dims[i];
  begin[0] = (hsize_t)first;
  count[0] = (hsize_t)rows;
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, count, NULL) >= 0;
}

/* Rows of the dataset from a file's rows 0, 1, .. */
static int map_part(hid_t property, hid_t space, const char *name, int n_dims, const int64_t *dims,
                    const triad_h5_part *part)
{
  hsize_t size[TRIAD_H5_DIMS];
  for (int i = 0; i < n_dims; i++) size[i] = (hsize_t)dims[i];
  size[0] = (hsize_t)part->capacity;
  hid_t source = H5Screate_simple(n_dims, size, NULL);
  int good = source >= 0 && choose(space, n_dims, dims, part->first, part->rows) &&
             choose(source, n_dims, dims, 0, part->rows) &&
             H5Pset_virtual(property, space, part->file, name, source) >= 0;
  if (source >= 0) (void)H5Sclose(source);
  return good;
}

int triad_h5_put_virtual(triad_h5 *file, const char *name, int integers, int n_dims, const int64_t *dims, int n,
                         const triad_h5_part *parts)
{
  hsize_t size[TRIAD_H5_DIMS];
  for (int i = 0; i < n_dims; i++) size[i] = (hsize_t)dims[i];
  hid_t space = H5Screate_simple(n_dims, size, NULL), property = H5Pcreate(H5P_DATASET_CREATE), set = H5I_INVALID_HID;
  int good = space >= 0 && property >= 0 && H5Pset_obj_track_times(property, 0) >= 0;
  for (int i = 0; i < n && good; i++) good = map_part(property, space, name, n_dims, dims, &parts[i]);
  good = good && H5Sselect_all(space) >= 0;
  if (good)
    set =
      H5Dcreate2(file->id, name, integers ? H5T_STD_I64LE : H5T_IEEE_F64LE, space, H5P_DEFAULT, property, H5P_DEFAULT);
  int st = set >= 0 ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "making dataset %s from several files", name);
  if (set >= 0) (void)H5Dclose(set);
  if (property >= 0) (void)H5Pclose(property);
  if (space >= 0) (void)H5Sclose(space);
  return st;
}
