/* Open HDF5 files of any origin and read their datasets. Links and storage outside the folder of the file are
 * refused. */
#include "store/hdf5/h5read.h"

#include "store/disk.h"
#include "store/hdf5/h5inside.h"
#include "store/hdf5/zfp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The signature is at 0 or, after a user block, at 512, 1024, 2048 .. */
static int look_at_signature(const char *path)
{
  static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  int fd;
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  int64_t bytes = 0;
  int st = triad_disk_size(fd, path, &bytes), found = 0;
  for (int64_t at = 0; st == TRIAD_OK && !found && at + 8 <= bytes; at = at ? 2 * at : 512) {
    unsigned char head[8];
    st = triad_disk_read(fd, path, head, 8, at);
    found = st == TRIAD_OK && memcmp(head, signature, 8) == 0;
  }
  (void)triad_disk_close(&fd, path);
  if (st == TRIAD_OK && !found)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not an HDF5 file (%lld bytes)", path, (long long)bytes);
  return st;
}

/* No locks: many network file systems have none, and nothing here is written. */
static hid_t make_access(void)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
  if (access >= 0) (void)H5Pset_file_locking(access, 0, 1);
#endif
  return access;
}

int triad_h5_open(triad_h5 **out, const char *path)
{
  *out = NULL;
  TRIAD_TRY(look_at_signature(path));
  triad_h5_quiet();
  triad_zfp_register();
  hid_t access = make_access();
  hid_t id = access < 0 ? H5I_INVALID_HID : H5Fopen(path, H5F_ACC_RDONLY, access);
  int st = id < 0 ? TRIAD_H5_FAIL(TRIAD_ERR_CASE, path, "a damaged HDF5 file") : TRIAD_OK;
  if (access >= 0) (void)H5Pclose(access);
  return st == TRIAD_OK ? triad_h5_wrap(out, id, path, NULL) : st;
}

typedef struct visit {
  int (*tell)(void *who, const char *name);
  void *who;
} visit;

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *link, void *data)
{
  const visit *v = data;
  if (link->type != H5L_TYPE_HARD) return 0;
  hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  int is_dataset = object >= 0 && H5Iget_type(object) == H5I_DATASET;
  if (object >= 0) (void)H5Oclose(object);
  return is_dataset && v->tell(v->who, name) ? 1 : 0;
}

int triad_h5_each(triad_h5 *file, int (*tell)(void *who, const char *name), void *who)
{
  visit v = {tell, who};
  if (H5Literate(file->id, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, &v) >= 0) return TRIAD_OK;
  return TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "listing the datasets");
}

int triad_h5_has_group(triad_h5 *file, const char *path)
{
  char part[256];
  for (size_t n = strcspn(path, "/"); n < sizeof part; n += 1 + strcspn(path + n + 1, "/")) {
    (void)snprintf(part, sizeof part, "%.*s", (int)n, path);
    H5L_info_t link;
    if (H5Lexists(file->id, part, H5P_DEFAULT) <= 0 || H5Lget_info(file->id, part, &link, H5P_DEFAULT) < 0) return 0;
    hid_t object = link.type == H5L_TYPE_HARD ? H5Oopen(file->id, part, H5P_DEFAULT) : H5I_INVALID_HID;
    int is_group = object >= 0 && H5Iget_type(object) == H5I_GROUP;
    if (object >= 0) (void)H5Oclose(object);
    if (!is_group || path[n] == '\0') return is_group;
  }
  return 0;
}

int triad_h5_each_in(triad_h5 *file, const char *path, int (*tell)(void *who, const char *name), void *who)
{
  visit v = {tell, who};
  if (!triad_h5_has_group(file, path)) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no group \"%s\"", file->path, path);
  hid_t group = H5Gopen2(file->id, path, H5P_DEFAULT);
  int good = group >= 0 && H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, &v) >= 0;
  if (group >= 0) (void)H5Gclose(group);
  return good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "listing the datasets");
}

typedef struct name_list {
  char text[256];
  size_t at;
} name_list;

