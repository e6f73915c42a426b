/* Grids of CGNS files that the library's own calls have written, of other layouts than ours: bases in any order, zones
 * turned and named as they come, families, lists of points, planes, periods, the old format ADF; and what is wrong with
 * such files. quick: 1 */
#include "test.h"
#include "blocks/joins.h"
#include "families.h"

#include "store/formats/cgns.h"

#ifndef TRIAD_CGNS

TRIAD_TEST(without_the_library_the_way_out_is_told)
{
  triad_cgns *file;
  TRIAD_FAILS(triad_cgns_open(&file, "grid.cgns"), TRIAD_ERR_FEATURE, "libcgns-dev");
}

#define NEEDS_THE_LIBRARY(name) \
  TRIAD_TEST(name) { TRIAD_SKIP("built without libcgns-dev"); }
NEEDS_THE_LIBRARY(blocks_of_another_layout_are_read_right)
NEEDS_THE_LIBRARY(planes_have_one_layer_of_cells)
NEEDS_THE_LIBRARY(what_is_wrong_with_blocks_is_told_with_its_place)
NEEDS_THE_LIBRARY(a_file_that_is_cut_off_or_harmed_is_refused)

#else
#include "case/case.h"
#include "cgns_files.h"
#include "folder.h"
#include "blocks/read/source.h"

static char folder[TRIAD_PATH];

