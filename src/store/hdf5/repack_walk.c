/* List the groups and datasets of an HDF5 file that Triad wrote: groups of one level, datasets of numbers and texts. */
#include "store/hdf5/repack_walk.h"
#include "store/hdf5/repack_internal.h"
#include "store/hdf5/zfp.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 20, PIECE = 32 << 20, SMALL = 4096 };

/* Boxes from the last dimension on: a chunk of about CHUNK bytes, a piece of many chunks along the axis where the chunk
 * stops being whole. */
static void choose_boxes(triad_repack_set *s)
{
  int64_t room = CHUNK / s->bytes, values = 1;
  int axis = 0;
  for (int i = s->n_dims - 1; i >= 0; i--) {
    s->chunk[i] = s->dims[i] < room ? s->dims[i] : room;
    if (s->chunk[i] < 1) s->chunk[i] = 1;
    room /= s->chunk[i];
    if (room < 1) room = 1;
    values *= s->chunk[i];
    if (s->chunk[i] < s->dims[i]) axis = i > axis ? i : axis;
  }
  memcpy(s->piece, s->chunk, sizeof s->piece);
  int64_t times = PIECE / (values * s->bytes);
  if (times > 1) s->piece[axis] *= times;
  if (s->n_dims && s->piece[axis] > s->dims[axis]) s->piece[axis] = s->dims[axis];
}

/* Only deflate with shuffle, which is what packing makes, or zfp, which is packed already, and nothing kept outside
 * the file. */
static int look_at_storage(triad_h5 *file, const char *name, hid_t set, triad_repack_set *out)
{
  hid_t how = H5Dget_create_plist(set);
  int filters = how < 0 ? -1 : H5Pget_nfilters(how), odd = filters < 0 || H5Pget_external_count(how) != 0;
  if (!odd) odd = H5Pget_layout(how) != H5D_CONTIGUOUS && H5Pget_layout(how) != H5D_CHUNKED;
  for (int i = 0; i < filters && !odd; i++) {
    unsigned flags, value[1];
    size_t n = 0;
    H5Z_filter_t filter = H5Pget_filter2(how, (unsigned)i, &flags, &n, value, 0, NULL, NULL);
    out->is_deflated |= filter == H5Z_FILTER_DEFLATE || filter == TRIAD_ZFP_FILTER;
    odd = filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != TRIAD_ZFP_FILTER;
  }
  if (how >= 0) (void)H5Pclose(how);
  if (!odd) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: the storage of dataset %s is not that of Triad: the file is unchanged",
                    file->path, name);
}

static int look_at_type(triad_h5 *file, const char *name, hid_t set, triad_repack_set *out)
{
  hid_t type = H5Dget_type(set);
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  out->bytes = type < 0 ? 0 : (int64_t)H5Tget_size(type);
  out->is_text = class == H5T_STRING && H5Tis_variable_str(type) == 0;
  out->is_real = class == H5T_FLOAT && (H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F32LE) > 0);
  int good = out->is_text || out->is_real || (class == H5T_INTEGER && out->bytes <= 8);
  if (type >= 0) (void)H5Tclose(type);
  if (good && out->bytes > 0 && out->bytes <= PIECE) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s contains values that Triad does not write: the file is unchanged",
                    file->path, name);
}

int triad_repack_look(triad_h5 *file, const char *name, hid_t set, triad_repack_set *out)
{
  hsize_t size[H5S_MAX_RANK];
  *out = (triad_repack_set){.values = 1};
  TRIAD_TRY(look_at_type(file, name, set, out));
  TRIAD_TRY(look_at_storage(file, name, set, out));
  hid_t space = H5Dget_space(set);
  int n = space < 0 ? -1 : H5Sget_simple_extent_dims(space, size, NULL);
  if (space >= 0) (void)H5Sclose(space);
  if (n < 0 || n > TRIAD_H5_DIMS) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s: its dimensions", file->path, name);
  out->n_dims = n;
  for (int i = 0; i < n; i++) {
    if (size[i] > (hsize_t)INT64_MAX / 64 / (hsize_t)out->values)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s: an impossible size", file->path, name);
    out->dims[i] = (int64_t)size[i];
    out->values *= out->dims[i] ? out->dims[i] : 1;
  }
  for (int i = 0; i < n; i++)
    if (out->dims[i] == 0) out->values = 0;
  out->is_large = n > 0 && out->values * out->bytes >= SMALL;
  choose_boxes(out);
  return TRIAD_OK;
}

/* ---- the tree ---- */

typedef struct walk {
  triad_h5 *file;
  triad_repack_visit *visit, *enter;
  void *who;
  char group[260]; /* "" for the root, "notes/" */
  int status;
} walk;

static herr_t see(hid_t group, const char *name, const H5L_info_t *link, void *self);

static void enter_group(walk *w, hid_t object, const char *name)
{
  walk inner = *w;
  if (w->enter) w->status = w->enter(w->who, name);
  if (w->status != TRIAD_OK) return;
  (void)snprintf(inner.group, sizeof inner.group, "%s/", name);
  if (H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, see, &inner) < 0 && inner.status == TRIAD_OK)
    inner.status = REPACK_FAIL(w->file, "listing the group %s", name);
  w->status = inner.status;
}

static herr_t see(hid_t group, const char *name, const H5L_info_t *link, void *self)
{
  walk *w = self;
  char path[256];
  int n = snprintf(path, sizeof path, "%s%s", w->group, name);
  hid_t object = link->type == H5L_TYPE_HARD ? H5Oopen(group, name, H5P_DEFAULT) : H5I_INVALID_HID;
  H5I_type_t kind = object < 0 ? H5I_BADID : H5Iget_type(object);
  if (n < 0 || n >= 128 || (kind != H5I_DATASET && (kind != H5I_GROUP || w->group[0])))
    w->status =
      TRIAD_FAIL(TRIAD_ERR_CASE, "%s: \"%.80s\" was not written by Triad: the file is unchanged", w->file->path, name);
  else if (kind == H5I_GROUP) enter_group(w, object, path);
  else if (w->visit) w->status = w->visit(w->who, path);
  if (object >= 0) (void)H5Oclose(object);
  return w->status == TRIAD_OK ? 0 : 1;
}

int triad_repack_walk(triad_h5 *file, triad_repack_visit *visit, triad_repack_visit *enter, void *who)
{
  walk w = {.file = file, .visit = visit, .enter = enter, .who = who};
  if (H5Literate(file->id, H5_INDEX_NAME, H5_ITER_INC, NULL, see, &w) < 0 && w.status == TRIAD_OK)
    return REPACK_FAIL(file, "listing what is in it");
  return w.status;
}