static int add_name(void *who, const char *name)
{
  name_list *l = who;
  int n = snprintf(l->text + l->at, sizeof l->text - l->at, "%s%s", l->at ? ", " : "", name);
  if (n < 0) return 1;
  if ((size_t)n < sizeof l->text - l->at) {
    l->at += (size_t)n;
    return 0;
  }
  (void)strcpy(l->text + sizeof l->text - 4, "...");
  return 1;
}

/* Are the numbers of an open dataset in its own file? */
static int has_own_bytes(hid_t set)
{
  hid_t how = H5Dget_create_plist(set);
  H5D_layout_t layout = how < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(how);
  int own = layout != H5D_LAYOUT_ERROR && layout != H5D_VIRTUAL && H5Pget_external_count(how) == 0;
  if (how >= 0) (void)H5Pclose(how);
  return own;
}

/* Of NAME.h5: NAME.0000.h5 and so on. */
static int is_part_of(const char *name, const char *beside)
{
  const char *dot = strrchr(name, '.');
  size_t stem = dot ? (size_t)(dot - name) : 0;
  if (stem == 0 || strcmp(dot, ".h5") != 0 || strncmp(beside, name, stem) != 0 || beside[stem] != '.') return 0;
  size_t digits = strspn(beside + stem + 1, "0123456789");
  return digits > 0 && strcmp(beside + stem + 1 + digits, ".h5") == 0;
}

/* Returns 1 if another file of the same folder has a dataset with its own numbers. */
static int has_beside(const triad_h5 *file, const char *beside, const char *name)
{
  char path[4096];
  const char *slash = strrchr(file->path, '/');
  hid_t id = H5I_INVALID_HID, set = H5I_INVALID_HID;
  if (strchr(beside, '/') || !is_part_of(slash ? slash + 1 : file->path, beside)) return 0;
  int length = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - file->path) : 0, file->path, beside);
  if (length > 0 && length < (int)sizeof path) id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id >= 0) set = H5Dopen2(id, name, H5P_DEFAULT);
  int good = set >= 0 && has_own_bytes(set);
  if (set >= 0) (void)H5Dclose(set);
  if (id >= 0) (void)H5Fclose(id);
  return good;
}

/* Is a virtual dataset made of files in the same folder, as store/growfile.h makes them? */
static int is_of_neighbours(const triad_h5 *file, hid_t how)
{
  char beside[256], name[256];
  size_t count = 0;
  int good = H5Pget_virtual_count(how, &count) >= 0 && count > 0;
  for (size_t i = 0; i < count && good; i++) {
    ssize_t a = H5Pget_virtual_filename(how, i, beside, sizeof beside),
            b = H5Pget_virtual_dsetname(how, i, name, sizeof name);
    good = a > 0 && b > 0 && a < (ssize_t)sizeof beside && b < (ssize_t)sizeof name && has_beside(file, beside, name);
  }
  return good;
}

/* A file could name any other file as the storage of its numbers: only its own bytes, and files of the same folder,
 * are read. */
static int refuse_elsewhere(triad_h5 *file, const char *name, hid_t *set)
{
  hid_t how = H5Dget_create_plist(*set);
  H5D_layout_t layout = how < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(how);
  int elsewhere = layout == H5D_VIRTUAL ? !is_of_neighbours(file, how) : how >= 0 && H5Pget_external_count(how) > 0;
  if (how >= 0) (void)H5Pclose(how);
  if (!elsewhere && layout != H5D_LAYOUT_ERROR) return TRIAD_OK;
  (void)H5Dclose(*set);
  *set = H5I_INVALID_HID;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\" stores its numbers in another file, which is not followed",
                    file->path, name);
}

/* Is one part of a path "a/b" a link to elsewhere? */
static int is_link(triad_h5 *file, const char *path)
{
  char part[256];
  const size_t length = strlen(path);
  for (size_t n = strcspn(path, "/"); n <= length; n += 1 + strcspn(path + n + 1, "/")) {
    H5L_info_t link;
    if (n >= sizeof part) return 1;
    (void)snprintf(part, sizeof part, "%.*s", (int)n, path);
    if (n > 0 && H5Lget_info(file->id, part, &link, H5P_DEFAULT) >= 0 && link.type != H5L_TYPE_HARD) return 1;
    if (path[n] == '\0') return 0;
  }
  return 0;
}

