/* Declarations shared by the sources of CGNS. In a build without the library they only refuse CGNS files. */
#ifndef TRIAD_STORE_FORMATS_CGNS_INTERNAL_H
#define TRIAD_STORE_FORMATS_CGNS_INTERNAL_H

#include "base/status.h"
#include "store/formats/cgns.h"

#define TRIAD_CGNS_MISSING(path) \
  TRIAD_FAIL(TRIAD_ERR_FEATURE, \
             "%s: this build has no CGNS: install its library (libcgns-dev on Debian and Ubuntu, or set CGNS_CFLAGS " \
             "and CGNS_LIBS in Makefile.inc) and rebuild", \
             path)

#ifdef TRIAD_CGNS
#include <cgnslib.h>

struct triad_cgns {
  int file, base, n_zones, written, dims; /* dims: of the base's cells */
  const char *path;
  char solution[TRIAD_CGNS_NAME]; /* of a file that is written, "": none yet */
  int n_families;
  char (*family)[TRIAD_CGNS_NAME]; /* likewise */
};

/* What the library says of its last failure, with the file. */
int triad_cgns_bad(const triad_cgns *file, const char *zone, const char *what);
#define TRIAD_CG(call, file, zone, what) \
  do { \
    if (call) return triad_cgns_bad(file, zone, what); \
  } while (0)

/* The number of the zone of this name; -1: there is none. */
int triad_cgns_zone_called(const triad_cgns *file, const char *name);

/* Numbers of the library's to ours. */
static inline void triad_cgns_take(int64_t *out, const cgsize_t *from, int64_t n)
{
  for (int64_t i = 0; i < n; i++) out[i] = from[i];
}

/* Letters that a patch may not have in its name become _. */
void triad_cgns_clean(char *name);
#endif

#endif
