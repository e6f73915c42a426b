/* Attributes of files that Triad wrote: numbers and texts are copied and compared; dimension scales are rewritten,
 * since the objects that they refer to have moved. */
#include "store/hdf5/repack_attributes.h"
#include "store/hdf5/repack_internal.h"
#include "store/hdf5/h5scale.h"
#include "store/hdf5/repack_walk.h"

#include <stdlib.h>
#include <string.h>

/* Returns 1 for attributes that are rewritten: dimension scales, and the description of the packing. */
static int is_made_anew(const char *name)
{
  static const char *const names[] = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "packed"};
  for (int i = 0; i < 5; i++)
    if (strcmp(name, names[i]) == 0) return 1;
  return 0;
}

/* An attribute's type, shape and bytes; a text of varying length is one pointer of the library's. */
typedef struct value {
  hid_t id, type, space;
  int is_text;
  size_t size; /* of `bytes`; of text, its length */
  char *bytes;
} value;

static void release(value *a)
{
  if (a->is_text) (void)H5free_memory(a->bytes);
  else free(a->bytes);
  if (a->space >= 0) (void)H5Sclose(a->space);
  if (a->type >= 0) (void)H5Tclose(a->type);
  if (a->id >= 0) (void)H5Aclose(a->id);
}

static int load(triad_h5 *file, const char *object, const char *name, value *a)
{
  enum { MOST = 1 << 20 };
  *a = (value){H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, 0, 0, NULL};
  a->id = H5Aopen_by_name(file->id, object, name, H5P_DEFAULT, H5P_DEFAULT);
  if (a->id >= 0) a->type = H5Aget_type(a->id);
  if (a->id >= 0) a->space = H5Aget_space(a->id);
  hssize_t n = a->space < 0 ? -1 : H5Sget_simple_extent_npoints(a->space);
  H5T_class_t class = a->type < 0 ? H5T_NO_CLASS : H5Tget_class(a->type);
  a->is_text = class == H5T_STRING && H5Tis_variable_str(a->type) > 0;
  size_t each = a->type < 0 ? 0 : H5Tget_size(a->type);
  if (n < 1 || each < 1 || n > MOST / (hssize_t)each || (a->is_text && n != 1) ||
      (class != H5T_STRING && class != H5T_INTEGER && class != H5T_FLOAT))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: attribute %s of %s was not written by Triad: the file is unchanged",
                      file->path, name, object);
  if (a->is_text) {
    if (H5Aread(a->id, a->type, &a->bytes) < 0 || !a->bytes)
      return REPACK_FAIL(file, "reading attribute %s of %s", name, object);
    a->size = strlen(a->bytes);
    return TRIAD_OK;
  }
  a->size = (size_t)n * each;
  a->bytes = malloc(a->size);
  if (!a->bytes) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: attribute %s", file->path, name);
  return H5Aread(a->id, a->type, a->bytes) >= 0 ? TRIAD_OK
                                                : REPACK_FAIL(file, "reading attribute %s of %s", name, object);
}

typedef struct job {
  triad_h5 *from, *to;
  const char *object;
  int compare, status;
} job;