static int open_set(triad_h5 *file, const char *name, hid_t *set)
{
  *set = H5I_INVALID_HID;
  if (is_link(file, name))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a part of \"%s\" is a link, which is not followed", file->path, name);
  /* a name with no object behind each part of its path makes H5Lexists itself fail, which is the same answer */
  *set = H5Lexists(file->id, name, H5P_DEFAULT) > 0 ? H5Dopen2(file->id, name, H5P_DEFAULT) : H5I_INVALID_HID;
  if (*set >= 0) return refuse_elsewhere(file, name, set);
  name_list there = {.at = 0};
  (void)triad_h5_each(file, add_name, &there);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no dataset \"%s\"; there %s", file->path, name,
                    there.at ? there.text : "are no datasets");
}

static const char *class_name(H5T_class_t class)
{
  switch (class) {
  case H5T_STRING: return "text";
  case H5T_COMPOUND: return "compound values (complex numbers? store real and imaginary parts as two datasets)";
  case H5T_ENUM: return "enumerated values";
  case H5T_REFERENCE: return "references";
  case H5T_ARRAY: return "arrays";
  case H5T_VLEN: return "lists of varying length";
  default: return "something else";
  }
}

static int check_type(triad_h5 *file, const char *name, hid_t set, int *number_bytes)
{
  hid_t type = H5Dget_type(set);
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  if (number_bytes) *number_bytes = type < 0 ? 0 : (int)H5Tget_size(type);
  if (type >= 0) (void)H5Tclose(type);
  if (class == H5T_FLOAT || class == H5T_INTEGER) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\" contains %s, but real numbers are required", file->path, name,
                    class_name(class));
}

static int read_dims(triad_h5 *file, const char *name, hid_t set, int *n_dims, int64_t *dims)
{
  hsize_t size[H5S_MAX_RANK];
  hid_t space = H5Dget_space(set);
  int n = space < 0 ? -1 : H5Sget_simple_extent_dims(space, size, NULL);
  if (space >= 0) (void)H5Sclose(space);
  if (n < 0) return TRIAD_H5_FAIL(TRIAD_ERR_CASE, file->path, "dimensions of dataset \"%s\"", name);
  if (n > TRIAD_H5_DIMS) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\" has %d dimensions", file->path, name, n);
  for (int i = 0; i < n; i++) {
    if (size[i] > INT64_MAX)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\": an impossible size", file->path, name);
    dims[i] = (int64_t)size[i];
  }
  *n_dims = n;
  return TRIAD_OK;
}

int triad_h5_dims(triad_h5 *file, const char *name, int *n_dims, int64_t *dims, int *number_bytes)
{
  hid_t set;
  TRIAD_TRY(open_set(file, name, &set));
  int st = check_type(file, name, set, number_bytes);
  if (st == TRIAD_OK) st = read_dims(file, name, set, n_dims, dims);
  (void)H5Dclose(set);
  return st;
}

int triad_h5_move(triad_h5 *file, const char *name, hid_t set, hid_t type, int n_dims, const int64_t *first,
                  const int64_t *count, void *out, const void *in)
{
  hsize_t from[TRIAD_H5_DIMS], size[TRIAD_H5_DIMS];
  for (int i = 0; i < n_dims; i++) {
    from[i] = (hsize_t)first[i];
    size[i] = (hsize_t)count[i];
  }
  hid_t space = H5Dget_space(set), memory = n_dims ? H5Screate_simple(n_dims, size, NULL) : H5Screate(H5S_SCALAR);
  int good = space >= 0 && memory >= 0 &&
             (n_dims == 0 || H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0) &&
             (in ? H5Dwrite(set, type, memory, space, H5P_DEFAULT, in)
                 : H5Dread(set, type, memory, space, H5P_DEFAULT, out)) >= 0;
  int st =
    good ? TRIAD_OK : TRIAD_H5_FAIL(TRIAD_ERR_IO, file->path, "%s dataset \"%s\"", in ? "writing" : "reading", name);
  if (memory >= 0) (void)H5Sclose(memory);
  if (space >= 0) (void)H5Sclose(space);
  return st;
}