static const char *in_folder(const char *name)
{
  static char path[TRIAD_PATH + 64];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static int read_blocks(triad_blocks_grid **grid, const char *path)
{
  char text[TRIAD_PATH + 1024];
  triad_case *given = NULL;
  (void)snprintf(
    text, sizeof text,
    "[equations]\nsolver = \"multiblock\"\n[grid]\nkind = \"file\"\nfile = \"%s\"\n[initial]\nkind = \"stream\"\n"
    "[time]\nend = 1\n",
    path);
  int st = triad_case_parse(&given, "test.toml", text, strlen(text), NULL, 0);
  if (st == TRIAD_OK) st = triad_blocks_grid_create(grid, given);
  triad_case_destroy(&given);
  return st;
}

static const char *patch_at(const triad_blocks_grid *g, int zone, int axis, int upper, int64_t i, int64_t j, int64_t k)
{
  const int64_t cell[3] = {i, j, k};
  return g->patch[triad_blocks_grid_patch(g, zone, axis, upper, cell)];
}

/* Zone 0 is the second along x, its axes -y, x, z; zone 1 the first, of axes x, y, z. */
static void check_two_blocks(const char *path)
{
  triad_blocks_grid *g = NULL;
  triad_zones *zones = NULL;
  double x[3];
  TRIAD_CHECK(read_blocks(&g, path));
  TRIAD_EQUAL(g->n, 2, "zones");
  triad_blocks_grid_node(g, 0, (const int64_t[3]){2, 3, 1}, x);
  TRIAD_NEAR(x[0], 2, 0, "x of a node of the turned block");
  TRIAD_NEAR(x[1], 0, 0, "y");
  TRIAD_NEAR(x[2], 0.5, 0, "z");
  TRIAD_CHECK(triad_blocks_grid_zones(&zones, g));
  TRIAD_EQUAL(zones->n_joins, 6, "one join and a periodic one of each block, both ways");
  int shifted = 0;
  for (int i = 0; i < zones->n_joins; i++) {
    const triad_zone_join *j = &zones->join[i];
    if (j->to.zone == j->zone) {
      shifted++;
      TRIAD_NEAR(fabs(j->to.shift[1]), TWO_BLOCKS_PERIOD, 1e-15, "the period, which the file has in single precision");
    } else {
      TRIAD_EQUAL(j->to.turn.axis[0], 1, "first axis of either runs along the other's second");
    }
  }
  TRIAD_EQUAL(shifted, 4, "periodic joins");
  assert_string_equal(patch_at(g, 1, 0, 0, 0, 0, 0), "inflow");   /* a family */
  assert_string_equal(patch_at(g, 0, 1, 1, 1, 2, 1), "outflow");  /* centres of faces */
  assert_string_equal(patch_at(g, 1, 2, 0, 2, 1, 0), "walls");    /* a list of points */
  assert_string_equal(patch_at(g, 1, 2, 1, 2, 1, 1), "lid_of_1"); /* no family */
  assert_string_equal(patch_at(g, 0, 2, 0, 0, 0, 0), "1.kmin");   /* nothing */
  triad_zones_destroy(&zones);
  triad_blocks_grid_destroy(&g);
}

TRIAD_TEST(blocks_of_another_layout_are_read_right)
{
  folder_make(folder);
  write_two_blocks(in_folder("hdf5.cgns"), CG_FILE_HDF5, WHOLE);
  check_two_blocks(in_folder("hdf5.cgns"));
  write_two_blocks(in_folder("old.grid"), CG_FILE_ADF, WHOLE); /* known by how it begins */
  check_two_blocks(in_folder("old.grid"));
}

TRIAD_TEST(planes_have_one_layer_of_cells)
{
  triad_blocks_grid *g = NULL;
  triad_zones *zones = NULL;
  write_planes(in_folder("planes.cgns"));
  TRIAD_CHECK(read_blocks(&g, in_folder("planes.cgns")));
  TRIAD_CHECK(triad_blocks_grid_zones(&zones, g));
  TRIAD_EQUAL(g->flat[0], 2, "flat along k");
  TRIAD_EQUAL(zones->n_joins, 2, "joins");
  TRIAD_EQUAL(g->cells[1][2], 1, "cells along k");
  assert_string_equal(patch_at(g, 0, 1, 0, 1, 0, 0), "floor");
  triad_zones_destroy(&zones);
  triad_blocks_grid_destroy(&g);
}

TRIAD_TEST(what_is_wrong_with_blocks_is_told_with_its_place)
{
  static const struct {
    fault what;
    const char *say;
  } faults[] = {
    {APART, "connection interface: node (4, 1, 1) of zone 2 and node (1, 1, 1) of zone 1 are connected, but 0.7 apart"},
    {DONOR, "connection interface refers to zone nobody, which does not exist"},
    {TURNING, "connection around: rotational periodicity is not supported"},
    {INSIDE,
     "zone 2 (fore), boundary condition in: its points (2, 1, 1) to (2, 3, 3) do not form a rectangle on a face"},
    {POLAR, "zone fore has no CoordinateX: Cartesian coordinates are required"},
    {OVERSET, "connection loose: zones must match point by point"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    triad_blocks_grid *g = NULL;
    write_two_blocks(in_folder("wrong.cgns"), CG_FILE_HDF5, faults[i].what);
    TRIAD_FAILS(read_blocks(&g, in_folder("wrong.cgns")), TRIAD_ERR_CASE, faults[i].say);
  }
  triad_blocks_grid *g = NULL;
  TRIAD_FAILS(read_blocks(&g, in_folder("none.cgns")), TRIAD_ERR_INPUT, "the file does not exist");
}

TRIAD_TEST(a_file_that_is_cut_off_or_harmed_is_refused)
{
  char *bytes;
  int64_t length;
  triad_blocks_grid *g = NULL;
  hush();
  for (int old = 0; old < 2; old++) {
    write_two_blocks(in_folder("whole.cgns"), old ? CG_FILE_ADF : CG_FILE_HDF5, WHOLE);
    TRIAD_CHECK(triad_disk_load(in_folder("whole.cgns"), 1 << 24, &bytes, &length));
    for (int i = 0; i < 12; i++) { /* ends early */
      TRIAD_CHECK(triad_disk_replace(folder, "cut.cgns", bytes, length * i / 12));
      TRIAD_FAILS(read_blocks(&g, in_folder("cut.cgns")), TRIAD_ERR_CASE, "cut.cgns");
    }
    for (int i = 0; i < 40; i++) { /* a byte is another: nothing, or a refusal */
      const int64_t at = (int64_t)(((uint64_t)i * 0x9e3779b97f4a7c15u >> 20) % (uint64_t)length);
      bytes[at] = (char)~bytes[at];
      TRIAD_CHECK(triad_disk_replace(folder, "harmed.cgns", bytes, length));
      bytes[at] = (char)~bytes[at];
      int st = read_blocks(&g, in_folder("harmed.cgns"));
      if (st != TRIAD_OK) TRIAD_EQUAL(st, TRIAD_ERR_CASE, "status");
      triad_message_clear();
      if (st == TRIAD_OK) triad_blocks_grid_destroy(&g);
    }
    free(bytes);
  }
  speak();
  folder_delete(folder);
}

TRIAD_TEST(without_the_library_the_way_out_is_told) { TRIAD_SKIP("built with the library"); }

#endif
TRIAD_MAIN
