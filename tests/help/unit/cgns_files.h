/* CGNS files by the library's own calls, for tests of what reads them. */
#ifndef TRIAD_TESTS_UNIT_CGNS_FILES_H
#define TRIAD_TESTS_UNIT_CGNS_FILES_H

#include "test.h"

#include <cgnslib.h>

#define CG(call) \
  do { \
    if (call) fail_msg("%s: %s", #call, cg_get_error()); \
  } while (0)

typedef enum fault { WHOLE, APART, DONOR, TURNING, INSIDE, POLAR, OVERSET } fault;
#define TWO_BLOCKS_PERIOD 0.7 /* no number of single precision */

static inline void put_coordinates(int file, int base, int zone, const int64_t n[3],
                                   void (*at)(const int64_t node[3], double x[3]), int polar)
{
  static const char *const names[2][3] = {{"CoordinateX", "CoordinateY", "CoordinateZ"},
                                          {"CoordinateR", "CoordinateTheta", "CoordinateZ"}};
  const int64_t all = n[0] * n[1] * n[2];
  double *x = calloc((size_t)(3 * all), sizeof *x);
  int made;
  for (int64_t i = 0; i < all; i++) {
    const int64_t node[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    double here[3];
    at(node, here);
    for (int a = 0; a < 3; a++) x[a * all + i] = here[a];
  }
  for (int a = 0; a < 3; a++)
    CG(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[polar][a], x + a * all, &made));
  free(x);
}

static inline void put_condition(int file, int base, int zone, const char *name, const char *family,
                                 CGNS_ENUMT(PointSetType_t) set, CGNS_ENUMT(GridLocation_t) where, int n,
                                 const cgsize_t *points)
{
  int made;
  CG(cg_boco_write(file, base, zone, name, CGNS_ENUMV(BCWall), set, n, points, &made));
  if (where != CGNS_ENUMV(Vertex)) CG(cg_boco_gridlocation_write(file, base, zone, made, where));
  if (!family) return;
  CG(cg_goto(file, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", made, "end"));
  CG(cg_famname_write(family));
}

/* fore: x = i/3, y = 0.7 j/2, z = k/2; aft: x = 1 + j/3, y = 0.7 (2 - i)/2, z = k/2. */
static inline void fore_at(const int64_t n[3], double x[3])
{
  x[0] = (double)n[0] / 3;
  x[1] = TWO_BLOCKS_PERIOD * (double)n[1] / 2;
  x[2] = (double)n[2] / 2;
}

static inline void aft_at(const int64_t n[3], double x[3])
{
  x[0] = 1 + (double)n[1] / 3;
  x[1] = TWO_BLOCKS_PERIOD * (double)(2 - n[0]) / 2;
  x[2] = (double)n[2] / 2;
}

static inline void put_fore_conditions(int file, int base, int zone, fault what)
{
  const cgsize_t in[6] = {what == INSIDE ? 2 : 1, 1, 1, what == INSIDE ? 2 : 1, 3, 3}, lid[6] = {1, 1, 3, 4, 3, 3};
  cgsize_t floor[36];
  for (int i = 0; i < 12; i++) { /* backwards: a list has no order */
    floor[3 * i] = 4 - i % 4;
    floor[3 * i + 1] = 3 - i / 4;
    floor[3 * i + 2] = 1;
  }
  put_condition(file, base, zone, "in", "inflow", CGNS_ENUMV(PointRange), CGNS_ENUMV(Vertex), 2, in);
  put_condition(file, base, zone, "floor", "walls", CGNS_ENUMV(PointList), CGNS_ENUMV(Vertex), 12, floor);
  put_condition(file, base, zone, "lid of 1", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(Vertex), 2, lid);
}

static inline void put_period(int file, int base, int zone, const char *name, const cgsize_t here[6],
                              const cgsize_t there[6], fault what)
{
  const int turn[3] = {1, 2, 3};
  const float none[3] = {0, 0, 0}, angle[3] = {0, 0, what == TURNING ? 0.1f : 0},
              shift[3] = {0, (float)TWO_BLOCKS_PERIOD, 0};
  int made;
  CG(cg_1to1_write(file, base, zone, "around", name, here, there, turn, &made));
  CG(cg_1to1_periodic_write(file, base, zone, made, none, angle, shift));
}

/* The grid stands in the second of two bases; its connection is written once, from fore to aft; the library puts zones
 * in the order of their names. */
static inline void write_two_blocks(const char *path, int type, fault what)
{
  const cgsize_t surface[6] = {2, 2, 1, 1, 0, 0}, aft[9] = {3, 4, 3, 2, 3, 2, 0, 0, 0},
                 fore[9] = {4, 3, 3, 3, 2, 2, 0, 0, 0};
  const cgsize_t here[6] = {4, 1, 1, 4, 3, 3}, there[6] = {what == APART ? 1 : 3, 1, 1, what == APART ? 3 : 1, 1, 3};
  const cgsize_t out[6] = {1, 4, 1, 2, 4, 2}, one = 1, list[3] = {1, 1, 1};
  const int turn[3] = {2, what == APART ? 1 : -1, 3};
  int file, base, zone, made;
  CG(cg_set_file_type(type));
  CG(cg_open(path, CG_MODE_WRITE, &file));
  CG(cg_base_write(file, "Surface", 2, 3, &base));
  CG(cg_zone_write(file, base, "skin", surface, CGNS_ENUMV(Structured), &zone));
  CG(cg_base_write(file, "Volume", 3, 3, &base));
  CG(cg_zone_write(file, base, "aft", aft, CGNS_ENUMV(Structured), &zone));
  put_coordinates(file, base, zone, (const int64_t[3]){3, 4, 3}, aft_at, 0);
  put_condition(file, base, zone, "out", "outflow", CGNS_ENUMV(PointRange), CGNS_ENUMV(JFaceCenter), 2, out);
  put_period(file, base, zone, "aft", (const cgsize_t[6]){3, 1, 1, 3, 4, 3}, (const cgsize_t[6]){1, 1, 1, 1, 4, 3},
             WHOLE);
  CG(cg_zone_write(file, base, "fore", fore, CGNS_ENUMV(Structured), &zone));
  put_coordinates(file, base, zone, (const int64_t[3]){4, 3, 3}, fore_at, what == POLAR);
  put_fore_conditions(file, base, zone, what);
  put_period(file, base, zone, "fore", (const cgsize_t[6]){1, 1, 1, 4, 1, 3}, (const cgsize_t[6]){1, 3, 1, 4, 3, 3},
             what);
  CG(cg_1to1_write(file, base, zone, "interface", what == DONOR ? "nobody" : "aft", here, there, turn, &made));
  if (what == OVERSET)
    CG(cg_conn_write(file, base, zone, "loose", CGNS_ENUMV(Vertex), CGNS_ENUMV(Overset), CGNS_ENUMV(PointList), one,
                     list, "aft", CGNS_ENUMV(Structured), CGNS_ENUMV(PointListDonor), CGNS_ENUMV(Integer), one, list,
                     &made));
  CG(cg_close(file));
}

/* Two planes side by side, the second's axes -x and -y, without z; a base of two dimensions. */
static inline void write_planes(const char *path)
{
  const cgsize_t size[6] = {3, 3, 2, 2, 0, 0}, here[4] = {3, 1, 3, 3}, there[4] = {3, 3, 3, 1}, floor[4] = {1, 1, 3, 1};
  const int turn[2] = {-1, -2};
  int file, base, zone, made;
  CG(cg_set_file_type(CG_FILE_HDF5));
  CG(cg_open(path, CG_MODE_WRITE, &file));
  CG(cg_base_write(file, "Plane", 2, 2, &base));
  for (int z = 0; z < 2; z++) {
    double x[9], y[9];
    CG(cg_zone_write(file, base, z ? "b" : "a", size, CGNS_ENUMV(Structured), &zone));
    for (int i = 0; i < 9; i++) {
      x[i] = z ? 4 - i % 3 : i % 3;
      y[i] = z ? 2 - i / 3 : i / 3;
    }
    CG(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), "CoordinateX", x, &made));
    CG(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), "CoordinateY", y, &made));
    if (z == 0) CG(cg_1to1_write(file, base, zone, "seam", "b", here, there, turn, &made));
    if (z == 0)
      put_condition(file, base, zone, "ground", "floor", CGNS_ENUMV(PointRange), CGNS_ENUMV(Vertex), 2, floor);
  }
  CG(cg_close(file));
}

#endif
