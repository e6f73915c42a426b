/* Classify a path as a run directory, a checkpoint, another folder or a file, and read attributes and filters of
 * HDF5 files. */
#include "store/checkpoint/inspect.h"

#include "store/hdf5/h5inside.h"
#include "store/checkpoint/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_kind(const char *folder, const char *name, mode_t kind)
{
  char path[TRIAD_PATH];
  struct stat about;
  int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  return n > 0 && n < TRIAD_PATH && stat(path, &about) == 0 && (about.st_mode & S_IFMT) == kind;
}

const char *triad_path_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int is_named(const char *path, const char *name) { return strcmp(triad_path_name(path), name) == 0; }

int triad_path_numbered(const char *name, const char *prefix)
{
  size_t n = strlen(prefix), digits = strncmp(name, prefix, n) == 0 ? strspn(name + n, "0123456789") : 0;
  const char *rest = name + n + digits;
  if (digits > 0 && *rest == '-' && prefix[n - 1] != '-') rest += 1 + strspn(rest + 1, "0123456789");
  return digits > 0 && strcmp(rest, ".h5") == 0;
}

/* Returns 1 for an extra file of a checkpoint; outside a checkpoint other files may have the same name. */
static int is_beside(const char *path)
{
  char folder[TRIAD_PATH];
  const char *name = triad_path_name(path);
  int n = name > path ? snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path)
                      : snprintf(folder, sizeof folder, ".");
  return n < TRIAD_PATH && is_kind(folder, TRIAD_MANIFEST_FILE, S_IFREG) &&
         (is_named(path, TRIAD_TABLES_FILE) || is_named(path, TRIAD_BESIDE_FILE));
}

triad_path_kind triad_path_look(const char *path)
{
  struct stat about;
  if (stat(path, &about) != 0) return TRIAD_PATH_MISSING;
  if (S_ISREG(about.st_mode))
    return is_named(path, TRIAD_MANIFEST_FILE) || is_named(path, TRIAD_MODES_FILE) ||
               is_named(path, TRIAD_POINTS_FILE) || is_beside(path)
             ? TRIAD_PATH_CHECKPOINT
             : TRIAD_PATH_FILE;
  if (!S_ISDIR(about.st_mode)) return TRIAD_PATH_OTHER;
  if (is_kind(path, TRIAD_MANIFEST_FILE, S_IFREG) || is_kind(path, TRIAD_MODES_FILE, S_IFREG) ||
      is_kind(path, TRIAD_POINTS_FILE, S_IFREG))
    return TRIAD_PATH_CHECKPOINT;
  if (is_kind(path, "checkpoints", S_IFDIR) || is_kind(path, "case.resolved.toml", S_IFREG)) return TRIAD_PATH_RUN;
  return TRIAD_PATH_FOLDER;
}

int triad_h5_deflated(triad_h5 *file, const char *name)
{
  hid_t set = H5Dopen2(file->id, name, H5P_DEFAULT), how = set < 0 ? H5I_INVALID_HID : H5Dget_create_plist(set);
  int n = how < 0 ? 0 : H5Pget_nfilters(how), found = 0;
  for (int i = 0; i < n; i++) {
    unsigned flags, value[1];
    size_t values = 0;
    found |= H5Pget_filter2(how, (unsigned)i, &flags, &values, value, 0, NULL, NULL) == H5Z_FILTER_DEFLATE;
  }
  if (how >= 0) (void)H5Pclose(how);
  if (set >= 0) (void)H5Dclose(set);
  return found;
}

/* Text of varying length comes as the library's own block, text of fixed length into ours. */
static int read_text(hid_t attribute, hid_t type, char *out, size_t size)
{
  enum { LONGEST = 1 << 16 };
  char *text = NULL;
  if (H5Tis_variable_str(type) > 0) {
    if (H5Aread(attribute, type, &text) < 0 || !text) return 0;
    (void)snprintf(out, size, "%s", text);
    (void)H5free_memory(text);
    return 1;
  }
  size_t bytes = H5Tget_size(type);
  if (bytes == 0 || bytes > LONGEST || !(text = calloc(bytes + 1, 1))) return 0;
  int good = H5Aread(attribute, type, text) >= 0;
  if (good) (void)snprintf(out, size, "%s", text);
  free(text);
  return good;
}

int triad_h5_attribute_text(triad_h5 *file, const char *object, const char *name, char *out, size_t size)
{
  if (H5Aexists_by_name(file->id, object, name, H5P_DEFAULT) <= 0) return 0;
  hid_t attribute = H5Aopen_by_name(file->id, object, name, H5P_DEFAULT, H5P_DEFAULT);
  hid_t type = attribute < 0 ? H5I_INVALID_HID : H5Aget_type(attribute);
  hid_t space = attribute < 0 ? H5I_INVALID_HID : H5Aget_space(attribute);
  int good = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1 &&
             read_text(attribute, type, out, size);
  if (space >= 0) (void)H5Sclose(space);
  if (type >= 0) (void)H5Tclose(type);
  if (attribute >= 0) (void)H5Aclose(attribute);
  return good;
}
