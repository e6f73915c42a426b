/* Create HDF5 files in memory, put datasets and attributes into them, and turn HDF5's error stack into one message. */
#include "store/hdf5/h5file.h"

#include "store/hdf5/h5inside.h"
#include "store/hdf5/h5pages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void triad_h5_quiet(void) { (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

static herr_t take_innermost(unsigned n, const H5E_error2_t *error, void *out)
{
  if (n == 0 && error->desc) (void)snprintf(out, 256, "%s", error->desc);
  return 0;
}

/* The innermost words of HDF5's error stack, "" when it is empty. They stay valid until the next call. */
static const char *innermost_words(void)
{
  static _Thread_local char words[256];
  words[0] = '\0';
  (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, words);
  return words;
}

int triad_h5_note(int code, const char *source, int line, const char *path, const char *format, ...)
{
  char what[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  const char *words = innermost_words();
  triad_note(source, line, 0, "%s: %s%s%s", path, what, words[0] ? ": " : "", words);
  return code;
}

int triad_h5_wrap(struct triad_h5 **out, hid_t id, const char *path, triad_h5_pages *pages)
{
  *out = calloc(1, sizeof **out);
  char *copy = strdup(path);
  if (*out && copy) {
    **out = (struct triad_h5){id, copy, pages};
    return TRIAD_OK;
  }
  free(*out);
  free(copy);
  *out = NULL;
  (void)H5Fclose(id);
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: the handle of an HDF5 file", path);
}

enum { LONGEST_ATTRIBUTE = 32 << 10 };

int triad_h5_create(triad_h5 **out, const char *path)
{
  *out = NULL;
  triad_h5_quiet();
  triad_h5_pages *pages;
  TRIAD_TRY(triad_h5_pages_create(&pages));
  hid_t access = triad_h5_pages_access(pages);
  hid_t id = access < 0 ? H5I_INVALID_HID : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  int st = id < 0 ? TRIAD_H5_FAIL(TRIAD_ERR_IO, path, "making the HDF5 file") : triad_h5_wrap(out, id, path, pages);
  if (access >= 0) (void)H5Pclose(access);
  if (st != TRIAD_OK) triad_h5_pages_destroy(&pages);
  return st;
}

int triad_h5_close(triad_h5 **file, int status)
{
  triad_h5 *f = *file;
  if (!f) return status;
  int st = status;
  if (H5Fclose(f->id) < 0 && st == TRIAD_OK) st = TRIAD_H5_FAIL(TRIAD_ERR_IO, f->path, "closing the HDF5 file");
  if (f->pages && st == TRIAD_OK) st = triad_h5_pages_store(f->pages, f->path);
  triad_h5_pages_destroy(&f->pages);
  free(f->path);
  free(f);
  *file = NULL;
  return st;
}

static hid_t make_space(int n_dims, const int64_t *dims)
{
  hsize_t size[TRIAD_H5_DIMS];
  if (n_dims < 0 || n_dims > TRIAD_H5_DIMS) return H5I_INVALID_HID;
  for (int i = 0; i < n_dims; i++) size[i] = (hsize_t)dims[i];
  return n_dims == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(n_dims, size, NULL);
}

/* Make a dataset and, with values, write it; without, allocate it only. */
static int put_dataset(triad_h5 *file, const char *name, hid_t in_file, hid_t in_memory, int n_dims,
                       const int64_t *dims, const void *values)
{
  hid_t space = make_space(n_dims, dims), property = H5Pcreate(H5P_DATASET_CREATE), set = H5I_INVALID_HID;
  int good = space >= 0 && property >= 0 && H5Pset_obj_track_times(property, 0) >= 0 &&
             H5Pset_layout(property, H5D_CONTIGUOUS) >= 0 && H5Pset_fill_time(property, H5D_FILL_TIME_NEVER) >= 0 &&
             H5Pset_alloc_time(property, H5D_ALLOC_TIME_EARLY) >= 0;
  if (good) set = H5Dcreate2(file->id, name, in_file, space, H5P_DEFAULT, property, H5P_DEFAULT);
  good = good && set >= 0 && (!values || H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  int st = good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "making dataset %s", name);
  if (set >= 0 && H5Dclose(set) < 0 && st == TRIAD_OK)
    st = TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "closing dataset %s", name);
  if (property >= 0) (void)H5Pclose(property);
  if (space >= 0) (void)H5Sclose(space);
  return st;
}

int triad_h5_slab(triad_h5 *file, const char *name, int element, int n_dims, const int64_t *dims)
{
  if (element != 4 && element != 8) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "reals of %d bytes", element);
  return put_dataset(file, name, element == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, 0, n_dims, dims, NULL);
}

