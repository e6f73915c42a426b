/* Split a path at its last slash; the folder of "/name" is "/". */
#include "store/path.h"

#include <string.h>

int triad_path_split(const char *path, char folder[TRIAD_PATH], const char **name)
{
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  return triad_disk_path(folder, "%.*s", slash ? (int)(slash - path + (slash == path)) : 1, slash ? path : ".");
}
