/* Write the faces of a mesh with their colours, for `triad grid`. */
#include "solvers/unstructured/files/look.h"
#include "mesh/sizes.h"

#include "solvers/unstructured/state/domain.h"
#include "solvers/unstructured/case/setup.h"
#include "mesh/write/meshwrite.h"
#include "mesh/write/vtkhdf.h"
#include "store/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COLOUR, CELL, BEYOND, PATCH, NUMBERS };

static const triad_field_info numbers[NUMBERS] = {
  [COLOUR] = {"colour", "colour of the face in the flux loop; -1: in a structured zone", "1", TRIAD_SCALAR},
  [CELL] = {"cell", "number of the cell on the side that the normal points away from", "1", TRIAD_SCALAR},
  [BEYOND] = {"beyond", "number of the other cell; -1: none", "1", TRIAD_SCALAR},
  [PATCH] = {"patch", "number of the patch; -1: interior face", "1", TRIAD_SCALAR}};

/* Groups of faces between cells come first, each a colour, then those of outer ones, from the first colour again. */
static void set_colours(const triad_unstructured_domain *d, double *out)
{
  int first = 0;
  for (int64_t i = 0; i < d->mesh->n_faces; i++) out[i] = -1;
  for (int g = 0; g < d->n_groups; g++) {
    if (d->group[g] == d->n_inner) first = g;
    for (int64_t i = d->group[g]; i < d->group[g + 1]; i++) out[d->face_in_mesh[i]] = g - first;
  }
}

static void set_numbers(const triad_unstructured_domain *d, int which, double *out)
{
  const triad_mesh *m = d->mesh;
  if (which == COLOUR) set_colours(d, out);
  for (int64_t f = 0; f < m->n_faces && which != COLOUR; f++)
    out[f] = which == PATCH ? (f < m->n_inner ? -1 : m->patch[f]) : m->cell[f][which == BEYOND];
}

static int put_values(const triad_unstructured_domain *d, triad_vtkhdf *file)
{
  double *values = NULL;
  int st = TRIAD_ALLOC(d->mesh->memory, "output", d->mesh->n_faces, &values);
  for (int which = 0; which < NUMBERS && st == TRIAD_OK; which++) {
    set_numbers(d, which, values);
    st = triad_vtkhdf_put(file, which, 0, d->mesh->n_faces, values);
  }
  TRIAD_FREE(d->mesh->memory, &values);
  return st;
}

static int write_faces(const triad_unstructured_domain *d, const char *path)
{
  char folder[TRIAD_PATH];
  triad_vtkhdf *file = NULL;
  const char *name;
  TRIAD_TRY(triad_path_split(path, folder, &name));
  const int element[NUMBERS] = {8, 8, 8, 8};
  const triad_vtkhdf_info info = {folder, name, numbers, element, NUMBERS};
  int st = triad_vtkhdf_create_faces(&file, d->mesh, &info);
  if (st == TRIAD_OK) st = put_values(d, file);
  TRIAD_TRY(triad_vtkhdf_finish(&file, st));
  (void)printf("%s: %lld cells, %lld faces, %lld of them outer faces, %d colours", path, (long long)d->mesh->n_cells,
               (long long)d->mesh->n_faces, (long long)(d->mesh->n_faces - d->mesh->n_inner), d->n_colours);
  if (d->n_zones > 0) (void)printf(", %lld cells in %d zones", (long long)d->n_zoned, d->n_zones);
  (void)printf("\n");
  return TRIAD_OK;
}

static int make_domain(const triad_unstructured_setup *s, const triad_context *context, triad_mesh **mesh,
                       triad_unstructured_domain **domain)
{
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  TRIAD_TRY(triad_unstructured_setup_mesh(s, context->memory, mesh, rules));
  TRIAD_TRY(triad_mesh_measure(*mesh));
  return triad_unstructured_domain_create(
    domain, context, *mesh,
    (triad_unstructured_layout){
      .numbering = s->numbering, .coloured = 1, .structured = s->source.structured, .traced = 1});
}

/* The cells and patches of a mesh; periodic patches are patches here. */
static int write_whole(const triad_unstructured_setup *s, triad_context *context, triad_mesh **mesh, const char *path)
{
  triad_mesh_source source = s->source;
  TRIAD_TRY(triad_mesh_source_mesh(mesh, context->memory, &source));
  TRIAD_TRY(triad_mesh_write(*mesh, path));
  (void)printf("%s: %" PRId64 " cells, %d patches\n", path, (*mesh)->n_cells, (*mesh)->n_patches);
  return TRIAD_OK;
}

int triad_unstructured_grid_write(const triad_case *given, const char *path, int ranks)
{
  triad_context alone = {.comm = {.size = 1}, .threads = 1}; /* making a domain asks nobody */
  triad_unstructured_setup setup;
  triad_mesh *mesh = NULL;
  triad_unstructured_domain *domain = NULL;
  const char *dot = strrchr(path, '.');
  const int whole = triad_mesh_write_is(path);
  if (!whole && (!dot || strcmp(dot, ".vtkhdf") != 0))
    return TRIAD_FAIL(
      TRIAD_ERR_USAGE,
      "%s: a mesh is written to a file named .su2, .msh or .cgns, the faces of a mesh to one named .vtkhdf", path);
  if (ranks > 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--ranks is for block grids: the faces of a mesh are written as on one rank");
  TRIAD_TRY(triad_unstructured_setup_read(&setup, given));
  TRIAD_TRY(triad_memory_create(&alone.memory));
  int st = whole ? write_whole(&setup, &alone, &mesh, path) : make_domain(&setup, &alone, &mesh, &domain);
  if (st == TRIAD_OK && !whole) st = write_faces(domain, path);
  triad_unstructured_domain_destroy(&domain);
  triad_mesh_destroy(&mesh);
  triad_memory_destroy(&alone.memory);
  return st;
}