int triad_h5_slab_integers(triad_h5 *file, const char *name, int element, int n_dims, const int64_t *dims)
{
  if (element != 1 && element != 8) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "integers of %d bytes", element);
  return put_dataset(file, name, element == 1 ? H5T_STD_U8LE : H5T_STD_I64LE, 0, n_dims, dims, NULL);
}

int triad_h5_slab_offset(triad_h5 *file, const char *name, int64_t *offset)
{
  hid_t set = H5Dopen2(file->id, name, H5P_DEFAULT);
  haddr_t place = set < 0 ? HADDR_UNDEF : H5Dget_offset(set);
  int st = TRIAD_OK;
  if (place == HADDR_UNDEF) st = TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "dataset %s has no storage in the file", name);
  if (set >= 0) (void)H5Dclose(set);
  *offset = st == TRIAD_OK ? (int64_t)place : 0;
  return st;
}

int triad_h5_put_doubles(triad_h5 *file, const char *name, int n_dims, const int64_t *dims, const double *values)
{
  return put_dataset(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n_dims, dims, values);
}

int triad_h5_put_integers(triad_h5 *file, const char *name, int n_dims, const int64_t *dims, const int32_t *values)
{
  return put_dataset(file, name, H5T_STD_I32LE, H5T_NATIVE_INT32, n_dims, dims, values);
}

int triad_h5_put_longs(triad_h5 *file, const char *name, int n_dims, const int64_t *dims, const int64_t *values)
{
  return put_dataset(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, n_dims, dims, values);
}

static int put_attribute(triad_h5 *file, const char *object, const char *name, hid_t in_file, hid_t in_memory, int n,
                         const void *values)
{
  int64_t dim = n;
  hid_t space = make_space(n > 0, &dim);
  hid_t attribute = H5Acreate_by_name(file->id, object, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int good = attribute >= 0 && H5Awrite(attribute, in_memory, values) >= 0;
  int st = good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "attribute %s of %s", name, object);
  if (attribute >= 0) (void)H5Aclose(attribute);
  if (space >= 0) (void)H5Sclose(space);
  return st;
}

/* Text of any length, which h5py and netCDF hand over as a string. */
static hid_t make_text_type(void)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
  if (type >= 0) (void)H5Tclose(type);
  return H5I_INVALID_HID;
}

int triad_h5_text(triad_h5 *file, const char *object, const char *name, const char *value)
{
  hid_t type = make_text_type();
  if (type < 0) return TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "the type of a text");
  int st = put_attribute(file, object, name, type, type, 0, &value);
  (void)H5Tclose(type);
  return st;
}

int triad_h5_ascii(triad_h5 *file, const char *object, const char *name, const char *value)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  int good = type >= 0 && H5Tset_size(type, strlen(value)) >= 0;
  int st = good ? put_attribute(file, object, name, type, type, 0, value)
                : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "the type of a text");
  if (type >= 0) (void)H5Tclose(type);
  return st;
}

int triad_h5_reals(triad_h5 *file, const char *object, const char *name, int n, const double *values)
{
  return put_attribute(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n, values);
}

int triad_h5_integers(triad_h5 *file, const char *object, const char *name, int n, const int64_t *values)
{
  return put_attribute(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, n, values);
}

/* Of fixed length, so that no heap block has to hold all of it. */
static int put_long_text(triad_h5 *file, const char *name, const char *value)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  int good = type >= 0 && H5Tset_size(type, strlen(value) + 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
  int st = good ? put_dataset(file, name, type, type, 0, NULL, value)
                : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "text %s", name);
  if (type >= 0) (void)H5Tclose(type);
  return st;
}

int triad_h5_group(triad_h5 *file, const char *name)
{
  hid_t id = H5Gcreate2(file->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return id < 0 || H5Gclose(id) < 0 ? TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "making group %s", name) : TRIAD_OK;
}

int triad_h5_put_notes(triad_h5 *file, const char *group, const triad_notes *notes)
{
  if (!notes) return TRIAD_OK;
  TRIAD_TRY(triad_h5_group(file, group));
  for (int i = 0; i < notes->count; i++) {
    const triad_note_item *item = &notes->items[i];
    char name[256];
    int st = TRIAD_OK;
    switch (item->kind) {
    case TRIAD_NOTE_REAL: st = triad_h5_reals(file, group, item->name, 0, &item->real); break;
    case TRIAD_NOTE_INTEGER: st = triad_h5_integers(file, group, item->name, 0, &item->integer); break;
    case TRIAD_NOTE_TEXT:
      (void)snprintf(name, sizeof name, "%s/%s", group, item->name);
      st = strlen(item->text) < LONGEST_ATTRIBUTE ? triad_h5_text(file, group, item->name, item->text)
                                                  : put_long_text(file, name, item->text);
      break;
    }
    TRIAD_TRY(st);
  }
  return TRIAD_OK;
}
