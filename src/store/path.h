/* The parts of a path. */
#ifndef TRIAD_STORE_PATH_H
#define TRIAD_STORE_PATH_H

#include "store/disk.h"

/* The folder of a path, "." if it names none, and its last part, which points into `path`. TRIAD_ERR_IO if the folder
 * is too long. */
int triad_path_split(const char *path, char folder[TRIAD_PATH], const char **name);

#endif
