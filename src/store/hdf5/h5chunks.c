/* Create chunked datasets and write chunks that are already packed. */
#include "store/hdf5/h5chunks.h"

#include "store/hdf5/h5inside.h"
#include "store/hdf5/zfp.h"

int triad_h5_packed(triad_h5 *file, const char *name, int element, const int64_t dims[3], const int64_t chunk[3],
                    size_t n_numbers, const unsigned *numbers)
{
  const hsize_t size[3] = {(hsize_t)dims[0], (hsize_t)dims[1], (hsize_t)dims[2]};
  const hsize_t piece[3] = {(hsize_t)chunk[0], (hsize_t)chunk[1], (hsize_t)chunk[2]};
  triad_zfp_register();
  hid_t space = H5Screate_simple(3, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE), set = H5I_INVALID_HID;
  const int good = space >= 0 && how >= 0 && H5Pset_obj_track_times(how, 0) >= 0 && H5Pset_chunk(how, 3, piece) >= 0 &&
                   H5Pset_filter(how, TRIAD_ZFP_FILTER, H5Z_FLAG_MANDATORY, n_numbers, numbers) >= 0;
  if (good)
    set =
      H5Dcreate2(file->id, name, element == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  int st = set >= 0 ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "making dataset %s", name);
  if (set >= 0) (void)H5Dclose(set);
  if (how >= 0) (void)H5Pclose(how);
  if (space >= 0) (void)H5Sclose(space);
  return st;
}

int triad_h5_put_chunk(triad_h5 *file, const char *name, int64_t z, size_t size, const void *bytes)
{
  const hsize_t at[3] = {(hsize_t)z, 0, 0};
  hid_t set = H5Dopen2(file->id, name, H5P_DEFAULT);
  const int good = set >= 0 && H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, size, bytes) >= 0;
  int st =
    good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "planes from %lld of dataset %s", (long long)z, name);
  if (set >= 0 && H5Dclose(set) < 0 && st == TRIAD_OK)
    st = TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "closing dataset %s", name);
  return st;
}