static int copy_one(const job *j, const char *name, const value *a)
{
  hid_t id = H5Acreate_by_name(j->to->id, j->object, name, a->type, a->space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int good = id >= 0 && H5Awrite(id, a->type, a->is_text ? (const void *)&a->bytes : a->bytes) >= 0;
  if (id >= 0) (void)H5Aclose(id);
  return good ? TRIAD_OK : REPACK_FAIL(j->to, "writing attribute %s of %s", name, j->object);
}

static int compare_one(const job *j, const char *name, const value *a)
{
  value b;
  int st = load(j->to, j->object, name, &b);
  if (st == TRIAD_OK && (b.is_text != a->is_text || b.size != a->size || memcmp(b.bytes, a->bytes, a->size) != 0))
    st = TRIAD_FAIL(TRIAD_ERR_IO, "%s: attribute %s of %s differs when it is read back", j->to->path, name, j->object);
  release(&b);
  return st;
}

static herr_t take_attribute(hid_t object, const char *name, const H5A_info_t *info, void *self)
{
  job *j = self;
  value a;
  (void)object, (void)info;
  if (is_made_anew(name)) return 0;
  j->status = load(j->from, j->object, name, &a);
  if (j->status == TRIAD_OK) j->status = j->compare ? compare_one(j, name, &a) : copy_one(j, name, &a);
  release(&a);
  return j->status == TRIAD_OK ? 0 : 1;
}

int triad_repack_attributes(triad_h5 *from, triad_h5 *to, const char *object, int compare)
{
  job j = {from, to, object, compare, TRIAD_OK};
  hsize_t at = 0;
  if (H5Aiterate_by_name(from->id, object, H5_INDEX_NAME, H5_ITER_INC, &at, take_attribute, &j, H5P_DEFAULT) < 0 &&
      j.status == TRIAD_OK)
    return REPACK_FAIL(from, "listing the attributes of %s", object);
  return j.status;
}

/* ---- dimension scales ---- */

static int read_names(triad_h5 *from, const char *name, hid_t attribute, int n_dims, char names[][64])
{
  hvl_t list[TRIAD_H5_DIMS];
  hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Aget_space(attribute);
  hid_t is = H5Aget_type(attribute);
  int good = type >= 0 && space >= 0 && is >= 0 && H5Tequal(is, type) > 0 &&
             H5Sget_simple_extent_npoints(space) == n_dims && H5Aread(attribute, type, list) >= 0;
  for (int i = 0; i < n_dims && good; i++) {
    char path[80] = "";
    names[i][0] = '\0';
    if (list[i].len == 0) continue;
    hid_t scale = H5Rdereference2(attribute, H5P_DEFAULT, H5R_OBJECT, list[i].p);
    ssize_t n = scale < 0 ? -1 : H5Iget_name(scale, path, sizeof path);
    if (scale >= 0) (void)H5Oclose(scale);
    if (list[i].len != 1 || n < 2 || n > 64) good = 0;
    if (good) memcpy(names[i], path + 1, (size_t)n);
  }
  if (good) (void)H5Dvlen_reclaim(type, space, H5P_DEFAULT, list);
  if (is >= 0) (void)H5Tclose(is);
  if (space >= 0) (void)H5Sclose(space);
  if (type >= 0) (void)H5Tclose(type);
  if (good) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the dimension scales of %s were not written by Triad: the file is unchanged",
                    from->path, name);
}

int triad_repack_scales(triad_h5 *from, triad_h5 *to, const char *name)
{
  if (H5Aexists_by_name(from->id, name, "CLASS", H5P_DEFAULT) > 0 &&
      H5Aexists_by_name(to->id, name, "CLASS", H5P_DEFAULT) == 0)
    TRIAD_TRY(triad_h5_make_scale(to, name));
  if (H5Aexists_by_name(from->id, name, "DIMENSION_LIST", H5P_DEFAULT) <= 0) return TRIAD_OK;
  char names[TRIAD_H5_DIMS][64];
  const char *scales[TRIAD_H5_DIMS];
  hid_t set = H5Dopen2(from->id, name, H5P_DEFAULT), attribute = H5I_INVALID_HID;
  triad_repack_set about;
  int st = set < 0 ? REPACK_FAIL(from, "dataset %s", name) : triad_repack_look(from, name, set, &about);
  if (st == TRIAD_OK) attribute = H5Aopen(set, "DIMENSION_LIST", H5P_DEFAULT);
  if (st == TRIAD_OK && attribute < 0) st = REPACK_FAIL(from, "the dimension scales of %s", name);
  if (st == TRIAD_OK) st = read_names(from, name, attribute, about.n_dims, names);
  if (attribute >= 0) (void)H5Aclose(attribute);
  if (set >= 0) (void)H5Dclose(set);
  if (st != TRIAD_OK) return st;
  for (int i = 0; i < about.n_dims; i++) {
    scales[i] = names[i][0] ? names[i] : NULL;
    /* a scale must be one before it is referred to */
    if (scales[i] && H5Aexists_by_name(to->id, names[i], "CLASS", H5P_DEFAULT) == 0)
      TRIAD_TRY(triad_h5_make_scale(to, names[i]));
  }
  return triad_h5_use_scales(to, name, about.n_dims, scales);
}
