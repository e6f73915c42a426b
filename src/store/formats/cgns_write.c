/* Write CGNS files that other programs read: structured zones in three dimensions, unstructured zones, families,
 * connections, cell values. */
#include "store/formats/cgns_write.h"
#include "store/formats/cgns_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_CGNS

/* A zone with the coordinates of its points. size: as the library has it for this type. */
static int put_zone(triad_cgns *f, const char *name, CGNS_ENUMT(ZoneType_t) type, const cgsize_t *size,
                    double *const x[3])
{
  static const char *const axis[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  int zone, coordinate;
  TRIAD_CG(cg_zone_write(f->file, f->base, name, size, type, &zone), f, name, "the zone");
  for (int a = 0; a < 3; a++)
    TRIAD_CG(cg_coord_write(f->file, f->base, zone, CGNS_ENUMV(RealDouble), axis[a], x[a], &coordinate), f, name,
             axis[a]);
  f->n_zones = zone;
  return TRIAD_OK;
}

int triad_cgns_put_zone(triad_cgns *f, const char *name, const int64_t cells[3], double *const x[3])
{
  cgsize_t size[9] = {0};
  for (int a = 0; a < 3; a++) {
    size[a] = (cgsize_t)(cells[a] + 1);
    size[3 + a] = (cgsize_t)cells[a];
  }
  return put_zone(f, name, CGNS_ENUMV(Structured), size, x);
}

int triad_cgns_put_cloud(triad_cgns *f, const char *name, int64_t points, int64_t cells, double *const x[3])
{
  const cgsize_t size[3] = {(cgsize_t)points, (cgsize_t)cells, 0};
  return put_zone(f, name, CGNS_ENUMV(Unstructured), size, x);
}

/* Numbers for the library; the caller frees them. */
static cgsize_t *narrow(const int64_t *from, int64_t n)
{
  cgsize_t *to = malloc(((size_t)n + 1) * sizeof *to);
  for (int64_t i = 0; i < n && to; i++) to[i] = (cgsize_t)from[i];
  return to;
}

int triad_cgns_put_section(triad_cgns *f, const char *name, triad_cgns_kind kind, int64_t first, int64_t n,
                           int64_t size, const int64_t *list, const int64_t *begin)
{
  static const CGNS_ENUMT(ElementType_t)
    type[] = {[TRIAD_CGNS_TRIANGLE] = CGNS_ENUMV(TRI_3), [TRIAD_CGNS_QUADRILATERAL] = CGNS_ENUMV(QUAD_4),
              [TRIAD_CGNS_TET] = CGNS_ENUMV(TETRA_4),    [TRIAD_CGNS_PYRAMID] = CGNS_ENUMV(PYRA_5),
              [TRIAD_CGNS_PRISM] = CGNS_ENUMV(PENTA_6),  [TRIAD_CGNS_HEX] = CGNS_ENUMV(HEXA_8),
              [TRIAD_CGNS_POLYGON] = CGNS_ENUMV(NGON_n), [TRIAD_CGNS_POLYHEDRON] = CGNS_ENUMV(NFACE_n)};
  const cgsize_t from = (cgsize_t)first, to = (cgsize_t)(first + n - 1);
  int made, failed = 0;
#if CGNS_VERSION < 3400
  if (begin)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "%s: polyhedra require a CGNS library of version 3.4 or newer", f->path);
#endif
  cgsize_t *numbers = narrow(list, size), *offset = begin ? narrow(begin, n + 1) : NULL;
  if (!numbers || (begin && !offset)) {
    free(numbers);
    free(offset);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld numbers of elements", f->path, (long long)size);
  }
  if (!begin) failed = cg_section_write(f->file, f->base, f->n_zones, name, type[kind], from, to, 0, numbers, &made);
#if CGNS_VERSION >= 3400
  else
    failed = cg_poly_section_write(f->file, f->base, f->n_zones, name, type[kind], from, to, 0, numbers, offset, &made);
#endif
  free(numbers);
  free(offset);
  return failed ? triad_cgns_bad(f, NULL, name) : TRIAD_OK;
}