int triad_h5_pieces(int n_dims, const int64_t *dims, const int64_t *piece, triad_h5_piece *use, void *who)
{
  int64_t first[TRIAD_H5_DIMS] = {0}, count[TRIAD_H5_DIMS] = {0};
  for (int i = 0; i < n_dims; i++)
    if (dims[i] == 0) return TRIAD_OK;
  for (int axis = 0; axis >= 0;) {
    int64_t values = 1;
    for (int i = 0; i < n_dims; i++) {
      count[i] = dims[i] - first[i] < piece[i] ? dims[i] - first[i] : piece[i];
      values *= count[i];
    }
    TRIAD_TRY(use(who, first, count, values));
    for (axis = n_dims - 1; axis >= 0; axis--) { /* the next piece, as an odometer counts */
      first[axis] += piece[axis];
      if (first[axis] < dims[axis]) break;
      first[axis] = 0;
    }
  }
  return TRIAD_OK;
}

static int read_box(triad_h5 *file, const char *name, hid_t set, int n_dims, const int64_t *first, const int64_t *count,
                    hid_t type, void *out)
{
  int n;
  int64_t dims[TRIAD_H5_DIMS];
  TRIAD_TRY(check_type(file, name, set, NULL));
  TRIAD_TRY(read_dims(file, name, set, &n, dims));
  if (n != n_dims)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset \"%s\" has %d dimensions, but %d are required", file->path, name, n,
                      n_dims);
  for (int i = 0; i < n; i++) {
    if (first[i] < 0 || count[i] < 0 || first[i] > dims[i] || count[i] > dims[i] - first[i])
      return TRIAD_FAIL(
        TRIAD_ERR_CASE, "%s: dataset \"%s\": values %lld to %lld along dimension %d are required, but it has %lld",
        file->path, name, (long long)first[i], (long long)(first[i] + count[i] - 1), i, (long long)dims[i]);
    if (count[i] == 0) return TRIAD_OK;
  }
  return triad_h5_move(file, name, set, type, n, first, count, out, NULL);
}

int triad_h5_read(triad_h5 *file, const char *name, int n_dims, const int64_t *first, const int64_t *count, int element,
                  void *out)
{
  hid_t set;
  TRIAD_TRY(open_set(file, name, &set));
  int st = read_box(file, name, set, n_dims, first, count, element == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, out);
  (void)H5Dclose(set);
  return st;
}

/* Returns 1 if the attribute of a group exists and has n numbers. */
static int read_reals(hid_t file, const char *group, const char *name, int n, double *values)
{
  hid_t attribute = H5Aexists_by_name(file, group, name, H5P_DEFAULT) > 0
                      ? H5Aopen_by_name(file, group, name, H5P_DEFAULT, H5P_DEFAULT)
                      : H5I_INVALID_HID;
  hid_t space = attribute < 0 ? H5I_INVALID_HID : H5Aget_space(attribute);
  int good =
    space >= 0 && H5Sget_simple_extent_npoints(space) == n && H5Aread(attribute, H5T_NATIVE_DOUBLE, values) >= 0;
  if (space >= 0) (void)H5Sclose(space);
  if (attribute >= 0) (void)H5Aclose(attribute);
  return good;
}

int triad_h5_root_reals(triad_h5 *file, const char *name, int n, double *values)
{
  if (read_reals(file->id, "/", name, n, values)) return TRIAD_OK;
  return TRIAD_H5_FAIL(TRIAD_ERR_CASE, file->path, "expected %d numbers in attribute %s", n, name);
}

int triad_h5_note_real(triad_h5 *file, const char *name, double *value)
{
  return triad_h5_has_group(file, "notes") && read_reals(file->id, "notes", name, 1, value);
}
