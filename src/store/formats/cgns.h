/* CGNS files (CFD General Notation System, SIDS 4.x), by the CGNS library if it is built in. Reads grids of structured
 * blocks or of cells of any kind, with their boundary conditions and joins, in both formats of the library, ADF and
 * HDF5. Writes files with a solution for other programs.
 *
 * Of several bases the first of the highest dimension is read. Numbers of points, elements and zones begin with 0 here,
 * unless said otherwise. Errors are TRIAD_ERR_CASE with file, zone and the node's name; without the library opening is
 * TRIAD_ERR_FEATURE. The library may crash on a damaged file: read in a separate process (base/guard.h). Not
 * collective. */
#ifndef TRIAD_STORE_FORMATS_CGNS_H
#define TRIAD_STORE_FORMATS_CGNS_H

#include <stdint.h>

enum { TRIAD_CGNS_NAME = 33, TRIAD_CGNS_FAMILY = 64 };

typedef struct triad_cgns triad_cgns;

/* Is it a CGNS file, by its name or its first bytes? */
int triad_cgns_is(const char *path);

/* TRIAD_ERR_FEATURE in a build without the library, with how to get it; `what` is what would need it. */
int triad_cgns_need(const char *what);

/* TRIAD_ERR_INPUT: there is no such file. Close with TRIAD_OK, or with what went wrong, which is returned. */
int triad_cgns_open(triad_cgns **out, const char *path);
int triad_cgns_create(triad_cgns **out, const char *path);
int triad_cgns_close(triad_cgns **file, int status);

/* ---- what a file holds ---- */

typedef struct triad_cgns_zone {
  char name[TRIAD_CGNS_NAME];
  int structured, dims; /* dims: 2 or 3 indices of a structured zone, 1                    */
  int64_t n[3];         /* structured: points along i, j, k, 1 without such an index; else points, cells, 1 */
} triad_cgns_zone;

int triad_cgns_zones(const triad_cgns *file);

/* Dimensions of the cells of the base that is read: 2 or 3. */
int triad_cgns_dimensions(const triad_cgns *file);

int triad_cgns_zone_at(const triad_cgns *file, int zone, triad_cgns_zone *out);

/* Cartesian coordinates of a zone's points, x, y and z each by itself; z is 0 where the file has none. */
int triad_cgns_coordinates(const triad_cgns *file, int zone, double *const x[3]);

typedef enum triad_cgns_place { TRIAD_CGNS_AT_POINTS, TRIAD_CGNS_AT_FACES } triad_cgns_place;

/* A boundary condition, called by its family where it has one, else by its own name; in `name` letters that no name of
 * a patch has are _. Of faces of structured zones axis is the one that they lie across, -1: it isn't said. */
typedef struct triad_cgns_patch {
  char name[TRIAD_CGNS_FAMILY], own[TRIAD_CGNS_NAME];
  triad_cgns_place place;
  int is_range, axis, degenerate; /* degenerate: it is a line or a point by its type */
  int64_t n;                      /* of points: 2 of a range */
} triad_cgns_patch;

/* Cells low .. high - 1, from 0, next to a face of a structured zone. */
typedef struct triad_cgns_face {
  int axis, upper;
  int64_t low[3], high[3];
} triad_cgns_face;

/* Where a zone meets another point by point. Of structured zones box 0 is its own range of points, box 1 the other's,
 * each from its first to its last point, from 1; axis i of the zone runs along axis |turn[i]| - 1 of the other,
 * backwards where turn is negative. shift: from here to there, of a periodic join; 0 where there is none. */
typedef struct triad_cgns_join {
  char name[TRIAD_CGNS_NAME];
  int other, is_box, turn[3];
  int64_t box[2][2][3];
  double shift[3];
  triad_cgns_place place; /* of lists */
  int64_t n;              /* of lists */
} triad_cgns_join;

typedef enum triad_cgns_kind {
  TRIAD_CGNS_OTHER, /* a point */
  TRIAD_CGNS_LINE,
  TRIAD_CGNS_TRIANGLE,
  TRIAD_CGNS_QUADRILATERAL,
  TRIAD_CGNS_TET,
  TRIAD_CGNS_PYRAMID,
  TRIAD_CGNS_PRISM,
  TRIAD_CGNS_HEX,
  TRIAD_CGNS_POLYGON,
  TRIAD_CGNS_POLYHEDRON
} triad_cgns_kind;

typedef struct triad_cgns_element {
  int64_t number; /* from 1 */
  triad_cgns_kind kind;
  int curved; /* of second order: at has its corners */
  int64_t n;
  const int64_t *at; /* points, from 0; of a polyhedron the numbers of its faces, from 1, negative: turned inwards */
} triad_cgns_element;

typedef int triad_cgns_each(void *who, const triad_cgns_element *element);

/* ---- for others; zones, and what belongs to them, by the numbers in which they were put ---- */

#endif