/* Families are made when they are first named. */
static int need_family(triad_cgns *f, const char family[TRIAD_CGNS_NAME])
{
  int made;
  for (int i = 0; i < f->n_families; i++)
    if (strcmp(f->family[i], family) == 0) return TRIAD_OK;
  char(*more)[TRIAD_CGNS_NAME] = realloc(f->family, (size_t)(f->n_families + 1) * sizeof *more);
  if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: families", f->path);
  f->family = more;
  memcpy(f->family[f->n_families++], family, TRIAD_CGNS_NAME);
  TRIAD_CG(cg_family_write(f->file, f->base, family, &made), f, NULL, family);
  return TRIAD_OK;
}

/* A boundary condition of faces or points in a range, whose family has the name `family`. */
static int put_boundary(triad_cgns *f, int zone, const char *name, const char *family, const cgsize_t *range,
                        int at_faces)
{
  char of[TRIAD_CGNS_NAME] = "";
  int made;
  (void)snprintf(of, sizeof of, "%.32s", family);
  TRIAD_TRY(need_family(f, of));
  TRIAD_CG(cg_boco_write(f->file, f->base, zone, name ? name : of, CGNS_ENUMV(FamilySpecified), CGNS_ENUMV(PointRange),
                         2, range, &made),
           f, NULL, family);
  if (at_faces)
    TRIAD_CG(cg_boco_gridlocation_write(f->file, f->base, zone, made, CGNS_ENUMV(FaceCenter)), f, NULL, family);
  TRIAD_CG(cg_goto(f->file, f->base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", made, "end"), f, NULL, family);
  TRIAD_CG(cg_famname_write(of), f, NULL, family);
  return TRIAD_OK;
}

int triad_cgns_put_patch(triad_cgns *f, int zone, const char *name, const char *family, const int64_t low[3],
                         const int64_t high[3])
{
  cgsize_t range[6];
  for (int a = 0; a < 3; a++) {
    range[a] = (cgsize_t)low[a];
    range[3 + a] = (cgsize_t)high[a];
  }
  return put_boundary(f, zone + 1, name, family, range, 0);
}

/* The boundary condition has the name of the family, as far as CGNS has room for it. */
int triad_cgns_put_sides(triad_cgns *f, const char *name, int64_t first, int64_t last)
{
  const cgsize_t range[2] = {(cgsize_t)first, (cgsize_t)last};
  return put_boundary(f, f->n_zones, NULL, name, range, 1);
}

int triad_cgns_put_join(triad_cgns *f, int zone, const char *other, const triad_cgns_join *j)
{
  cgsize_t box[2][6];
  int made;
  const float none[3] = {0, 0, 0}, shift[3] = {(float)j->shift[0], (float)j->shift[1], (float)j->shift[2]};
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 6; i++) box[b][i] = (cgsize_t)j->box[b][i / 3][i % 3];
  TRIAD_CG(cg_1to1_write(f->file, f->base, zone + 1, j->name, other, box[0], box[1], j->turn, &made), f, NULL, j->name);
  if (memcmp(shift, none, sizeof none) != 0)
    TRIAD_CG(cg_1to1_periodic_write(f->file, f->base, zone + 1, made, none, none, shift), f, NULL, j->name);
  return TRIAD_OK;
}

int triad_cgns_put_moment(triad_cgns *f, int steady, int64_t step, double t)
{
  const cgsize_t one = 1, text[2] = {32, 1};
  const int number = (int)step;
  char padded[TRIAD_CGNS_NAME];
  int made;
  (void)snprintf(f->solution, sizeof f->solution, "FlowSolution%08lld", (long long)step);
  (void)snprintf(padded, sizeof padded, "%-32s", f->solution);
  const CGNS_ENUMT(SimulationType_t) type = steady ? CGNS_ENUMV(NonTimeAccurate) : CGNS_ENUMV(TimeAccurate);
  TRIAD_CG(cg_simulation_type_write(f->file, f->base, type), f, NULL, "the simulation's type");
  TRIAD_CG(cg_biter_write(f->file, f->base, "BaseIterativeData", 1), f, NULL, "BaseIterativeData");
  TRIAD_CG(cg_goto(f->file, f->base, "BaseIterativeData_t", 1, "end"), f, NULL, "BaseIterativeData");
  TRIAD_CG(cg_array_write("TimeValues", CGNS_ENUMV(RealDouble), 1, &one, &t), f, NULL, "TimeValues");
  TRIAD_CG(cg_array_write("IterationValues", CGNS_ENUMV(Integer), 1, &one, &number), f, NULL, "IterationValues");
  for (int z = 1; z <= f->n_zones; z++) {
    TRIAD_CG(cg_sol_write(f->file, f->base, z, f->solution, CGNS_ENUMV(CellCenter), &made), f, NULL, f->solution);
    TRIAD_CG(cg_ziter_write(f->file, f->base, z, "ZoneIterativeData"), f, NULL, "ZoneIterativeData");
    TRIAD_CG(cg_goto(f->file, f->base, "Zone_t", z, "ZoneIterativeData_t", 1, "end"), f, NULL, "ZoneIterativeData");
    TRIAD_CG(cg_array_write("FlowSolutionPointers", CGNS_ENUMV(Character), 2, text, padded), f, NULL,
             "FlowSolutionPointers");
  }
  return TRIAD_OK;
}

int triad_cgns_put_values(triad_cgns *f, int zone, const char *name, int element, const void *values)
{
  int made;
  const CGNS_ENUMT(DataType_t) type = element == 4 ? CGNS_ENUMV(RealSingle) : CGNS_ENUMV(RealDouble);
  TRIAD_CG(cg_field_write(f->file, f->base, zone + 1, 1, type, name, values, &made), f, NULL, name);
  return TRIAD_OK;
}

#else

int triad_cgns_put_cloud(triad_cgns *f, const char *name, int64_t points, int64_t cells, double *const x[3])
{
  return (void)f, (void)name, (void)points, (void)cells, (void)x, TRIAD_ERR_FEATURE;
}

int triad_cgns_put_section(triad_cgns *f, const char *name, triad_cgns_kind kind, int64_t first, int64_t n,
                           int64_t size, const int64_t *list, const int64_t *begin)
{
  return (void)f, (void)name, (void)kind, (void)first, (void)n, (void)size, (void)list, (void)begin, TRIAD_ERR_FEATURE;
}

int triad_cgns_put_sides(triad_cgns *f, const char *name, int64_t first, int64_t last)
{
  return (void)f, (void)name, (void)first, (void)last, TRIAD_ERR_FEATURE;
}

int triad_cgns_put_zone(triad_cgns *f, const char *name, const int64_t cells[3], double *const x[3])
{
  return (void)f, (void)name, (void)cells, (void)x, TRIAD_ERR_FEATURE;
}

int triad_cgns_put_patch(triad_cgns *f, int zone, const char *name, const char *family, const int64_t low[3],
                         const int64_t high[3])
{
  return (void)f, (void)zone, (void)name, (void)family, (void)low, (void)high, TRIAD_ERR_FEATURE;
}

int triad_cgns_put_join(triad_cgns *f, int zone, const char *other, const triad_cgns_join *j)
{
  return (void)f, (void)zone, (void)other, (void)j, TRIAD_ERR_FEATURE;
}

int triad_cgns_put_moment(triad_cgns *f, int steady, int64_t step, double t)
{
  return (void)f, (void)steady, (void)step, (void)t, TRIAD_ERR_FEATURE;
}

int triad_cgns_put_values(triad_cgns *f, int zone, const char *name, int element, const void *values)
{
  return (void)f, (void)zone, (void)name, (void)element, (void)values, TRIAD_ERR_FEATURE;
}

#endif
